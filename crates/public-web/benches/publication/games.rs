//! Rounds of random games: legal moves and thinking times as varied as those of people, the same ones every time.

use std::fmt::Write as _;

use game_core::event::{Event, Side};
use publish::test_hall::{self, Hall};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};
use tournament::GameRef;

/// Time for a game in milliseconds, with 30 seconds for each move.
const TIME_MS: u64 = 5_400_000;

/// A game that can be continued.
#[derive(Clone)]
pub(crate) struct Played {
    pub(crate) id: String,
    position: Chess,
    ply: u32,
    clocks: [u64; 2],
    chance: fastrand::Rng,
}

impl Played {
    fn new(id: String, seed: u64) -> Self {
        Self { id, position: Chess::default(), ply: 0, clocks: [TIME_MS; 2], chance: fastrand::Rng::with_seed(seed) }
    }

    /// What would be next by another chance; the game stays as it is.
    pub(crate) fn another(&self, seed: u64, now: u64) -> [Event; 2] {
        Self { chance: fastrand::Rng::with_seed(seed), ..self.clone() }.next(now)
    }

    /// A move and the clocks after it. A game that is over begins again from the start position: the record takes what it is given.
    pub(crate) fn next(&mut self, now: u64) -> [Event; 2] {
        let moves = self.position.legal_moves();
        let Some(played) = moves.get(self.chance.usize(..moves.len().max(1))).copied() else {
            self.position = Chess::default();
            return self.next(now);
        };
        let side = self.ply as usize % 2;
        let took = self.chance.u64(1..240) * 1000;
        self.clocks[side] = self.clocks[side].saturating_sub(took).max(1000) + 30_000;
        self.ply += 1;
        let uci = played.to_uci(shakmaty::CastlingMode::Standard).to_string();
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, played).to_string();
        let [white_ms, black_ms] = self.clocks.map(Some);
        let running = Some(if side == 0 { Side::Black } else { Side::White });
        let clk_ms = Some(self.clocks[side]);
        [
            Event::Move { ply: self.ply, san, uci, clk_ms, emt_ms: Some(took) },
            Event::Clock { white_ms, black_ms, running, flag: None, read_at: now },
        ]
    }
}

/// Opens a round of a section with so many games of so many plies, and gives the games.
pub(crate) fn open_round(hall: &Hall, section: &str, games: u32, plies: u32) -> Vec<Played> {
    hall.record(vec![test_hall::section(section, &format!("Open {section}"))], Vec::new());
    (1..=games)
        .map(|table| {
            let id = format!("{section}-1-{table}");
            let mut game = Played::new(id.clone(), u64::from(table));
            let at = GameRef { game: id.as_str().into(), event: section.into(), round: 1, table };
            let [white, black] = [2 * table, 2 * table + 1].map(name);
            let elo = (1500 + table * 7).to_string();
            hall.start(&at, &[("White", &white), ("Black", &black), ("WhiteElo", &elo), ("BlackElo", &elo)]);
            let events: Vec<_> = (0..plies).flat_map(|_| game.next(hall.clock.now())).collect();
            hall.record(Vec::new(), events.into_iter().map(|event| (id.as_str(), event)).collect());
            game
        })
        .collect()
}

fn name(number: u32) -> String {
    let mut chance = fastrand::Rng::with_seed(u64::from(number) + 1_000_000);
    let mut name = String::new();
    for part in 0..2 {
        let length = chance.usize(4..10);
        let letters: String = (0..length).map(|_| chance.lowercase()).collect();
        let _ = write!(name, "{}{letters}", if part == 0 { "" } else { ", " });
    }
    name
}
