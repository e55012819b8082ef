//! A hypothesis at a place to begin again from, in a quarter of its memory: its position is that of its line, and what few
//! hypotheses have takes room in those alone.
//!
//! Must not know which hypotheses are kept, or why.

use std::sync::Arc;

use shakmaty::{Bitboard, Chess};

use super::hypothesis::Hypothesis;
use super::line::NodeId;
use super::presses::Presses;
use super::pressing::{EarlyPresses, Habits};
use super::terms::Ledger;
use super::weights::Cost;
use crate::board_faults::BoardFaults;

/// What a hypothesis assumes about the board. Those that assume the same share it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Assumed {
    faulty: Bitboard,
    stuck: Bitboard,
    suspect: Bitboard,
    fault_ply: Option<u32>,
    misread: BoardFaults,
    blind: Bitboard,
    lost: Bitboard,
}

/// What few hypotheses have.
#[derive(Clone, Debug, Default)]
struct Rare {
    /// The line with an illegal move and the plies after it, and the position, to which no line leads.
    illegal: Option<(NodeId, Chess)>,
    undone: u32,
    turned_at: u64,
    sure: Option<NodeId>,
    rival: Option<(NodeId, NodeId)>,
    ledger: Ledger,
}

/// A hypothesis that is kept.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    line: NodeId,
    cost: Cost,
    ply_at: u64,
    differs: Bitboard,
    presses: Presses,
    early: Option<Box<[EarlyPresses; 2]>>,
    habits: Habits,
    assumed: Option<Arc<Assumed>>,
    rare: Option<Box<Rare>>,
    unpressed: [bool; 2],
    patched: Bitboard,
    off: bool,
    white_left: bool,
    begun_before: bool,
}

impl Kept {
    /// Keeps hypotheses. What those `before` assumed is shared.
    pub(crate) fn all(hypotheses: &[Hypothesis], before: &[Self]) -> Vec<Self> {
        let mut kept: Vec<Self> = Vec::with_capacity(hypotheses.len());
        for hypothesis in hypotheses {
            let one = Self::new(hypothesis, kept.iter().rev().chain(before));
            kept.push(one);
        }
        kept
    }

    fn new<'a>(hypothesis: &Hypothesis, others: impl IntoIterator<Item = &'a Self>) -> Self {
        let Hypothesis {
            position,
            line,
            cost,
            unpressed,
            early,
            habits,
            presses,
            faulty,
            stuck,
            suspect,
            fault_ply,
            misread,
            blind,
            lost,
            off,
            illegal,
            white_left,
            turned_at,
            differs,
            patched,
            ply_at,
            begun_before,
            undone,
            sure,
            rival,
            ledger,
        } = hypothesis.clone();
        let assumed = Assumed { faulty, stuck, suspect, fault_ply, misread, blind, lost };
        let assumed = (assumed != Assumed::default()).then(|| {
            let mut others = others.into_iter().filter_map(|other| other.assumed.as_ref());
            others.find(|other| ***other == assumed).map_or_else(|| Arc::new(assumed.clone()), Arc::clone)
        });
        let usual = illegal.is_none()
            && undone == 0
            && turned_at == 0
            && sure.is_none()
            && rival.is_none()
            && !ledger.is_kept();
        let illegal = illegal.map(|played| (played, position));
        let rare = (!usual).then(|| Box::new(Rare { illegal, undone, turned_at, sure, rival, ledger }));
        let early = (early != <[EarlyPresses; 2]>::default()).then(|| Box::new(early));
        Self {
            line,
            cost,
            ply_at,
            differs,
            presses,
            early,
            habits,
            assumed,
            rare,
            unpressed,
            patched,
            off,
            white_left,
            begun_before,
        }
    }

    /// The hypothesis, where `after` gives the position after its line.
    pub(crate) fn hypothesis(&self, after: impl FnOnce(NodeId) -> Chess) -> Hypothesis {
        let Self {
            line,
            cost,
            ply_at,
            differs,
            presses,
            early,
            habits,
            assumed,
            rare,
            unpressed,
            patched,
            off,
            white_left,
            begun_before,
        } = self.clone();
        let Assumed { faulty, stuck, suspect, fault_ply, misread, blind, lost } =
            assumed.map(Arc::unwrap_or_clone).unwrap_or_default();
        let Rare { illegal, undone, turned_at, sure, rival, ledger } = rare.map(|rare| *rare).unwrap_or_default();
        let (illegal, position) = match illegal {
            Some((played, position)) => (Some(played), position),
            None => (None, after(line)),
        };
        Hypothesis {
            position,
            line,
            cost,
            unpressed,
            early: early.map(|early| *early).unwrap_or_default(),
            habits,
            presses,
            faulty,
            stuck,
            suspect,
            fault_ply,
            misread,
            blind,
            lost,
            off,
            illegal,
            white_left,
            turned_at,
            differs,
            patched,
            ply_at,
            begun_before,
            undone,
            sure,
            rival,
            ledger,
        }
    }

    pub(crate) fn line(&self) -> NodeId {
        self.line
    }

    /// All lines that it names.
    pub(crate) fn lines_mut(&mut self) -> impl Iterator<Item = &mut NodeId> {
        let rare = self.rare.as_deref_mut().map(|rare| {
            let rival = rare.rival.as_mut().map(|(mine, other)| [mine, other]);
            let illegal = rare.illegal.as_mut().map(|(played, _)| played);
            illegal.into_iter().chain(rare.sure.as_mut()).chain(rival.into_iter().flatten())
        });
        [&mut self.line].into_iter().chain(rare.into_iter().flatten())
    }

    /// No other line is as likely as its own.
    pub(crate) fn decide(&mut self) {
        if let Some(rare) = &mut self.rare {
            (rare.sure, rare.rival) = (None, None);
        }
    }

    /// These squares cannot be believed.
    pub(crate) fn declare_blind(&mut self, squares: Bitboard) {
        let assumed = self.assumed.take().map(Arc::unwrap_or_clone).unwrap_or_default();
        let faulty = assumed.faulty | squares;
        self.assumed = Some(Arc::new(Assumed { faulty, blind: squares, ..assumed }));
    }

    /// Keeps its terms from now on in this ledger, where none are kept; gives it back with the cost and the side of White so far.
    pub(crate) fn keep_terms(&mut self, ledger: &Ledger) -> Option<(&mut Ledger, Cost, bool)> {
        let rare = self.rare.get_or_insert_default();
        if rare.ledger.is_kept() {
            return None;
        }
        rare.ledger = ledger.clone();
        Some((&mut rare.ledger, self.cost, self.white_left))
    }
}
