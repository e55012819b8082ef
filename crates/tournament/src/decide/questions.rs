//! Many questions of one kind become one: a file has hundreds of games, and a person answers once.

use super::{Work, sentence};

/// Questions of one kind that are asked one by one.
const ASKED_ALONE: usize = 3;

impl Work<'_> {
    /// Collects a question of a kind; [`Work::ask_collected`] asks it.
    pub(super) fn ask_alike(&mut self, kind: &'static str, question: impl Into<String>) {
        self.alike.entry(kind).or_default().push(sentence(question));
    }

    /// Asks what was collected: a few questions one by one, more of one kind as one question, with the others as notes.
    pub(super) fn ask_collected(&mut self) {
        for (kind, mut questions) in std::mem::take(&mut self.alike) {
            if questions.len() <= ASKED_ALONE {
                self.questions.append(&mut questions);
                continue;
            }
            let first = questions.remove(0);
            self.questions.push(format!("{first} The same holds for {} more {kind}.", questions.len()));
            self.decision.notes.append(&mut questions);
        }
    }
}
