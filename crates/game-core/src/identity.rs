//! Whether the board at the other end of a line is still the one that was found there.
//!
//! A cable can be put into another board while its line stays open: what arrives from then on is of another game. A board is its
//! serial number, so it is asked for it again. The answer has no checksum: another number counts when it comes twice, and what the
//! board says until then is not used. Where it comes twice beside the own one, several boards share the line. Must not know what
//! else a board says, nor how it is asked.

use crate::time::Timestamp;

/// Shortest time between two questions while the answers are right, in ms.
const ASK_GAP_MS: u64 = 2_000;
/// How long an answer is waited for before the question is repeated while the board is in doubt, in ms.
const ANSWER_MS: u64 = 1_000;

/// What the answers have said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The serial number of the board; none where it is not asked.
    expected: Option<String>,
    /// When it was found or answered with its own number, the last time.
    right_at: Timestamp,
    asked_at: Option<Timestamp>,
    doubt: Option<Doubt>,
    /// The other serial number that was answered last, and when.
    answered_other: Option<(String, Timestamp)>,
    /// It shows what no hands can have made meanwhile, and was asked who it is.
    suspicion: Suspicion,
}

/// Whether what a board shows makes it doubtful that it is the expected one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Suspicion {
    #[default]
    None,
    /// What it says is not used before it answers, up to this instant.
    Until(Timestamp),
    /// It did not answer: what it shows is believed until it answers again.
    Unanswered,
}

/// The last answer was another serial number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Doubt {
    serial: String,
    repeated: bool,
}

/// What an answer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The board is the same one, without a doubt before.
    Same,
    /// The board is the same one, and what it said meanwhile was not used.
    SameAfterAll,
    /// Another serial number, for the first time: the board is to be asked again.
    AskAgain,
    /// Another board, for sure.
    Other,
}

impl Identity {
    /// A board with this serial number was plugged in; none where it cannot be asked again.
    pub(crate) fn of(expected: Option<String>, now: Timestamp) -> Self {
        Self { expected, right_at: now, ..Self::default() }
    }

    /// Up to when the messages are those of the expected board: it was found then, or the last right answer came.
    pub(crate) fn right_at(&self) -> Timestamp {
        self.right_at
    }

    /// Notes a question, if there is reason to ask now; returns whether it is to be sent.
    pub(crate) fn asks(&mut self, now: Timestamp) -> bool {
        let due = self.expected.is_some() && self.asked_at.is_none_or(|asked| now.since(asked) >= ASK_GAP_MS);
        if due {
            self.asked_at = Some(now);
        }
        due
    }

    /// Notes a question that is sent at once, as what stands on the board is odd; returns whether it is to be sent.
    pub(crate) fn asks_at_once(&mut self, now: Timestamp) -> bool {
        self.asked_at = None;
        self.asks(now)
    }

    /// Takes an answer.
    pub(crate) fn answered(&mut self, now: Timestamp, serial: &str) -> Answer {
        match &self.expected {
            Some(expected) if expected != serial => {}
            _ if self.is_sure() => return Answer::Other,
            _ => {
                self.right_at = now;
                let doubted = self.is_doubted();
                (self.doubt, self.suspicion) = (None, Suspicion::None);
                return if doubted { Answer::SameAfterAll } else { Answer::Same };
            }
        }
        self.suspicion = Suspicion::None;
        // Two boards that share a line answer one question after the other.
        let before = self.answered_other.replace((serial.to_owned(), now));
        let beside = before.is_some_and(|(other, at)| other == serial && now.since(at) < ASK_GAP_MS);
        let repeated = beside || self.doubt.as_ref().is_some_and(|doubt| doubt.repeated || doubt.serial == serial);
        if !self.is_sure() {
            self.doubt = Some(Doubt { serial: serial.to_owned(), repeated });
        }
        if repeated {
            return Answer::Other;
        }
        self.asked_at = Some(now);
        Answer::AskAgain
    }

