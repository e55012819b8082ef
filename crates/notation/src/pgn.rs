//! Games as Portable Game Notation.
//!
//! [`read_games`] and [`Reader`] read what real programs write, [`write_game`] writes the standard's export format.
//! Both share [`Game`]: tags, moves with their annotations, the outcome. [`Reader::check_moves`] checks legality while
//! reading, [`normalise`] checks a game in memory.
//!
//! Reading has three layers: the lexer splits bytes into tokens, the parser builds one game, the reader goes through a
//! stream of games.
//!
//! ```
//! use notation::pgn::{Outcome, read_games, write_game};
//!
//! let text = "[White \"Adler, Ida\"]\n\n1.e4 {[%clk 01:30:25]} e5 ½-½";
//! for game in read_games(text) {
//!     let game = game?;
//!     assert_eq!(game.tags.get("White"), Some("Adler, Ida"));
//!     let clocks: Vec<_> = game.line().map(|ply| ply.times().clk_ms).collect();
//!     assert_eq!(clocks, [Some(5_425_000), None]);
//!     assert_eq!(game.outcome, Outcome::Draw);
//!     assert!(write_game(&game).ends_with("\n\n1. e4 {[%clk 1:30:25]} 1... e5 1/2-1/2\n\n"));
//! }
//! # Ok::<(), notation::pgn::PgnError>(())
//! ```

mod characters;
mod error;
mod findings;
mod game;
mod kind;
mod lexer;
mod limits;
mod outcome;
mod parser;
mod positions;
mod reader;
mod reduce;
mod rules;
mod tags;
mod write;

pub use error::{MoveNumber, PgnError, Reason};
pub use findings::{Finding, Termination, UnknownTermination, differing_results, findings, repair_tags};
pub use game::{Element, Game, Ply};
pub use kind::Kind;
pub use limits::{MAX_COMMENT_BYTES, MAX_GAME_BYTES, MAX_PLIES, MAX_TAG_VALUE_BYTES, MAX_TAGS};
pub use outcome::{Outcome, plain_result};
pub use positions::{PlayError, game_positions, is_chess960};
pub use reader::{Games, Reader, read_games};
pub use reduce::reduce;
pub use rules::{RulesError, normalise};
pub use tags::{Tags, is_tag_name};
pub use write::{write_game, write_movetext, write_tags};

pub(crate) use positions::start_position;
pub(crate) use tags::ROSTER;
