//! A page around what is drawn into it: its head, its security headers, its compression.

use std::fmt::Write as _;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use publish::bodies::etag_of;

use crate::answer;
use crate::asset::Pages;
use crate::encoding::compressed;
use crate::polled::Conditions;
use drawn::push_text;
use drawn::words::Words;

/// Where the pages have what the server knows: titles and previews, and the boards.
const HEAD: &str = "<!--boardcast:head-->";
const BODY: &str = "<!--boardcast:body-->";

/// Content security policy of every page: only resources of this site, no inline code, no plug-in. Pictures of pieces are
/// part of the style sheet, as `data:`. The hash allows one style that chessground writes on its layers for arrows.
macro_rules! policy {
    ($ancestors:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; ",
            "style-src 'self' 'unsafe-hashes' 'sha256-SyXRxMCl6H7Kgy9uTmu1UZqVBsRmMBF4sHRiTO3FQc0='; ",
            "img-src 'self' data:; connect-src 'self'; ",
            "manifest-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors ",
            $ancestors
        )
    };
}

/// Who may show a page in a frame.
pub(super) struct Frame {
    policy: &'static str,
}

/// What the server knows of a page.
#[derive(Default)]
pub(super) struct Filled {
    pub(super) title: String,
    /// One sentence for link previews.
    pub(super) about: String,
    /// Address of a picture for link previews.
    pub(super) picture: Option<String>,
    /// The section, round and game that the page is about.
    pub(super) place: Option<(String, Option<u32>, Option<String>)>,
    /// The address that the script will ask for first.
    pub(super) feed: Option<String>,
    /// HTML of the boards.
    pub(super) body: String,
}

impl Frame {
    /// No other site.
    pub(super) const OWN: Self = Self { policy: policy!("'none'") };

    /// Every site.
    pub(super) const ANYWHERE: Self = Self { policy: policy!("*") };

    /// A page of the build with what the server knows.
    pub(super) fn page(&self, pages: Pages, path: &str, headers: &HeaderMap, filled: &Filled) -> Response {
        let Some(page) = pages(path) else {
            return answer::sentence(StatusCode::NOT_FOUND, "This build has no pages: the games are at /live.pgn.");
        };
        let page = String::from_utf8_lossy(&page.bytes).into_owned();
        let policy = self.policy_of(&page);
        let html = page.replacen(HEAD, &filled.head(), 1).replacen(BODY, &filled.body, 1);
        let html = Bytes::from(html);
        let etag = etag_of(&html);
        let mut response = if Conditions::of(headers).has_tag(&etag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            compressed(headers, html.into())
        };
        if let Ok(etag) = HeaderValue::from_str(&format!("W/{etag}")) {
            response.headers_mut().insert(header::ETAG, etag);
        }
        for (name, value) in Self::headers() {
            response.headers_mut().insert(name, value);
        }
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept-Encoding, Accept-Language"));
        response
    }

    /// That an address has no page, with the way to the games, also out of a frame; in the style of the first page.
    pub(super) fn missing(pages: Pages, words: &Words) -> Response {
        let first =
            pages("/index.html").map(|page| String::from_utf8_lossy(&page.bytes).into_owned()).unwrap_or_default();
        let style =
            first.find("<style data-digest").and_then(|from| first.get(from..)?.split_inclusive("</style>").next());
        let (style, Words { code, no_page, all_boards, .. }) = (style.unwrap_or_default(), words);
        let html = format!(
            "<!doctype html><html lang=\"{code}\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\"><title>{no_page}</title>\
             {style}<div class=\"drawn\"><header><h1>{no_page}</h1><a href=\"/\" target=\"_top\">{all_boards}</a></header>\
             </div></html>\n"
        );
        let mut response = (StatusCode::NOT_FOUND, Self::headers(), html).into_response();
        let headers = response.headers_mut();
        if let Ok(policy) = HeaderValue::from_str(&Self::ANYWHERE.policy_of(&first)) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        headers.insert(header::VARY, HeaderValue::from_static("Accept, Accept-Language"));
        response
    }

    /// The policy with the digest that the build gives of the style in the page, so that this style alone is allowed.
    fn policy_of(&self, page: &str) -> String {
        let named = page.split_once("<style data-digest=\"").and_then(|(_, rest)| rest.split_once('"'));
        match named
            .filter(|(digest, _)| digest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-+/=".contains(&byte)))
        {
            Some((digest, _)) => self.policy.replacen("style-src 'self'", &format!("style-src 'self' '{digest}'"), 1),
            None => self.policy.to_owned(),
        }
    }

    fn headers() -> [(HeaderName, HeaderValue); 3] {
        [
            (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        ]
    }
}

impl Filled {
    fn head(&self) -> String {
        let mut head = String::new();
        let mut meta = |kind: &str, name: &str, value: &str| {
            if !value.is_empty() {
                let _ = write!(head, "<meta {kind}=\"{name}\" content=\"");
                push_text(&mut head, value);
                head.push_str("\">");
            }
        };
        meta("property", "og:title", &self.title);
        meta("property", "og:description", &self.about);
        meta("name", "description", &self.about);
        if let Some(picture) = &self.picture {
            meta("property", "og:type", "website");
            meta("property", "og:image", picture);
            meta("property", "og:image:width", "600");
            meta("property", "og:image:height", "726");
            meta("name", "twitter:card", "summary");
        }
        if let Some((section, round, game)) = &self.place {
            meta("name", "boardcast:event", section);
            meta("name", "boardcast:round", &round.map(|round| round.to_string()).unwrap_or_default());
            meta("name", "boardcast:game", game.as_deref().unwrap_or_default());
        }
        if let Some(feed) = &self.feed {
            let _ = write!(head, "<link rel=\"preload\" as=\"fetch\" crossorigin=\"anonymous\" href=\"");
            push_text(&mut head, feed);
            head.push_str("\">");
        }
        if !self.body.is_empty() {
            head.push_str("<noscript><meta http-equiv=\"refresh\" content=\"30\"></noscript>");
        }
        head
    }
}