    /// The board shows what no hands can have made meanwhile. Returns whether it is asked who it is, and not believed before it
    /// answers.
    pub(crate) fn suspects(&mut self, now: Timestamp) -> bool {
        let known = self.expected.is_none() || now.since(self.right_at) < ASK_GAP_MS;
        if known || self.suspicion != Suspicion::None {
            return false;
        }
        self.suspicion = Suspicion::Until(now.plus(ANSWER_MS));
        self.asked_at = Some(now);
        true
    }

    /// When a board that shows what no hands can have made is believed although it has not answered.
    pub(crate) fn believed_at(&self) -> Option<Timestamp> {
        if let Suspicion::Until(at) = self.suspicion { Some(at) } else { None }
    }

    /// Ends the wait for an answer if that is due; returns whether it is.
    pub(crate) fn is_believed(&mut self, now: Timestamp) -> bool {
        let due = self.believed_at().is_some_and(|at| at <= now);
        if due {
            self.suspicion = Suspicion::Unanswered;
        }
        due
    }

    /// Whether the board may be another one, or is.
    pub(crate) fn is_doubted(&self) -> bool {
        self.doubt.is_some() || self.believed_at().is_some()
    }

    /// The serial number of the other board that is there now.
    pub(crate) fn other(&self) -> Option<&str> {
        self.doubt.as_ref().filter(|doubt| doubt.repeated).map(|doubt| &*doubt.serial)
    }

    /// When the question is to be repeated, as its answer was lost.
    pub(crate) fn repeat_at(&self) -> Option<Timestamp> {
        self.asked_at.filter(|_| self.doubt.is_some() && !self.is_sure()).map(|asked| asked.plus(ANSWER_MS))
    }

    /// Notes that the question is repeated if that is due; returns whether it is.
    pub(crate) fn repeats(&mut self, now: Timestamp) -> bool {
        let due = self.repeat_at().is_some_and(|due| due <= now);
        if due {
            self.asked_at = Some(now);
        }
        due
    }

    fn is_sure(&self) -> bool {
        self.other().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_number_counts_when_it_comes_twice() {
        let mut identity = Identity::of(Some("11001".into()), Timestamp::ZERO);
        let at = Timestamp::from_ms;
        assert!(identity.asks(at(0)) && !identity.asks(at(1_999)) && identity.asks(at(2_000)));
        assert_eq!(identity.answered(at(2_010), "11001"), Answer::Same);
        // A damaged answer.
        assert_eq!(identity.answered(at(4_000), "11081"), Answer::AskAgain);
        assert!(identity.is_doubted());
        assert_eq!(identity.answered(at(4_050), "11001"), Answer::SameAfterAll);
        assert!(!identity.is_doubted());
        assert_eq!(identity.answered(at(6_000), "11002"), Answer::AskAgain);
        assert!(!identity.repeats(at(6_999)) && identity.repeats(at(7_000)), "the answer was lost");
        assert_eq!(identity.answered(at(7_050), "11002"), Answer::Other);
        assert_eq!((identity.other(), identity.repeat_at()), (Some("11002"), None));
        assert_eq!(identity.right_at(), at(4_050));
        // Until it is plugged in anew.
        assert_eq!(identity.answered(at(9_000), "11001"), Answer::Other);
    }

    #[test]
    fn another_board_that_answers_beside_the_own_one_is_noticed_at_its_second_answer() {
        let mut identity = Identity::of(Some("01001".into()), Timestamp::ZERO);
        let at = Timestamp::from_ms;
        assert!(identity.asks(at(3_000)));
        assert_eq!(identity.answered(at(3_010), "01001"), Answer::Same);
        assert_eq!(identity.answered(at(3_018), "01002"), Answer::AskAgain);
        assert_eq!(identity.answered(at(3_030), "01001"), Answer::SameAfterAll);
        assert_eq!(identity.answered(at(3_038), "01002"), Answer::Other);
        assert_eq!(identity.other(), Some("01002"));
    }

    #[test]
    fn a_board_of_unknown_number_is_not_asked() {
        let mut identity = Identity::of(None, Timestamp::ZERO);
        assert!(!identity.asks(Timestamp::ZERO));
        assert_eq!(identity.answered(Timestamp::ZERO, "11002"), Answer::Same);
    }
}
