//! Names and web addresses in the settings of outputs and of sources: which are taken, and what of them people may see.

/// Maximum length of a name.
const MOST_NAME: usize = 40;

/// Checks the name of «an output» or «a source».
///
/// # Errors
/// One sentence that says what is wrong.
pub fn check_name(name: &str, of_what: &str) -> Result<(), String> {
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || name.len() > MOST_NAME || !name.bytes().all(letter) {
        return Err(format!(
            "«{name}» is no name for {of_what}: use at most {MOST_NAME} small letters, digits and «-»."
        ));
    }
    Ok(())
}

/// Scheme and host of an address, without user, password and path: each may be a secret.
pub fn host(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    format!("{scheme}://{}", host.rsplit('@').next().unwrap_or_default())
}

/// Checks an address; `{section}` and `{round}` in it are replaced later.
///
/// # Errors
/// One sentence that says what is wrong, without what may be a secret.
pub fn web_address(url: &str) -> Result<(), String> {
    let plain = url.replace("{section}", "s").replace("{round}", "1");
    let uri = plain.parse::<ureq::http::Uri>().ok();
    let host = uri.as_ref().and_then(|uri| uri.host()).is_some_and(|host| !host.is_empty());
    let shown = self::host(url);
    match uri.as_ref().and_then(|uri| uri.scheme_str()).filter(|_| host) {
        Some("http") => Ok(()),
        Some("https") if cfg!(feature = "tls") => Ok(()),
        Some("https") => Err("This build has no TLS: give an address that begins with http://.".to_owned()),
        _ => Err(format!("«{shown}» is no web address: write one that begins with http:// or https://.")),
    }
}
