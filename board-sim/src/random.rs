//! Random legal games that are certain to contain the moves that make boards difficult.
//!
//! Knows the rules through shakmaty and nothing else.

use fastrand::Rng;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, File, FromSetup, Move, MoveList, Position, Rank, Role, Setup,
    Square,
};

use crate::result::Ending;

/// What a random game is certain to contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Castling king side.
    CastlingShort,
    /// Castling queen side.
    CastlingLong,
    /// A pawn becomes a queen.
    Promotion,
    /// A pawn becomes a rook, bishop or knight.
    Underpromotion,
    /// A capture en passant.
    EnPassant,
    /// Ends with mate.
    Mate,
    /// Ends with stalemate.
    Stalemate,
    /// A player resigns, or a draw is agreed.
    Agreement,
}

impl Theme {
    /// All themes; a hall's random games go through them in turn.
    pub const ALL: [Theme; 8] = [
        Theme::CastlingShort,
        Theme::Mate,
        Theme::EnPassant,
        Theme::Underpromotion,
        Theme::CastlingLong,
        Theme::Stalemate,
        Theme::Promotion,
        Theme::Agreement,
    ];

    fn is_met_by(self, m: Move) -> bool {
        match self {
            Theme::CastlingShort => m.castling_side() == Some(CastlingSide::KingSide),
            Theme::CastlingLong => m.castling_side() == Some(CastlingSide::QueenSide),
            Theme::Promotion => m.promotion() == Some(Role::Queen),
            Theme::Underpromotion => m.promotion().is_some_and(|role| role != Role::Queen),
            Theme::EnPassant => m.is_en_passant(),
            Theme::Mate | Theme::Stalemate | Theme::Agreement => false,
        }
    }
}

/// The moves of a random game and how it ends.
#[derive(Clone, Debug)]
pub struct RandomGame {
    /// Legal moves from the start position.
    pub moves: Vec<Move>,
    /// How it ends.
    pub ending: Ending,
}

/// A random game that contains the theme. The same seed always gives the same game.
pub fn play(theme: Theme, seed: u64) -> RandomGame {
    play_from(&Chess::default(), theme, seed)
}

/// The same from another start position, from which the theme has to be possible.
pub fn play_from(start: &Chess, theme: Theme, seed: u64) -> RandomGame {
    // Every attempt is another game; a dozen are usual for stalemate, one or two for the others.
    let mut rng = Rng::with_seed(seed);
    loop {
        let wanted_plies = rng.usize(24..=90);
        if let Some(game) = attempt(start, theme, wanted_plies, &mut rng) {
            return game;
        }
    }
}

/// A random game of this many plies.
pub fn play_long(plies: usize, seed: u64) -> RandomGame {
    let mut rng = Rng::with_seed(seed);
    loop {
        if let Some(game) = attempt(&Chess::default(), Theme::Agreement, plies, &mut rng) {
            return game;
        }
    }
}

/// A start position of Chess960 by its number, 0 to 959 (518 is the usual one): bishops, then queen and knights on the files
/// that are left, then rook, king, rook.
pub fn chess960_start(number: u32) -> Chess {
    // The ten ways to put two knights on five files.
    const KNIGHTS: [(u32, u32); 10] = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let n = number % 960;
    let mut files: [Option<Role>; 8] = [None; 8];
    files[(n % 4 * 2 + 1) as usize] = Some(Role::Bishop);
    files[(n / 4 % 4 * 2) as usize] = Some(Role::Bishop);
    let mut put = |nth: u32, role: Role| {
        if let Some(file) = files.iter_mut().filter(|file| file.is_none()).nth(nth as usize) {
            *file = Some(role);
        }
    };
    put(n / 16 % 6, Role::Queen);
    let (first, second) = KNIGHTS[(n / 96) as usize];
    // The first knight takes a file away before the second.
    put(first, Role::Knight);
    put(second - 1, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        put(0, role);
    }
    let mut setup = Setup::initial();
    setup.castling_rights = Bitboard::EMPTY;
    for (file, role) in File::ALL.into_iter().zip(files) {
        for (rank, color) in [(Rank::First, Color::White), (Rank::Eighth, Color::Black)] {
            let square = Square::from_coords(file, rank);
            if let Some(role) = role {
                setup.board.set_piece_at(square, role.of(color));
            }
            if role == Some(Role::Rook) {
                setup.castling_rights.add(square);
            }
        }
    }
    Chess::from_setup(setup, CastlingMode::Chess960).unwrap_or_default()
}

