//! The position that people set up on a board which takes a game over.

use game_core::input::Resume;
use game_core::placement::Placement;
use shakmaty::Position;

/// A position that is to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct SettingUp(Placement);

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SetUp {
    /// Something else stands there.
    NotYet,
    /// It stands there.
    Stands,
    /// It stands there with White at the other end.
    StandsTurned,
}

impl SettingUp {
    /// The last position of a game; none without a game.
    pub(super) fn of(resume: &Resume) -> Option<Self> {
        Some(Self(Placement::from_board(resume.line()?.head().board())))
    }

    /// Compares what stands on the board.
    pub(super) fn look(&self, placement: &Placement) -> SetUp {
        if *placement == self.0 {
            SetUp::Stands
        } else if *placement == self.0.turned() {
            SetUp::StandsTurned
        } else {
            SetUp::NotYet
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game_core::input::{ResumedGap, ResumedMove};

    #[test]
    fn a_position_is_seen_from_both_ends() {
        assert!(SettingUp::of(&Resume::default()).is_none(), "a position without a game");
        let start =
            SettingUp::of(&Resume { fen: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".into(), ..Resume::default() }).unwrap();
        let moves = vec![ResumedMove { uci: "e2e4".into(), ..ResumedMove::default() }];
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".into();
        let wanted = SettingUp::of(&Resume { fen, moves, ..Resume::default() }).unwrap();
        assert_eq!(wanted.look(&start.0), SetUp::NotYet);
        assert_eq!(wanted.look(&wanted.0), SetUp::Stands);
        assert_eq!(wanted.look(&wanted.0.turned()), SetUp::StandsTurned);
    }

    #[test]
    fn after_moves_that_went_unseen_it_is_what_play_went_on_to() {
        let moves = ["e2e4", "e8d7"].map(|uci| ResumedMove { uci: uci.into(), ..ResumedMove::default() }).into();
        let gaps = vec![ResumedGap { after_ply: 1, fen: "4k3/8/8/4P3/8/8/8/4K3 b - - 0 3".into() }];
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".into();
        let wanted = SettingUp::of(&Resume { fen, moves, gaps, ..Resume::default() }).unwrap();
        let head = SettingUp::of(&Resume { fen: "8/3k4/8/4P3/8/8/8/4K3 w - - 1 4".into(), ..Resume::default() });
        assert_eq!(wanted.look(&head.unwrap().0.turned()), SetUp::StandsTurned);
    }
}
