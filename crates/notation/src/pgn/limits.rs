//! Limits of the reader, far above real files; a game that exceeds one yields an error.

/// Longest tag value in bytes.
pub const MAX_TAG_VALUE_BYTES: usize = 4 * 1024;
/// Most tags of one game besides the roster.
pub const MAX_TAGS: usize = 256;
/// Longest comment in bytes.
pub const MAX_COMMENT_BYTES: usize = 64 * 1024;
/// Most moves of one game, variations included; this also limits the nesting of variations. The longest game that the
/// rules allow has fewer than 12,000 plies; the rest is room for analysis.
pub const MAX_PLIES: usize = 100_000;
/// Longest game in bytes, and so the most that a reader of a stream buffers.
pub const MAX_GAME_BYTES: usize = 4 * 1024 * 1024;
