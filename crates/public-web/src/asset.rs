//! The files of the pages, as this build embeds them.

use std::borrow::Cow;

/// One file of the pages, ready to be sent.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Value of `Content-Type`.
    pub content_type: &'static str,
    /// Strong `ETag`, with its quotes: a digest of the bytes.
    pub etag: String,
    /// Value of `Cache-Control`.
    pub cache_control: &'static str,
    /// The file.
    pub bytes: Cow<'static, [u8]>,
    /// The file compressed with Brotli, if that was done at build time.
    pub brotli: Option<Cow<'static, [u8]>>,
    /// The same with gzip.
    pub gzip: Option<Cow<'static, [u8]>>,
}

/// Finds the file for a path; pages that have their own routes give their entry.
pub type Pages = fn(&str) -> Option<Asset>;
