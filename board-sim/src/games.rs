//! Which games a hall plays: shipped master games, random ones, or the caller's own.
//!
//! Knows sources of games and invents players. Must not know how games are played.

use fastrand::Rng;
use notation::pgn::{Game, PgnError, Tags, read_games};

use crate::{
    plan::{Plan, PlanError},
    random::{self, Theme},
};

/// Complete games of masters. Moves are facts; the time controls are those of the simulation, not of history.
const SHIPPED: [&str; 12] = [
    include_str!("../games/anderssen-kieseritzky-1851.pgn"),
    include_str!("../games/anderssen-dufresne-1852.pgn"),
    include_str!("../games/morphy-duke-karl-isouard-1858.pgn"),
    include_str!("../games/hamppe-meitner-1872.pgn"),
    include_str!("../games/rotlewi-rubinstein-1907.pgn"),
    include_str!("../games/reti-tartakower-1910.pgn"),
    include_str!("../games/lasker-thomas-1912.pgn"),
    include_str!("../games/capablanca-marshall-1918.pgn"),
    include_str!("../games/byrne-fischer-1956.pgn"),
    include_str!("../games/fischer-spassky-1972.pgn"),
    include_str!("../games/deep-blue-kasparov-1997.pgn"),
    include_str!("../games/kasparov-topalov-1999.pgn"),
];

/// The games that a hall plays.
#[derive(Clone, Debug, Default)]
pub enum Games {
    /// The shipped master games, in an order that the seed decides.
    #[default]
    Masters,
    /// Random legal games: any eight of them hold castling to both sides, promotion, underpromotion, en passant, mate and
    /// stalemate. Blitz and rapid, so that they are short.
    Random,
    /// These games, dealt out round by round and board by board; from the start again when there are too few.
    Pgn(Vec<Game>),
}

