//! Who plays: what is known of persons, apart from everything that is recorded for ever.
//!
//! Facts name players by number only; what a person is called lies here, so that it can be removed (invariant 8). Birth
//! dates and sex have no place. Must not know rounds or games.

use std::fmt;

use serde::{Deserialize, Serialize};

use pairings::player::{self, Player};

/// Most versions of a person that are kept for taking a change back.
const KEPT_VERSIONS: usize = 8;

/// Longest name of a person or a team, in characters.
pub const MAX_NAME: usize = 120;

/// A player of one section; never used for another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlayerId(pub u32);

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What the public may see of a player, in all rounds and in every output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Display {
    /// Name, title, rating, federation, FIDE id, team.
    #[default]
    Full,
    /// The initials of the name.
    Initials,
    /// The starting number.
    Number,
    /// Nothing.
    Hidden,
}

/// What is known of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Person {
    /// As FIDE writes it: `Last, First`.
    pub name: String,
    /// `GM`, `IM`, `FM`, `CM` or the women's of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// 1 to 4000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<u32>,
    /// FIDE's code of the federation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub federation: Option<String>,
    /// FIDE id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fide_id: Option<u32>,
    /// The team's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
}

impl Person {
    /// What a file of pairings says of a player.
    pub fn of(player: &Player) -> Self {
        Self {
            name: player.name.clone(),
            title: player.title.map(Into::into),
            rating: player.rating,
            federation: player.federation.clone(),
            fide_id: player.fide_id,
            team: player.team.clone(),
        }
    }

    /// The person as pairings write a player of this starting number.
    pub fn player(&self, number: Option<u32>) -> Player {
        Player {
            number,
            name: self.name.clone(),
            title: self.title.as_deref().and_then(player::title),
            rating: self.rating,
            federation: self.federation.clone(),
            fide_id: self.fide_id,
            team: self.team.clone(),
            points: None,
        }
    }

    /// The person with everything in its usual form.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn checked(&self) -> Result<Self, String> {
        let name = player::name(&self.name);
        if player::is_nobody(&name) || player::is_bye(&name) {
            return Err(format!("«{}» is no player's name: write «Last, First»", shortened(&self.name)));
        }
        let team = self.team.as_deref().map(player::name).filter(|team| !team.is_empty());
        for text in [Some(&name), team.as_ref()].into_iter().flatten() {
            if text.chars().count() > MAX_NAME || text.chars().any(char::is_control) {
                return Err(format!(
                    "«{}» is longer than {MAX_NAME} characters or has signs that no name has",
                    shortened(text)
                ));
            }
        }
        let title = self.title.as_deref().filter(|title| !title.trim().is_empty()).map(|title| {
            player::title(title).map(Into::into).ok_or_else(|| format!("«{}» is no title of FIDE", shortened(title)))
        });
        let federation = self.federation.as_deref().filter(|code| !code.trim().is_empty()).map(|code| {
            player::federation(code).ok_or_else(|| format!("«{}» is no federation's code of FIDE", shortened(code)))
        });
        if self.rating.is_some_and(|rating| !player::RATINGS.contains(&rating)) {
            return Err("a rating is between 1 and 4000".into());
        }
        Ok(Self {
            name,
            title: title.transpose()?,
            rating: self.rating,
            federation: federation.transpose()?,
            fide_id: self.fide_id.filter(|id| *id > 0),
            team,
        })
    }

    /// The first letters of the names, `C., M.` for `Carlsen, Magnus`.
    pub fn initials(&self) -> String {
        let initials = |words: &str| {
            let letters =
                words.split_whitespace().filter_map(|word| word.chars().find(|letter| letter.is_alphabetic()));
            letters.map(|letter| format!("{}.", letter.to_uppercase())).collect::<Vec<_>>().join(" ")
        };
        let parts: Vec<_> = self.name.split(',').map(initials).filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { "?".into() } else { parts.join(", ") }
    }
}

fn shortened(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(40).collect()
}

/// A person with what was known before, so that a change can be taken back. One row of the table of persons.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonRecord {
    /// Now.
    pub person: Person,
    /// Before, latest last.
    #[serde(default)]
    pub earlier: Vec<Person>,
}

impl PersonRecord {
    /// Of a person who is new.
    pub fn new(person: Person) -> Self {
        Self { person, earlier: Vec::new() }
    }

    /// The person changed.
    #[must_use]
    pub fn changed(&self, person: Person) -> Self {
        let mut earlier = self.earlier.clone();
        earlier.push(self.person.clone());
        if earlier.len() > KEPT_VERSIONS {
            earlier.remove(0);
        }
        Self { person, earlier }
    }

    /// The last change taken back; none without one.
    pub fn restored(&self) -> Option<Self> {
        let mut earlier = self.earlier.clone();
        let person = earlier.pop()?;
        Some(Self { person, earlier })
    }
}
