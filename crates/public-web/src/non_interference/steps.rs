//! What happens in a hall and what organisers do, by chance.

use proptest::prelude::*;

/// Games of round 1 at tables 1 to 3, of round 2 at tables 1 and 2.
pub(super) const GAMES: [(&str, u32, u32); 5] = [("g1", 1, 1), ("g2", 1, 2), ("g3", 1, 3), ("h1", 2, 1), ("h2", 2, 2)];

/// What happens in a hall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happening {
    Start(usize),
    /// A knight moves: which of the two.
    Play(usize, bool),
    /// The last plies are replaced, each by a move of the other knight.
    Correct(usize, usize),
    /// The players take back.
    TakeBack(usize, usize),
    Amend(usize),
    Clock(usize),
    Unexplained(usize),
    Resolved(usize),
    /// A result, typed by hand.
    Result(usize, &'static str),
    /// It is taken back.
    NoResult(usize),
    /// The board is free.
    End(usize),
    /// The organiser ends round 1.
    Finish,
    Reopen,
    /// An opening that somebody reads from the moves.
    Opening(usize),
    /// Standings of the pairing program: whether a player leads.
    Standings(bool),
}

/// What organisers do, in both halls alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Name(usize),
    Withdraw(usize, bool),
    RoundName,
    Delay(u32),
    Reconnect,
    /// The daemon starts again: minutes by which the date is moved, and whether the machine started again, too.
    Restart(i64, bool),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Both(Happening),
    Decision(Decision),
}

pub(super) fn happening() -> impl Strategy<Value = Happening> {
    let game = 0..GAMES.len();
    prop_oneof![
        3 => game.clone().prop_map(Happening::Start),
        9 => (game.clone(), any::<bool>()).prop_map(|(game, knight)| Happening::Play(game, knight)),
        2 => (game.clone(), 1..4_usize).prop_map(|(game, plies)| Happening::Correct(game, plies)),
        1 => (game.clone(), 1..3_usize).prop_map(|(game, plies)| Happening::TakeBack(game, plies)),
        1 => game.clone().prop_map(Happening::Amend),
        1 => game.clone().prop_map(Happening::Clock),
        1 => game.clone().prop_map(Happening::Unexplained),
        1 => game.clone().prop_map(Happening::Resolved),
        2 => (game.clone(), prop_oneof![Just("1-0"), Just("1/2-1/2"), Just("0-1"), Just("0-0")])
            .prop_map(|(game, result)| Happening::Result(game, result)),
        1 => game.clone().prop_map(Happening::NoResult),
        1 => game.clone().prop_map(Happening::End),
        1 => Just(Happening::Finish),
        1 => Just(Happening::Reopen),
        1 => game.prop_map(Happening::Opening),
        1 => any::<bool>().prop_map(Happening::Standings),
    ]
}

pub(super) fn decision() -> impl Strategy<Value = Decision> {
    prop_oneof![
        (0..GAMES.len()).prop_map(Decision::Name),
        ((0..GAMES.len()), any::<bool>()).prop_map(|(game, withdrawn)| Decision::Withdraw(game, withdrawn)),
        Just(Decision::RoundName),
        prop_oneof![Just(5), Just(10), Just(20)].prop_map(Decision::Delay),
        Just(Decision::Reconnect),
        (prop_oneof![Just(0), Just(60)], any::<bool>()).prop_map(|(moved, boot)| Decision::Restart(moved, boot)),
    ]
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    prop_oneof![6 => happening().prop_map(Step::Both), 1 => decision().prop_map(Step::Decision)]
}

/// Where each knight of each side stands: at home or out.
pub(super) fn uci(line: &[bool], knight: bool) -> (String, &'static str) {
    pub(super) const SQUARES: [[(&str, &str); 2]; 2] = [[("g1", "f3"), ("b1", "c3")], [("g8", "f6"), ("b8", "c6")]];
    let side = line.len() % 2;
    let moved = line.iter().skip(side).step_by(2).filter(|moved| **moved == knight).count();
    let (home, away) = SQUARES[side][usize::from(knight)];
    let (from, to) = if moved % 2 == 0 { (home, away) } else { (away, home) };
    (format!("{from}{to}"), to)
}