/// Why the games of a hall cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// There is nothing to play.
    #[error("the PGN contains no game; give a file with at least one")]
    None,
    /// The PGN is damaged.
    #[error("the PGN cannot be read: {0}")]
    Pgn(#[from] PgnError),
    /// A game is against the rules.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

impl Games {
    /// The games of a PGN text.
    ///
    /// # Errors
    /// [`GamesError`] at the first damaged game, or if there is none.
    pub fn from_pgn(text: &str) -> Result<Self, GamesError> {
        let games = read_games(text).collect::<Result<Vec<_>, _>>()?;
        if games.is_empty() {
            return Err(GamesError::None);
        }
        Ok(Games::Pgn(games))
    }

    /// The plans for every board, round by round.
    pub(crate) fn plans(&self, boards: usize, rounds: usize, seed: u64) -> Result<Vec<Vec<Plan>>, GamesError> {
        let pool = match self {
            Games::Masters => {
                let mut games = shipped()?;
                Rng::with_seed(seed).shuffle(&mut games);
                games
            }
            Games::Random => Vec::new(),
            Games::Pgn(games) => games.clone(),
        };
        let ready = pool.iter().map(Plan::from_pgn).collect::<Result<Vec<_>, _>>()?;
        if ready.is_empty() && !matches!(self, Games::Random) {
            return Err(GamesError::None);
        }
        let plan = |board: usize, round: usize| {
            let number = round * boards + board;
            let mut plan = match ready.get(number % ready.len().max(1)) {
                Some(plan) => plan.clone(),
                None => random_plan(seed, number),
            };
            if plan.tags.get("Round").is_none_or(|round| round == "?") {
                plan.tags.set("Round", (round + 1).to_string());
            }
            if plan.tags.get("Board").is_none() {
                plan.tags.set("Board", (board + 1).to_string());
            }
            plan
        };
        Ok((0..boards).map(|board| (0..rounds).map(|round| plan(board, round)).collect()).collect())
    }
}

/// The shipped master games.
///
/// # Errors
/// Never, as the tests of this crate read them all.
pub fn shipped() -> Result<Vec<Game>, PgnError> {
    SHIPPED.iter().flat_map(|text| read_games(text)).collect()
}

/// The first random games of a seed, as [`Games::Random`] deals them out.
pub fn random_plans(count: usize, seed: u64) -> Vec<Plan> {
    (0..count).map(|number| random_plan(seed, number)).collect()
}

/// The random game of this number, with invented players.
pub(crate) fn random_plan(seed: u64, number: usize) -> Plan {
    const TIME_CONTROLS: [&str; 5] = ["180+2", "300+3", "600+5", "900", "40/600+5:300+5"];
    let mut rng = Rng::with_seed(seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let theme = Theme::ALL[number % Theme::ALL.len()];
    let game = random::play(theme, rng.u64(..));
    let mut tags = Tags::new();
    tags.set("Event", "Simulated Open");
    tags.set("Site", "boardcast simulator");
    tags.set("TimeControl", TIME_CONTROLS[rng.usize(0..TIME_CONTROLS.len())]);
    for color in ["White", "Black"] {
        tags.set(color, name(&mut rng));
        tags.set(&format!("{color}Elo"), rng.u32(1_400..2_750).to_string());
    }
    let mut plan = Plan::from_random(tags, &game);
    plan.clock.counts_moves = rng.bool();
    plan
}

/// An invented player.
fn name(rng: &mut Rng) -> String {
    const FAMILY: [&str; 24] = [
        "Abendroth",
        "Baran",
        "Castellano",
        "Dragunov",
        "Eklund",
        "Farkas",
        "Gallego",
        "Halloran",
        "Iversen",
        "Jankovic",
        "Kowalczyk",
        "Lindqvist",
        "Moreau",
        "Nakagawa",
        "Oduya",
        "Petrosillo",
        "Quintana",
        "Rasmussen",
        "Szabados",
        "Tamm",
        "Ueda",
        "Vasari",
        "Wieland",
        "Zelenka",
    ];
    const GIVEN: [&str; 16] = [
        "Ada", "Bruno", "Clara", "Dmitri", "Elif", "Felix", "Greta", "Hugo", "Irina", "Jonas", "Kaja", "Liam", "Mina",
        "Nils", "Olga", "Priya",
    ];
    format!("{}, {}", FAMILY[rng.usize(0..FAMILY.len())], GIVEN[rng.usize(0..GIVEN.len())])
}

/// The pieces after a random game.
#[cfg(test)]
pub(crate) fn random_final_position(seed: u64) -> shakmaty::Board {
    use shakmaty::Position;

    let plan = random_plan(seed, seed as usize);
    let mut position = plan.start.clone();
    for ply in &plan.plies {
        position.play_unchecked(ply.m);
    }
    position.board().clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::Ending;

    #[test]
    fn every_shipped_game_is_legal_to_its_last_move() {
        let games = shipped().expect("the shipped games are PGN");
        assert_eq!(games.len(), SHIPPED.len());
        for game in &games {
            let plan = Plan::from_pgn(game).expect("legal moves");
            let written: Vec<_> = game.line().map(|ply| ply.san).collect();
            let checked: Vec<_> = plan.plies.iter().map(|ply| ply.san).collect();
            assert_eq!(written, checked, "check marks included");
            assert_eq!(plan.ending.outcome(), game.outcome);
        }
        let mates = games
            .iter()
            .filter_map(|game| Plan::from_pgn(game).ok())
            .filter(|plan| matches!(plan.ending, Ending::Mate(_)))
            .count();
        assert_eq!(mates, 6);
    }

    #[test]
    fn an_illegal_move_is_named_with_its_players() {
        let games = Games::from_pgn("[White \"Ada\"]\n[Black \"Bo\"]\n\n1. e4 e5 2. Ke3 *\n").expect("it is PGN");
        let error = games.plans(1, 1, 0).expect_err("the king cannot go there");
        assert_eq!(error.to_string(), "Ada - Bo: ply 3, Ke3, is no legal move there; correct the PGN");
    }

    #[test]
    fn the_same_seed_gives_the_same_games() {
        let moves = |seed| -> Vec<String> {
            let plans = Games::Random.plans(3, 2, seed).expect("random games");
            plans
                .iter()
                .flatten()
                .map(|plan| plan.plies.iter().map(|ply| ply.san.to_string()).collect::<Vec<_>>().join(" "))
                .collect()
        };
        assert_eq!(moves(7), moves(7));
        assert_ne!(moves(7), moves(8));
    }
}
