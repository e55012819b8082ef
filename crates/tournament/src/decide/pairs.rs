//! Orders about single pairings: two players paired, unpaired or exchanged by hand.

use std::sync::Arc;

use super::Work;
use crate::correction_text::CorrectionText;
use crate::fact::Fact;
use crate::note::Note;
use crate::person::PlayerId;
use crate::refusal::{Conflict, Invalid, Question, Refusal};
use crate::round::{Pair, Pairing, PairingState, Round, RoundSettings};
use crate::undo::{Undo, written};
use pairings::model::{ByeKind, MAX_ROUND, MAX_TABLE};

impl Work<'_> {
    pub(super) fn pair(
        &mut self,
        slug: &str,
        number: u32,
        at: Option<u32>,
        [white, black]: [PlayerId; 2],
        boardless: bool,
    ) -> Result<(), Refusal> {
        let section = self.section(slug)?;
        if section.settings.open_play {
            return Err(Conflict::NoPairsInOpenPlay { section: section.settings.name.clone() }.into());
        }
        if !(1..=MAX_ROUND).contains(&number) {
            return Err(Invalid::RoundNumber { most: MAX_ROUND }.into());
        }
        let slug = Arc::clone(&section.slug);
        if !section.rounds.contains_key(&number) {
            let settings = RoundSettings::default();
            self.fact(Fact::RoundSet { section: Arc::clone(&slug), round: number, settings });
        }
        self.seats_for(&slug, number, None, [Some(white), Some(black)])?;
        let (_, round) = self.round(&slug, number)?;
        let free = round.games.iter().map(|game| game.pair.number).max().map_or(1, |last| last.saturating_add(1));
        let place = at.unwrap_or(free);
        if !(1..=MAX_TABLE).contains(&place) {
            return Err(Invalid::BoardNumber { most: MAX_TABLE }.into());
        }
        if let Some(other) = round.games.iter().find(|game| game.pair.number == place) {
            let game = self.hall.game_text(&other.id);
            return Err(Conflict::PlaceTaken { number: place, round: number, game }.into());
        }
        let pair = Pair { number: place, boardless, white: Some(white), black: Some(black), ..Pair::default() };
        let again = self.taken_out(&slug, number).find([Some(white), Some(black)]);
        let game = again.as_ref().map_or_else(|| self.new_id(&slug, number, place), |again| Arc::clone(&again.id));
        self.fact(Fact::Paired { section: slug, round: number, game: Arc::clone(&game), pair });
        if let Some(again) = again {
            if self.has_moves(&again) && again.pair.white != Some(white) {
                self.ask(Question::OtherColours { game: self.hall.game_text(&again.id) });
            }
            self.is_back(&again)?;
        }
        Ok(())
    }

    pub(super) fn unpair(&mut self, game: &str) -> Result<(), Refusal> {
        let found = self.found(game)?;
        let (id, begun) = (Arc::clone(&found.game.id), found.game.has_begun());
        if begun || found.game.result.is_some() {
            self.ask(Question::GameBegun { game: found.text() });
        }
        self.fact(Fact::Unpaired { game: id });
        Ok(())
    }

    pub(super) fn set_bye(
        &mut self,
        slug: &str,
        number: u32,
        player: PlayerId,
        kind: Option<ByeKind>,
    ) -> Result<(), Refusal> {
        self.player_of(slug, player)?;
        let (section, round) = self.round(slug, number)?;
        if let Some(board) = kind.and_then(|_| board_of(round, player)) {
            return Err(Conflict::PairedAlready { player: self.named(player), number: board }.into());
        }
        if round.byes.get(&player).copied() != kind {
            let section = Arc::clone(&section.slug);
            self.fact(Fact::ByeSet { section, round: number, player, kind });
        }
        Ok(())
    }

    pub(super) fn set_players(&mut self, game: &str, players: [Option<PlayerId>; 2]) -> Result<(), Refusal> {
        let found = self.found(game)?;
        let (section, round) = (Arc::clone(&found.section.slug), found.round.number);
        let (id, before) = (Arc::clone(&found.game.id), found.game.pair.clone());
        let [white, black] = players;
        if (before.white, before.black) == (white, black) {
            return Ok(());
        }
        self.seats_for(&section, round, Some(&id), players)?;
        let pair = Pair { white, black, ..before.clone() };
        self.fact(Fact::Paired { section, round, game: Arc::clone(&id), pair });
        let undo = Undo::Players { game: Arc::clone(&id), white: before.white, black: before.black };
        self.corrected(CorrectionText::Players { game: self.hall.game_text(&id) }, Some(id), Some(undo));
        Ok(())
    }

    pub(super) fn exchange_players(
        &mut self,
        slug: &str,
        number: u32,
        one: PlayerId,
        other: PlayerId,
    ) -> Result<(), Refusal> {
        if one == other {
            return Err(Invalid::SamePlayer.into());
        }
        for player in [one, other] {
            self.player_of(slug, player)?;
        }
        let (section, round) = self.round(slug, number)?;
        for player in [one, other] {
            if round.byes.contains_key(&player) {
                return Err(Conflict::HasBye { player: self.named(player), round: number }.into());
            }
        }
        let exchanged = |player: Option<PlayerId>| match player {
            Some(player) if player == one => Some(other),
            Some(player) if player == other => Some(one),
            player => player,
        };
        let section = Arc::clone(&section.slug);
        let games = round.games.iter().filter(|game| game.has(one) || game.has(other));
        let seats: Vec<_> = games
            .map(|game| {
                let (white, black) = (exchanged(game.pair.white), exchanged(game.pair.black));
                (Arc::clone(&game.id), Pair { white, black, ..game.pair.clone() })
            })
            .collect();
        if seats.is_empty() {
            let players = format!("{}, {}", self.named(one), self.named(other));
            return Err(Conflict::NeitherPaired { players, round: number }.into());
        }
        for (game, pair) in seats {
            self.fact(Fact::Paired { section: Arc::clone(&section), round: number, game, pair });
        }
        let what =
            CorrectionText::Exchanged { section: section.to_string(), round: number, one: one.0, other: other.0 };
        self.corrected(what, None, Some(Undo::Exchanged { section, round: number, one, other }));
        Ok(())
    }

    /// Checks that two players can sit at a board: two different players of the section, without a bye. Asks about a player
    /// who sits at another board of the round.
    fn seats_for(
        &mut self,
        slug: &str,
        number: u32,
        except: Option<&str>,
        players: [Option<PlayerId>; 2],
    ) -> Result<(), Refusal> {
        let [white, black] = players;
        if white.is_some() && white == black {
            return Err(Invalid::SamePlayer.into());
        }
        let mut questions = Vec::new();
        for player in players.into_iter().flatten() {
            self.player_of(slug, player)?;
            let (section, round) = self.round(slug, number)?;
            if round.byes.contains_key(&player) {
                return Err(Conflict::HasBye { player: self.named(player), round: number }.into());
            }
            let mut others = round.games.iter().filter(|game| Some(&*game.id) != except && game.has(player));
            if let Some(other) = others.next().filter(|_| !section.settings.simultaneous) {
                let (player, number) = (self.named(player), other.pair.number);
                questions.push(Question::OnAnotherBoard { player, number });
            }
        }
        for question in questions {
            self.ask(question);
        }
        Ok(())
    }

    /// The pairs that were taken out of a round, but those whose game became that of another pair.
    pub(super) fn taken_out(&self, slug: &str, number: u32) -> TakenOut {
        let round = self.hall.round(slug, number);
        let adopted =
            |game: &&Pairing| self.hall.unassigned.get(&game.id).is_some_and(|apart| apart.adopted_as.is_some());
        TakenOut(round.into_iter().flat_map(|round| &round.taken_out).filter(|game| !adopted(game)).cloned().collect())
    }

    /// A pair is back in its round: says what its game brings with it, and catches up with what its board did meanwhile.
    pub(super) fn is_back(&mut self, before: &Pairing) -> Result<(), Refusal> {
        let game = self.found(&before.id)?.game;
        let (id, state) = (Arc::clone(&game.id), game.state);
        let played = self.games.game(&id).filter(|_| game.has_begun());
        let plies = played.as_ref().map_or(0, |played| played.moves().len());
        if plies > 0 || before.result.is_some() {
            let (game, result) = (self.hall.game_text(&id), written(before.result));
            self.note(Note::GameBack { game, moves: plies, result });
        }
        if state == PairingState::Playing && played.is_some_and(|played| played.ended()) {
            self.fact(Fact::ResultMissing { game: id });
        }
        Ok(())
    }

    /// An id that no game ever had.
    pub(super) fn new_id(&self, slug: &str, round: u32, number: u32) -> Arc<str> {
        let plain = format!("{slug}-{round}-{number}");
        let again = (2..=u32::MAX).map(|count| format!("{plain}x{count}"));
        let free = std::iter::once(plain.clone()).chain(again).find(|id| !self.hall.knows_id(id));
        free.unwrap_or(plain).into()
    }
}

/// Pairs that were taken out of a round, each of which can come back once.
pub(super) struct TakenOut(Vec<Pairing>);

impl TakenOut {
    /// The game of these two with either colours: a played one first, and the later of two.
    pub(super) fn find(&mut self, players: [Option<PlayerId>; 2]) -> Option<Pairing> {
        let same = |game: &Pairing| pair_key([game.pair.white, game.pair.black]) == pair_key(players);
        let games = self.0.iter().enumerate().filter(|(_, game)| same(game));
        let (place, _) = games.max_by_key(|(_, game)| game.has_begun() || game.result.is_some())?;
        Some(self.0.remove(place))
    }
}

/// Two players without regard to colour.
pub(super) fn pair_key([white, black]: [Option<PlayerId>; 2]) -> [Option<PlayerId>; 2] {
    if white <= black { [white, black] } else { [black, white] }
}

/// The board at which a player sits.
fn board_of(round: &Round, player: PlayerId) -> Option<u32> {
    round.games.iter().find(|game| game.has(player)).map(|game| game.pair.number)
}
