//! The time that both sides have: the same, or one for each colour as in Armageddon.
//!
//! Knows PGN's form and TRF26's code 222 (pairings paper, 2). Must not know clocks.

use std::fmt;

use notation::time_control::{TimeControl, TimeControlError};
use serde::{Deserialize, Serialize};

/// Time controls in PGN form; both sides have the same except in Armageddon.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeControls {
    /// White's; none when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// Black's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
}

impl TimeControls {
    /// The same for both sides.
    pub fn same(control: impl Into<String>) -> Self {
        let control = control.into();
        Self { white: Some(control.clone()), black: Some(control) }
    }

    /// Reads `5400+30` for both sides or `W300-B240` for each.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(code: &str) -> Result<Self, TimeControlError> {
        match code.strip_prefix('W').and_then(|code| code.split_once("-B")) {
            Some((white, black)) => Self { white: Some(white.into()), black: Some(black.into()) }.checked(),
            None => Self::same(code).checked(),
        }
    }

    /// Whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        self.white.is_none() && self.black.is_none()
    }

    /// That of both sides, if it is the same.
    pub fn common(&self) -> Option<&str> {
        self.white.as_deref().filter(|_| self.white == self.black)
    }

    /// With both in the usual form; one alone is that of both.
    ///
    /// # Errors
    /// When one is not in PGN's form.
    pub fn checked(&self) -> Result<Self, TimeControlError> {
        let usual = |text: &Option<String>| -> Result<Option<String>, TimeControlError> {
            let control = text.as_deref().map(str::parse::<TimeControl>).transpose()?;
            Ok(control.filter(|control| *control != TimeControl::Unknown).map(|control| control.to_string()))
        };
        let (white, black) = (usual(&self.white)?, usual(&self.black)?);
        Ok(Self { white: white.clone().or_else(|| black.clone()), black: black.or(white) })
    }
}

impl fmt::Display for TimeControls {
    /// As TRF26 writes it; `?` when nothing is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |control: &Option<String>| control.clone().unwrap_or_else(|| "?".into());
        match self.common() {
            Some(control) => f.write_str(control),
            None if self.is_unknown() => f.write_str("?"),
            None => write!(f, "W{}-B{}", said(&self.white), said(&self.black)),
        }
    }
}
