//! How much the reader takes. Real files stay far below; what goes beyond is damage or malice, and the error says so.

/// Longest tag value in bytes.
pub const MAX_TAG_VALUE_BYTES: usize = 4 * 1024;
/// Most tags of one game besides the roster.
pub const MAX_TAGS: usize = 256;
/// Longest comment in bytes.
pub const MAX_COMMENT_BYTES: usize = 64 * 1024;
/// Most moves of one game, variations included; so deep at most are variations nested. The longest game that the rules
/// allow has under 12,000 plies; the rest is room for analysis.
pub const MAX_PLIES: usize = 100_000;
/// Longest game in bytes: what a reader of a stream keeps in memory at most.
pub const MAX_GAME_BYTES: usize = 4 * 1024 * 1024;
