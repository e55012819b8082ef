//! Values as text: enumerations as one word each, scores and time controls as tables write them.

use game_core::event::{Evidence, Variant};
use game_core::input::{DoubtRule, ResultRule};
use pairings::model::ByeKind;
use pairings::score::{Kind, Points, Score};
use pairings::time_controls::TimeControls;
use serde::{Deserialize, Serialize};
use tournament::{Display, RoundState};

use super::FormError;

/// An enumeration without data that is stored as one word each.
pub(super) trait Word: Sized {
    /// What it is, for messages.
    const WHAT: &'static str;

    /// The stored word.
    fn word(&self) -> &'static str;

    /// What a stored word means; none for a word of a newer version.
    fn of_word(word: &str) -> Option<Self>;

    /// What a stored word means.
    ///
    /// # Errors
    /// [`FormError::Newer`] for an unknown word.
    fn read(word: &str) -> Result<Self, FormError> {
        Self::of_word(word).ok_or_else(|| FormError::Newer(format!("{} \"{word}\"", Self::WHAT)))
    }
}

/// A word for each variant. A new variant of the domain does not compile until it has one.
macro_rules! words {
    ($type:ty, $what:literal: $($variant:ident $word:literal),+) => {
        impl Word for $type {
            const WHAT: &'static str = $what;

            fn word(&self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            fn of_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

words!(RoundState, "state of a round":
    Prepared "prepared", Published "published", Armed "armed", Running "running", Finished "finished");
words!(Display, "display of a player":
    Full "full", Initials "initials", Number "number", Hidden "hidden");
words!(ByeKind, "bye":
    Pairing "pairing", Full "full", Half "half", Zero "zero");
words!(Variant, "variant":
    Standard "standard", Chess960 "chess960");
words!(ResultRule, "rule for results":
    Shown "shown", ByRules "by_rules", Confirmed "confirmed");
words!(DoubtRule, "rule for doubts":
    Likely "likely", Confirmed "confirmed");
words!(Evidence, "evidence":
    Lever "lever", Reply "reply", Quiet "quiet", Dump "dump", Log "log", Clock "clock", Rules "rules",
    StartPosition "start_position", Command "command");
words!(Points, "points":
    Zero "zero", Half "half", One "one");
words!(Kind, "kind of result":
    Played "played", Unrated "unrated", Forfeit "forfeit");

/// A result: `1-0`, `1/2-1/2`; with ` unrated` after it when the game was too short to be rated; a forfeit `+ - -`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum StoredScore {
    /// Since version 2.
    Text(String),
    /// Version 1: a word for each side and one for how it came about.
    Words { white: String, black: String, kind: String },
}

const FORFEIT_BETWEEN: &str = " - ";
const UNRATED: &str = " unrated";

impl From<Score> for StoredScore {
    fn from(score: Score) -> Self {
        let sign = |points| match (score.kind, points) {
            (Kind::Forfeit, Points::One) => "+",
            (Kind::Forfeit, Points::Half) => "=",
            (Kind::Forfeit, Points::Zero) => "-",
            (_, Points::One) => "1",
            (_, Points::Half) => "1/2",
            (_, Points::Zero) => "0",
        };
        let (between, end) = match score.kind {
            Kind::Played => ("-", ""),
            Kind::Unrated => ("-", UNRATED),
            Kind::Forfeit => (FORFEIT_BETWEEN, ""),
        };
        Self::Text(format!("{}{between}{}{end}", sign(score.white), sign(score.black)))
    }
}

impl TryFrom<StoredScore> for Score {
    type Error = FormError;

    fn try_from(stored: StoredScore) -> Result<Self, FormError> {
        let text = match stored {
            StoredScore::Text(text) => text,
            StoredScore::Words { white, black, kind } => {
                return Ok(Self { white: Word::read(&white)?, black: Word::read(&black)?, kind: Word::read(&kind)? });
            }
        };
        let unknown = || FormError::Newer(format!("result \"{text}\""));
        let (plain, kind) = match text.strip_suffix(UNRATED) {
            Some(plain) => (plain, Kind::Unrated),
            None if text.contains(FORFEIT_BETWEEN) => (&*text, Kind::Forfeit),
            None => (&*text, Kind::Played),
        };
        let between = if kind == Kind::Forfeit { FORFEIT_BETWEEN } else { "-" };
        let points = |sign| match (kind, sign) {
            (Kind::Forfeit, "+") | (Kind::Played | Kind::Unrated, "1") => Ok(Points::One),
            (Kind::Forfeit, "=") | (Kind::Played | Kind::Unrated, "1/2") => Ok(Points::Half),
            (Kind::Forfeit, "-") | (Kind::Played | Kind::Unrated, "0") => Ok(Points::Zero),
            _ => Err(unknown()),
        };
        let (white, black) = plain.split_once(between).ok_or_else(unknown)?;
        Ok(Self { white: points(white)?, black: points(black)?, kind })
    }
}

/// Time controls in PGN form: `5400+30` for both sides, `W300-B240` for each; `?` for one that is unknown.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum StoredTimeControls {
    /// Since version 2.
    Text(String),
    /// Version 1: each side's.
    Sides {
        #[serde(default)]
        white: Option<String>,
        #[serde(default)]
        black: Option<String>,
    },
}

const UNKNOWN: &str = "?";

impl StoredTimeControls {
    /// None when nothing is known: then nothing is stored.
    pub(super) fn of(controls: &TimeControls) -> Option<Self> {
        let TimeControls { white, black } = controls;
        let side = |control: &Option<String>| control.clone().unwrap_or_else(|| UNKNOWN.into());
        if white.is_none() && black.is_none() {
            return None;
        }
        let text = if white == black { side(white) } else { format!("W{}-B{}", side(white), side(black)) };
        Some(Self::Text(text))
    }
}

impl From<StoredTimeControls> for TimeControls {
    fn from(stored: StoredTimeControls) -> Self {
        let side = |text: &str| Some(text.to_owned()).filter(|text| text != UNKNOWN);
        match stored {
            StoredTimeControls::Sides { white, black } => Self { white, black },
            StoredTimeControls::Text(text) => match text.strip_prefix('W').and_then(|text| text.split_once("-B")) {
                Some((white, black)) => Self { white: side(white), black: side(black) },
                None => Self { white: side(&text), black: side(&text) },
            },
        }
    }
}
