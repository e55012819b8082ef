//! How notation is shown to people: piece letters of other languages, figurines, and the country
//! codes of the standard.
//!
//! Knows tables. For local display only (PGN standard, 17): files keep the English letters.

mod country;
mod pieces;

pub use country::{COUNTRIES, Country, is_fide_federation};
pub use pieces::{Language, figurines};
