//! The pages inside the binary.
//!
//! Knows files, their types and how long a browser may keep them; knows nothing of routes, requests or games.

use public_web::Asset;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$OUT_DIR/web"]
struct Files;

/// The folder of files whose names contain a digest of their content.
const HASHED: &str = "assets/";

/// Endings of the compressed forms of a file, which the build of the pages makes.
const COMPRESSED: [&str; 2] = [".br", ".gz"];

/// The file for the path of a request, with or without its leading slash.
///
/// `/` is the front page, `index.html`. A build without the other pages has none for them.
pub fn asset(path: &str) -> Option<Asset> {
    let path = path.trim_start_matches('/');
    load(if path.is_empty() { "index.html" } else { path })
}

/// The page that draws the dashboard; none in a build without pages.
pub fn dashboard() -> Option<Asset> {
    load("admin.html")
}

fn load(path: &str) -> Option<Asset> {
    // Their compressed forms belong to the files and have no addresses of their own.
    let file = Files::get(path).filter(|_| !COMPRESSED.iter().any(|ending| path.ends_with(ending)))?;
    let [brotli, gzip] = COMPRESSED.map(|ending| Files::get(&format!("{path}{ending}")).map(|file| file.data));
    let digest = file.metadata.sha256_hash().iter().take(16).fold(0, |sum, byte| sum << 8 | u128::from(*byte));
    Some(Asset {
        content_type: content_type(path),
        etag: format!("\"{digest:032x}\""),
        cache_control: if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" },
        bytes: file.data,
        brotli,
        gzip,
    })
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_page_is_there_and_no_address_twice() {
        let shell = asset("/").expect("every build has an index.html");
        assert_eq!(shell.content_type, "text/html; charset=utf-8");
        assert_eq!(shell.cache_control, "no-cache");
        for path in ["", "index.html"] {
            assert_eq!(asset(path).map(|page| page.etag), Some(shell.etag.clone()), "{path}");
        }
        for path in ["/embed/game/12345-20261120-1", "/index.html.br", "/index.html.gz"] {
            assert!(asset(path).is_none(), "{path}");
        }
    }

    #[test]
    fn a_missing_file_is_not_answered_with_a_page() {
        for path in ["/assets/gone-00000000.js", "/favicon.ico", "/../Cargo.toml", "//etc/passwd.txt"] {
            assert!(asset(path).is_none(), "{path}");
        }
    }

    #[test]
    fn the_scripts_of_the_shell_are_there_and_may_be_kept_for_ever() {
        let shell = asset("/").expect("every build has an index.html");
        let html = String::from_utf8(shell.bytes.into_owned()).expect("the shell is text");
        let names: Vec<&str> = html.split('"').filter(|name| name.starts_with("/assets/")).collect();
        if names.is_empty() {
            println!("skipped: this build has no pages (BOARDCAST_WEB)");
            return;
        }
        for name in names {
            let file = asset(name).unwrap_or_else(|| panic!("{name} is missing"));
            assert!(file.cache_control.ends_with("immutable"), "{name}");
            assert!(file.content_type.starts_with("text/"), "{name}");
            assert!(file.etag.len() > 16 && file.etag.starts_with('"') && file.etag.ends_with('"'), "{name}");
            assert_ne!(file.etag, shell.etag);
        }
    }
}
