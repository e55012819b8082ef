//! Troubles of players and defects of a board and its line, combined by chance.
//!
//! Knows which of them can meet at one table and still leave the moves knowable without a person. Must not know how any of
//! them is played out.

use std::ops::Range;

use fastrand::Rng;

use crate::{
    defects::{Defect, LineFault},
    trouble::{Trouble, Troubles},
};

/// Troubles that can meet any other. Left out are those that need a person: a rook as a queen, and play that goes on from an
/// illegal move.
const TROUBLES: [Trouble; 14] = [
    Trouble::OddPresses,
    Trouble::Arbiter,
    Trouble::LooseClock,
    Trouble::Takeback,
    Trouble::IllegalCorrected,
    Trouble::KnockedOver,
    Trouble::LatePromotion,
    Trouble::Adjusting,
    Trouble::LateStart,
    Trouble::WrongStart,
    Trouble::ClockOff,
    Trouble::BoardTurned,
    Trouble::Misread,
    Trouble::LastNotPressed,
];
/// Of these a game has one at most.
const ENDINGS: [Trouble; 7] = [
    Trouble::KingsOneByOne,
    Trouble::ResultPiece,
    Trouble::PushedAside,
    Trouble::ClockRunsOn,
    Trouble::NoResultShown,
    Trouble::Analysis,
    Trouble::NextAtOnce,
];

/// Three troubles and two defects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixture {
    /// What goes wrong at the table.
    pub troubles: Troubles,
    /// What is wrong with board and line.
    pub defects: Vec<Defect>,
    /// The plies of the table during which the cable is out, if that is one of the defects.
    pub cable_out: Option<Range<u64>>,
}

impl Mixture {
    /// The mixture of this seed.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed ^ 0x6d69_7874);
        let ends = rng.bool();
        let troubles = rng.choose_multiple(TROUBLES, if ends { 2 } else { 3 });
        let ending = rng.choice(ENDINGS).filter(|_| ends).map(|ending| match ending {
            // Without a clock nothing tells analysis from play that goes on.
            Trouble::Analysis if troubles.contains(&Trouble::ClockOff) => Trouble::NoResultShown,
            ending => ending,
        });
        let troubles = troubles.into_iter().chain(ending).fold(Troubles::default(), Troubles::with);
        let line = |per_mille, fault| Some(Defect::Line { per_mille, fault });
        let defects = [
            line(2, LineFault::Any),
            line(10, LineFault::Overtaken),
            line(5, LineFault::Cut),
            line(10, LineFault::Noise),
            Some(Defect::Flicker { in_dumps: rng.bool() }),
            Some(Defect::UnaskedLog),
            Some(Defect::NoisyClock),
            // The cable.
            None,
        ];
        let chosen = rng.choose_multiple(defects, 2);
        let from = 4 + rng.u64(0..20);
        let cable_out = chosen.contains(&None).then(|| from..from + rng.u64(1..=6));
        Self { troubles, defects: chosen.into_iter().flatten().collect(), cable_out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_seed_has_three_troubles_and_two_defects_and_all_of_them_occur() {
        let mixtures: Vec<Mixture> = (0..500).map(Mixture::new).collect();
        for mixture in &mixtures {
            assert_eq!(mixture.troubles.iter().count(), 3);
            assert_eq!(mixture.defects.len() + usize::from(mixture.cable_out.is_some()), 2);
        }
        for trouble in TROUBLES.into_iter().chain(ENDINGS) {
            assert!(mixtures.iter().any(|mixture| mixture.troubles.has(trouble)), "{trouble:?}");
        }
        assert!(mixtures.iter().any(|mixture| mixture.cable_out.is_some()));
        assert_eq!(Mixture::new(7), Mixture::new(7));
    }
}
