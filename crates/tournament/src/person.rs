//! Persons: names and FIDE facts of players.
//!
//! Facts of the hall have players by number only; names are here, so that they can be removed (docs/contracts.md, 1.8).
//! Birth dates and sex are not kept. Must not know rounds or games.

use std::fmt;

use pairings::player::{self, Player};

use crate::refusal::Invalid;

/// Most earlier versions of a person that are kept for undo.
const KEPT_VERSIONS: usize = 8;

/// The number of a player of one section, never used again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(pub u32);

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What the public may see of a player, in all rounds and in every output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// The facts about a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// As FIDE writes it: `Last, First`.
    pub name: String,
    /// `GM`, `IM`, `FM`, `CM` or the women's of these.
    pub title: Option<String>,
    /// 1 to 4000.
    pub rating: Option<u32>,
    /// FIDE's code of the federation.
    pub federation: Option<String>,
    /// FIDE id.
    pub fide_id: Option<u32>,
    /// The team's name.
    pub team: Option<String>,
}

impl Person {
    /// A player of a pairing file.
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

    /// The person as a player of a pairing file, with this starting number.
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

    /// The person with all facts in their usual form.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn checked(&self) -> Result<Self, Invalid> {
        let name = player::name(&self.name);
        if player::is_nobody(&name) || player::is_bye(&name) {
            return Err(Invalid::NotAName { name: shortened(&self.name) });
        }
        let team = self.team.as_deref().map(player::name).filter(|team| !team.is_empty());
        for text in [Some(&name), team.as_ref()].into_iter().flatten() {
            if !player::fits(text) {
                return Err(Invalid::NameLong { name: shortened(text), most: player::MAX_NAME });
            }
        }
        let title = self.title.as_deref().filter(|title| !title.trim().is_empty()).map(|title| {
            player::title(title).map(Into::into).ok_or_else(|| Invalid::NotATitle { title: shortened(title) })
        });
        let federation = self.federation.as_deref().filter(|code| !code.trim().is_empty()).map(|code| {
            player::federation(code).ok_or_else(|| Invalid::NotAFederation { federation: shortened(code) })
        });
        if self.rating.is_some_and(|rating| !player::RATINGS.contains(&rating)) {
            return Err(Invalid::Rating);
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

/// A person with earlier versions, so that a change can be undone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonRecord {
    /// The present version.
    pub person: Person,
    /// Earlier versions, latest last.
    pub earlier: Vec<Person>,
}

impl PersonRecord {
    /// For a new person.
    pub fn new(person: Person) -> Self {
        Self { person, earlier: Vec::new() }
    }

    /// With a new present version.
    #[must_use]
    pub fn changed(&self, person: Person) -> Self {
        let mut earlier = self.earlier.clone();
        earlier.push(self.person.clone());
        if earlier.len() > KEPT_VERSIONS {
            earlier.remove(0);
        }
        Self { person, earlier }
    }

    /// With the last earlier version as the present one; none without one.
    pub fn restored(&self) -> Option<Self> {
        let mut earlier = self.earlier.clone();
        let person = earlier.pop()?;
        Some(Self { person, earlier })
    }
}
