//! A list of players with an index, so that a player is found under another spelling without comparing all of them.

use std::collections::BTreeMap;

use super::player::{Player, folded};

/// A list of players, each person once.
#[derive(Default)]
pub struct Roster {
    players: Vec<Player>,
    by_id: BTreeMap<u32, usize>,
    by_name: BTreeMap<String, Vec<usize>>,
}

impl Roster {
    /// The player's index, if listed.
    pub fn find(&self, player: &Player) -> Option<usize> {
        let by_id = player.fide_id.and_then(|id| self.by_id.get(&id).copied());
        by_id.or_else(|| {
            let named = self.by_name.get(&folded(&player.name))?;
            named
                .iter()
                .copied()
                .find(|place| self.players.get(*place).is_some_and(|listed| !listed.contradicts(player)))
        })
    }

    /// Adds a player, or completes the listed one; gives the index.
    pub fn add(&mut self, player: &Player) -> usize {
        let place = self.find(player).unwrap_or_else(|| {
            self.by_name.entry(folded(&player.name)).or_default().push(self.players.len());
            self.players.push(player.clone());
            self.players.len() - 1
        });
        if let Some(listed) = self.players.get_mut(place) {
            listed.complete(player);
            if let Some(id) = listed.fide_id {
                self.by_id.entry(id).or_insert(place);
            }
        }
        place
    }

    /// The player at an index.
    pub(crate) fn get(&self, place: usize) -> Option<&Player> {
        self.players.get(place)
    }

    /// All players in the order in which they were added.
    pub(crate) fn into_players(self) -> Vec<Player> {
        self.players
    }
}
