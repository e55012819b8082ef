//! What is kept of a game that is over: the moves, without what is counted of the positions between them.
//!
//! A hall of an event has hundreds of such games in memory, and nothing asks for these counts.

use super::{Counts, Game};
impl Game {
    /// Drops the counts of a game that is over; counts again when the game goes on.
    pub(super) fn keep_what_is_needed(&mut self) {
        if self.is_running() {
            return self.restore_counts();
        }
        self.counts = Vec::new();
        self.moves.shrink_to_fit();
        self.gaps.shrink_to_fit();
    }

    /// Counts again unless all counts are there.
    pub(super) fn restore_counts(&mut self) {
        if self.counts.len() == self.moves.len() + 1 {
            return;
        }
        let positions = self.positions();
        self.counts = positions.iter().take(1).map(Counts::of).collect();
        for position in positions.iter().skip(1) {
            self.count(position);
        }
    }
}

#[cfg(test)]
mod tests {
    use notation::pgn::{Outcome, write_game};
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::event::Event;
    use crate::game::{Edit, EnteredMove};
    use crate::line::fen_of;

    /// Knights go out and back, so that positions occur again.
    const KNIGHTS: [(&str, &str); 4] = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];

    fn play(game: &mut Game, plies: usize) {
        for _ in 0..plies {
            let ply = game.moves().len();
            let (san, uci) = KNIGHTS[ply % KNIGHTS.len()];
            let clk_ms = Some(90_000 - ply as u64);
            let event = Event::Move { ply: ply as u32 + 1, san: san.into(), uci: uci.into(), clk_ms, emt_ms: None };
            assert!(game.apply(&event), "{event:?}");
        }
    }

    fn result(game: &mut Game, result: Outcome) {
        assert!(game.apply(&Event::Result { result, reason: "agreement".into() }));
    }

    /// What is told of a game, and what it knows of its positions.
    fn told(game: &Game) -> (String, String, Vec<String>, Vec<Counts>) {
        let positions = game.positions().iter().map(fen_of).collect();
        (write_game(&game.to_pgn()), fen_of(game.position()), positions, game.counts().to_vec())
    }

    #[test]
    fn a_game_that_is_over_keeps_its_moves_and_the_last_position() {
        let mut game = Game::new();
        play(&mut game, 85);
        let (_, last, ..) = told(&game);
        result(&mut game, Outcome::Draw);
        assert!(game.apply(&Event::GameEnded));
        assert_eq!((game.moves().len(), game.moves.capacity()), (85, 85));
        assert_eq!(game.counts.capacity(), 0);
        assert_eq!((fen_of(game.position()), game.fen_shown()), (last.clone(), &*last));
    }

    #[test]
    fn a_game_that_goes_on_is_as_if_it_had_never_been_over() {
        // A game of which moves went unseen after ply 9.
        let begin = |plies: usize| {
            let mut game = Game::new();
            play(&mut game, 9);
            let mut unseen: Chess = game.position().clone();
            for mv in ["b8c6", "b1c3"] {
                unseen = crate::game::played(&unseen, mv).unwrap();
            }
            assert!(unseen.turn().is_black());
            assert!(game.apply(&Event::Gap { after_ply: 9, fen: Some(fen_of(&unseen)) }));
            play(&mut game, plies);
            game
        };
        for plies in [0, 1, 2, 17] {
            let (mut throughout, mut ended) = (begin(plies), begin(plies));
            result(&mut ended, Outcome::Draw);
            for game in [&mut throughout, &mut ended] {
                result(game, Outcome::Unknown);
                play(game, 3);
            }
            assert_eq!(told(&ended), told(&throughout), "{plies} plies after the gap");
            result(&mut ended, Outcome::WhiteWins);
            for game in [&mut throughout, &mut ended] {
                result(game, Outcome::WhiteWins);
                assert!(game.apply(&Event::Retract { to_ply: 4 }));
                play(game, 5);
            }
            assert_eq!(told(&ended).0, told(&throughout).0);
        }
    }

    #[test]
    fn a_game_that_is_over_is_corrected_as_before() {
        let mut game = Game::new();
        play(&mut game, 12);
        let entered = |text: &str| EnteredMove { text: text.into(), ..EnteredMove::default() };
        let edits = [
            Edit::replace(5, entered("Nh3")),
            Edit::insert(13, vec![entered("e4"), entered("e5")]),
            Edit::delete(12),
            Edit::replace(6, entered("Ke7")),
        ];
        let before = edits.each_ref().map(|edit| game.check_edit(edit));
        result(&mut game, Outcome::BlackWins);
        assert_eq!(edits.each_ref().map(|edit| game.check_edit(edit)), before);
        assert!(game.counts.is_empty(), "a correction that is only asked for changes nothing");
    }
}
