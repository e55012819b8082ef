//! Results of games, including those that PGN cannot express, as TRF and tables write them.

use std::fmt;

use notation::pgn::{Outcome, plain_result};

/// The points of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Points {
    /// 0
    Zero,
    /// ½
    Half,
    /// 1
    One,
}

/// How a result was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Over the board.
    Played,
    /// Over the board, but so short that it is not rated (TRF `W`, `D`, `L`).
    Unrated,
    /// A player was absent or barred (TRF `+`, `-`).
    Forfeit,
}

/// A game's result: at most one point in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score {
    /// White's points.
    pub white: Points,
    /// Black's points.
    pub black: Points,
    /// How it was reached.
    pub kind: Kind,
}

impl Score {
    /// The result of a played game; none while it is unknown.
    pub fn of_outcome(outcome: Outcome) -> Option<Self> {
        let (white, black) = match outcome {
            Outcome::WhiteWins => (Points::One, Points::Zero),
            Outcome::BlackWins => (Points::Zero, Points::One),
            Outcome::Draw => (Points::Half, Points::Half),
            Outcome::Unknown => return None,
        };
        Some(Self { white, black, kind: Kind::Played })
    }

    /// The nearest result of PGN; a double loss and other scores have none and become unknown.
    pub fn outcome(self) -> Outcome {
        match (self.white, self.black) {
            (Points::One, _) => Outcome::WhiteWins,
            (_, Points::One) => Outcome::BlackWins,
            (Points::Half, Points::Half) => Outcome::Draw,
            _ => Outcome::Unknown,
        }
    }

    /// Reads a result as tables and tags write it: everything that [`Outcome::parse`] reads, forfeits as `+ - -`, `1-0F`,
    /// `1F-0`, scores such as `0-0` and `½-0`, a single `+`, `=`, `-` as Chess-Results prints them for White.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = plain_result(text)?.to_ascii_uppercase().replace("1/2", "=");
        let forfeit = |white, black| Some(Self { white, black, kind: Kind::Forfeit });
        match plain.as_str() {
            "+--" | "+-" => return forfeit(Points::One, Points::Zero),
            "--+" | "-+" => return forfeit(Points::Zero, Points::One),
            "---" | "--" => return forfeit(Points::Zero, Points::Zero),
            "=" => return Self::of_outcome(Outcome::Draw),
            _ => {}
        }
        let bare: String = plain.chars().filter(|letter| !matches!(letter, 'F' | 'K')).collect();
        let kind = if bare.len() < plain.len() { Kind::Forfeit } else { Kind::Played };
        let (white, black) = bare.split_once('-')?;
        Self::sound(points(white)?, points(black)?, kind)
    }

    /// The result by the signs in the TRF records of both players; none when they contradict each other.
    pub fn of_trf(white: char, black: char) -> Option<Self> {
        let ((white, kind), (black, other)) = (trf_points(white)?, trf_points(black)?);
        if kind == other { Self::sound(white, black, kind) } else { None }
    }

    /// The signs for the TRF records of White and of Black.
    pub fn trf(self) -> (char, char) {
        let sign = |points| match (self.kind, points) {
            (Kind::Played, Points::One) => '1',
            (Kind::Played | Kind::Forfeit, Points::Half) => '=',
            (Kind::Played, Points::Zero) => '0',
            (Kind::Unrated, Points::One) => 'W',
            (Kind::Unrated, Points::Half) => 'D',
            (Kind::Unrated, Points::Zero) => 'L',
            (Kind::Forfeit, Points::One) => '+',
            (Kind::Forfeit, Points::Zero) => '-',
        };
        (sign(self.white), sign(self.black))
    }

    fn sound(white: Points, black: Points, kind: Kind) -> Option<Self> {
        let known = kind != Kind::Forfeit || (white != Points::Half && black != Points::Half);
        (known && white.tenths() + black.tenths() <= 10).then_some(Self { white, black, kind })
    }
}

impl Points {
    /// In tenths of a point, as TRF counts with one decimal.
    pub(crate) fn tenths(self) -> u32 {
        match self {
            Self::Zero => 0,
            Self::Half => 5,
            Self::One => 10,
        }
    }
}

fn points(text: &str) -> Option<Points> {
    match text {
        "0" => Some(Points::Zero),
        "=" => Some(Points::Half),
        "1" => Some(Points::One),
        _ => None,
    }
}

/// Whether a sign of a TRF record is the result of a game, not a bye.
pub(crate) fn is_trf_result(sign: char) -> bool {
    trf_points(sign).is_some()
}

fn trf_points(sign: char) -> Option<(Points, Kind)> {
    Some(match sign.to_ascii_uppercase() {
        '1' => (Points::One, Kind::Played),
        '=' => (Points::Half, Kind::Played),
        '0' => (Points::Zero, Kind::Played),
        'W' => (Points::One, Kind::Unrated),
        'D' => (Points::Half, Kind::Unrated),
        'L' => (Points::Zero, Kind::Unrated),
        '+' => (Points::One, Kind::Forfeit),
        '-' => (Points::Zero, Kind::Forfeit),
        _ => return None,
    })
}

impl fmt::Display for Score {
    /// As tables write it and [`Score::parse`] reads it; an unrated game is written like a rated one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |points| match (self.kind, points) {
            (Kind::Forfeit, Points::One) => "+",
            (Kind::Forfeit, Points::Zero) => "-",
            (_, Points::One) => "1",
            (_, Points::Half) => "1/2",
            (_, Points::Zero) => "0",
        };
        let between = if self.kind == Kind::Forfeit { " - " } else { "-" };
        write!(f, "{}{between}{}", sign(self.white), sign(self.black))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_comes_back_from_a_table_and_from_both_records() {
        let all = [Points::Zero, Points::Half, Points::One];
        let mut seen = 0;
        for white in all {
            for black in all {
                for kind in [Kind::Played, Kind::Unrated, Kind::Forfeit] {
                    let Some(score) = Score::sound(white, black, kind) else { continue };
                    seen += 1;
                    let (sign, other) = score.trf();
                    assert_eq!(Score::of_trf(sign, other), Some(score));
                    let said = Score { kind: if kind == Kind::Unrated { Kind::Played } else { kind }, ..score };
                    assert_eq!(Score::parse(&score.to_string()), Some(said), "{score}");
                }
            }
        }
        assert_eq!(seen, 6 + 6 + 3);
    }

    #[test]
    fn tables_write_results_in_many_ways() {
        for (forms, said) in [
            (&["1-0", "1 : 0", "1–0", "1_0"][..], "1-0"),
            (&["½", "½-½", "0,5:0,5", "1/2-1/2", "="], "1/2-1/2"),
            (&["+--", "+ - -", "+:-", "1-0F", "1F-0", "1:0k"], "+ - -"),
            (&["- - -", "-:-", "0-0K"], "- - -"),
            (&["½-0"], "1/2-0"),
        ] {
            for form in forms {
                assert_eq!(Score::parse(form).map(|score| score.to_string()).as_deref(), Some(said), "{form}");
            }
        }
        for text in ["", "*", "1-1", "+:+", "win", "12:30", "10000000000000000000000000-0"] {
            assert_eq!(Score::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn records_that_contradict_each_other_give_no_result() {
        for (white, black) in [('1', '1'), ('=', '1'), ('+', '0'), ('1', 'L'), ('U', '0'), ('+', '+')] {
            assert_eq!(Score::of_trf(white, black), None, "{white}{black}");
        }
        assert_eq!(Score::of_trf('0', '0').map(Score::outcome), Some(Outcome::Unknown));
    }
}
