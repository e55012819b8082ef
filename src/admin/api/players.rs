//! Players and the persons behind them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::same_variants;

/// The number of a player of one section; it is never given to another player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub(crate) struct PlayerId(pub(crate) u32);

/// What the public can see of a player, in all rounds and all outputs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Display {
    /// Name, title, rating, federation, FIDE id, team.
    Full,
    /// The initials of the name.
    Initials,
    /// The starting number.
    Number,
    /// Nothing.
    Hidden,
}

/// The facts about a person.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Person {
    /// Name in the form of FIDE: `Last, First`.
    pub(crate) name: String,
    /// `GM`, `IM`, `FM`, `CM` or the women's of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// 1 to 4000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rating: Option<u32>,
    /// Federation code of FIDE.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) federation: Option<String>,
    /// FIDE id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fide_id: Option<u32>,
    /// The team's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) team: Option<String>,
}

/// The facts about a player that are recorded without the person.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayerFacts {
    /// Starting number.
    pub(crate) number: Option<u32>,
    /// What the public can see.
    pub(crate) display: Display,
    /// Whether the person was removed.
    pub(crate) forgotten: bool,
}

/// A player.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayerLine {
    /// The number of the player, for orders.
    pub(crate) player: PlayerId,
    /// Facts about the player.
    pub(crate) facts: PlayerFacts,
    /// The person; none after it was removed.
    pub(crate) person: Option<Person>,
}

impl From<PlayerId> for tournament::PlayerId {
    fn from(PlayerId(id): PlayerId) -> Self {
        Self(id)
    }
}

impl From<tournament::PlayerId> for PlayerId {
    fn from(tournament::PlayerId(id): tournament::PlayerId) -> Self {
        Self(id)
    }
}

same_variants!(Display, tournament::Display, Full, Initials, Number, Hidden);

impl From<Person> for tournament::Person {
    fn from(Person { name, title, rating, federation, fide_id, team }: Person) -> Self {
        Self { name, title, rating, federation, fide_id, team }
    }
}

impl From<tournament::Person> for Person {
    fn from(person: tournament::Person) -> Self {
        let tournament::Person { name, title, rating, federation, fide_id, team } = person;
        Self { name, title, rating, federation, fide_id, team }
    }
}

impl From<tournament::PlayerFacts> for PlayerFacts {
    fn from(tournament::PlayerFacts { number, display, forgotten }: tournament::PlayerFacts) -> Self {
        Self { number, display: display.into(), forgotten }
    }
}
