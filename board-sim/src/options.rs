//! The options of a hall, and the settings of each table that follow from options and seed.
//!
//! Knows the choices and their ranges. Must not know threads or ports.

use std::ops::RangeInclusive;

use dgt_protocol::Side;
use fastrand::Rng;

use crate::{
    board::OwnLog, faults::Faults, games::Games, hands::Style, link::Link, mixture::Mixture, pace::Pace,
    play_options::PlayOptions, table::TableSettings, trouble::Troubles,
};

/// Most boards in one hall; each has a thread and a port.
pub(crate) const MOST_BOARDS: usize = 2_000;
/// Most games one after another on one board.
pub(crate) const MOST_ROUNDS: usize = 1_000;
/// Slowest and fastest hall time, in hall seconds for each real second.
pub(crate) const SPEEDS: RangeInclusive<f64> = 0.01..=10_000.0;
/// Serial numbers have five digits.
const MOST_SERIAL: usize = 99_999;

/// Which boards have a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Clocks {
    /// All.
    #[default]
    All,
    /// Three of four.
    Some,
    /// None.
    None,
}

/// When players who are ready begin their game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Beginning {
    /// As soon as a host follows their board.
    #[default]
    WhenFollowed,
    /// The same, but not before every board has finished as many games as theirs: the rounds of a tournament.
    RoundByRound,
    /// Whether a host follows or not.
    Regardless,
}

/// The options of a hall. The same options always give the same games, hands and faults.
#[derive(Clone, Debug)]
pub struct HallOptions {
    /// Number of boards, 1 to 2000.
    pub boards: usize,
    /// Hall seconds for each real second, 0.01 to 10000.
    pub speed: f64,
    /// Seed of everything random.
    pub seed: u64,
    /// How tidy the players are.
    pub style: Style,
    /// How the hands of the two players follow each other.
    pub pace: Pace,
    /// Each table has three troubles of players and two defects of board and line, chosen by chance.
    pub mixed: bool,
    /// What goes wrong on the lines.
    pub faults: Faults,
    /// How hosts reach the boards.
    pub link: Link,
    /// Boards on each line, in bus mode; 0: each board has a port of its own.
    pub bus: usize,
    /// What is played.
    pub games: Games,
    /// Games one after another on each board, 1 to 1000.
    pub rounds_per_board: usize,
    /// One board in three lies the other way round, its clock with it.
    pub rotated: bool,
    /// Which boards have a clock.
    pub clocks: Clocks,
    /// Now and then a player forgets to press the clock.
    pub forgetful: bool,
    /// Whether the boards keep a log of their own.
    pub own_log: OwnLog,
    /// When players who are ready begin.
    pub beginning: Beginning,
    /// The serial number of the first board; the others follow. Halls side by side need different ones. At most five digits; on a
    /// line with several boards at most 16,383, since the number is the board's address.
    pub first_serial: u32,
}

impl Default for HallOptions {
    /// Eight boards on TCP play master games, one each, cleanly and ten times as fast as real ones.
    fn default() -> Self {
        Self {
            boards: 8,
            speed: 10.0,
            seed: 1,
            style: Style::Clean,
            pace: Pace::InTurn,
            mixed: false,
            faults: Faults::None,
            link: Link::Tcp,
            bus: 0,
            games: Games::Masters,
            rounds_per_board: 1,
            rotated: false,
            clocks: Clocks::All,
            forgetful: false,
            own_log: OwnLog::default(),
            beginning: Beginning::default(),
            first_serial: 10_001,
        }
    }
}

impl HallOptions {
    /// Whether all numbers are within their ranges.
    pub(crate) fn are_valid(&self) -> bool {
        (1..=MOST_BOARDS).contains(&self.boards)
            && (1..=MOST_ROUNDS).contains(&self.rounds_per_board)
            && SPEEDS.contains(&self.speed)
            && (1..=MOST_SERIAL).contains(&(self.first_serial as usize).saturating_add(self.boards))
    }
}

/// The settings of the table with this number; the seed decides what the options leave open.
pub(crate) fn table_settings(options: &HallOptions, number: usize, rng: &mut Rng) -> TableSettings {
    const VERSIONS: [(u8, u8); 4] = [(1, 8), (1, 8), (3, 1), (4, 0)];
    let turn = (number as u64).wrapping_add(options.seed);
    let rotated = options.rotated && turn.is_multiple_of(3);
    let mixture = mixture(options, number);
    let clock_across = rng.u32(0..6) == 0 && options.style == Style::Human;
    TableSettings {
        serial: options.first_serial + number as u32,
        version: VERSIONS[rng.usize(0..VERSIONS.len())],
        rotated,
        white_side: if rotated == clock_across { Side::Left } else { Side::Right },
        own_log: options.own_log,
        play: PlayOptions {
            style: options.style,
            clock: match options.clocks {
                Clocks::All => true,
                Clocks::Some => turn % 4 != 2,
                Clocks::None => false,
            },
            forgetful: options.forgetful,
            pace: options.pace,
            troubles: mixture.map_or_else(Troubles::default, |mixture| mixture.troubles),
        },
        seed: rng.u64(..),
    }
}

/// What goes wrong at the table with this number, if troubles and defects are mixed.
pub(crate) fn mixture(options: &HallOptions, number: usize) -> Option<Mixture> {
    let seed = options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number as u64);
    options.mixed.then(|| Mixture::new(seed))
}