fn attempt(start: &Chess, theme: Theme, wanted_plies: usize, rng: &mut Rng) -> Option<RandomGame> {
    const LONGEST: usize = 300;
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut met = theme == Theme::Agreement;
    while moves.len() < LONGEST.max(wanted_plies + 1) {
        let legal = position.legal_moves();
        let enders = Enders::among(&position, &legal);
        let next = match theme {
            Theme::Mate => enders.mate,
            Theme::Stalemate => enders.stalemate,
            _ => None,
        };
        if let Some(last) = next {
            moves.push(last);
            let ending = match theme {
                Theme::Mate => Ending::Mate(position.turn()),
                _ => Ending::Stalemate,
            };
            return Some(RandomGame { moves, ending });
        }
        if met && moves.len() >= wanted_plies {
            let ending = match rng.u32(0..5) {
                0 | 1 => Ending::Resigned(Color::White),
                2 | 3 => Ending::Resigned(Color::Black),
                _ => Ending::Drawn,
            };
            return Some(RandomGame { moves, ending });
        }
        let m = choose(&position, &legal, &enders, theme, rng)?;
        met |= theme.is_met_by(m);
        moves.push(m);
        position.play_unchecked(m);
    }
    None
}

/// Moves that end the game.
struct Enders {
    all: Vec<Move>,
    mate: Option<Move>,
    stalemate: Option<Move>,
}

impl Enders {
    fn among(position: &Chess, legal: &MoveList) -> Self {
        let mut enders = Self { all: Vec::new(), mate: None, stalemate: None };
        for &m in legal {
            let mut after = position.clone();
            after.play_unchecked(m);
            if after.legal_moves().is_empty() {
                enders.all.push(m);
                let kind = if after.is_check() { &mut enders.mate } else { &mut enders.stalemate };
                kind.get_or_insert(m);
            }
        }
        enders
    }
}

/// A random move that does not end the game, those that lead to the themes more likely.
fn choose(position: &Chess, legal: &MoveList, enders: &Enders, theme: Theme, rng: &mut Rng) -> Option<Move> {
    let weighted: Vec<(Move, u32)> =
        legal.iter().filter(|m| !enders.all.contains(m)).map(|&m| (m, weight(position, m, theme))).collect();
    let total: u32 = weighted.iter().map(|(_, weight)| weight).sum();
    let mut pick = (total > 0).then(|| rng.u32(0..total))?;
    for (m, weight) in weighted {
        if pick < weight {
            return Some(m);
        }
        pick -= weight;
    }
    None
}

fn weight(position: &Chess, m: Move, theme: Theme) -> u32 {
    if theme.is_met_by(m) {
        return 2_000;
    }
    let has_rights = position.castles().has_color(position.turn());
    match m {
        Move::Castle { .. } => 300,
        Move::EnPassant { .. } => 200,
        Move::Normal { promotion: Some(Role::Queen), .. } => 100,
        Move::Normal { promotion: Some(_), .. } => 20,
        Move::Normal { capture: Some(_), .. } if theme == Theme::Stalemate => 60,
        Move::Normal { capture: Some(_), .. } => 12,
        Move::Normal { role: Role::King | Role::Rook, .. } if has_rights => 1,
        Move::Normal { role: Role::Pawn, to, .. } => 3 + 2 * position.turn().relative_rank(to.rank()).to_u32(),
        Move::Normal { role: Role::King, .. } => 3,
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_960_start_positions_differ_and_518_is_the_usual_one() {
        let starts: BTreeSet<String> = (0..960).map(|number| chess960_start(number).board().to_string()).collect();
        assert_eq!(starts.len(), 960);
        assert_eq!(chess960_start(518).board(), Chess::default().board());
    }

    #[test]
    fn every_theme_is_met_for_every_seed_by_legal_moves() {
        for seed in 0..12 {
            for theme in Theme::ALL {
                let game = play(theme, seed);
                let mut position = Chess::default();
                let mut met = false;
                for &m in &game.moves {
                    met |= theme.is_met_by(m);
                    position = position.play(m).expect("a legal move");
                }
                let end = match theme {
                    Theme::Mate => position.is_checkmate(),
                    Theme::Stalemate => position.is_stalemate(),
                    Theme::Agreement => !position.is_game_over(),
                    _ => met,
                };
                assert!(end, "{theme:?}, seed {seed}");
            }
        }
    }
}
