//! Tables for display: piece letters of other languages, figurines, country codes.
//!
//! For local display only (PGN standard, 17): files keep the English letters.

mod country;
mod pieces;

pub use country::{Country, is_fide_federation};
pub use pieces::{Language, figurines};
