//! Time controls of both sides: the same, or one for each as in Armageddon. Forms: PGN, and code 222 of TRF26.

use std::fmt;

use notation::time_control::{TimeControl, TimeControlError};

/// Time controls in the form of PGN; both sides have the same one except in Armageddon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeControls {
    /// White's; none when unknown.
    pub white: Option<String>,
    /// Black's.
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

    /// Whether both are unknown.
    pub fn is_unknown(&self) -> bool {
        self.white.is_none() && self.black.is_none()
    }

    /// The time control of both sides, if it is the same.
    pub fn common(&self) -> Option<&str> {
        self.white.as_deref().filter(|_| self.white == self.black)
    }

    /// Both in normal form; when only one is known, it applies to both.
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
    /// In the form of TRF26; `?` when unknown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |control: &Option<String>| control.clone().unwrap_or_else(|| "?".into());
        match self.common() {
            Some(control) => f.write_str(control),
            None if self.is_unknown() => f.write_str("?"),
            None => write!(f, "W{}-B{}", said(&self.white), said(&self.black)),
        }
    }
}
