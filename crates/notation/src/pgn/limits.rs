//! How much the reader takes. Real files stay far below; what goes beyond is damage or malice, and
//! the error says so.

/// Longest tag value in bytes of UTF-8.
pub const MAX_TAG_VALUE_BYTES: usize = 4 * 1024;
/// Most tags of one game besides the roster.
pub const MAX_TAGS: usize = 256;
/// Longest comment in bytes of UTF-8.
pub const MAX_COMMENT_BYTES: usize = 64 * 1024;
/// Most moves of one game, variations included. The longest game that the rules allow has under
/// 12,000 plies; the rest is room for analysis.
pub const MAX_PLIES: usize = 100_000;
/// How deep variations may be nested.
pub const MAX_DEPTH: usize = 128;
