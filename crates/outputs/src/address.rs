//! Names and web addresses in the settings of outputs and of sources: which are taken, and what of them people may see.

use crate::refusal::OutputRefusal;

/// Maximum length of a name.
pub const MOST_NAME: usize = 40;

/// Whether a text can be the name of an output or a source.
pub fn is_name(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.len() <= MOST_NAME && name.bytes().all(letter)
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
/// What is wrong, without what may be a secret.
pub fn web_address(url: &str) -> Result<(), OutputRefusal> {
    let plain = url.replace("{section}", "s").replace("{round}", "1");
    let uri = plain.parse::<ureq::http::Uri>().ok();
    let host = uri.as_ref().and_then(|uri| uri.host()).is_some_and(|host| !host.is_empty());
    let shown = self::host(url);
    match uri.as_ref().and_then(|uri| uri.scheme_str()).filter(|_| host) {
        Some("http") => Ok(()),
        Some("https") if cfg!(feature = "tls") => Ok(()),
        Some("https") => Err(OutputRefusal::NoTls),
        _ => Err(OutputRefusal::WebAddress { address: shown }),
    }
}
