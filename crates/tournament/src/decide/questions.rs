//! Many questions of one kind become one: a file has hundreds of games, and a person answers once.

use coded_text::CodedText;

use super::Work;
use crate::refusal::Question;

/// Questions of one kind that are asked one by one.
const ASKED_ALONE: usize = 3;

impl Work<'_> {
    /// Collects a question; those with the same code are asked together by [`Work::ask_collected`].
    pub(super) fn ask_alike(&mut self, question: impl Into<CodedText>) {
        let question = question.into();
        self.alike.entry(question.code.clone()).or_default().push(question);
    }

    /// Asks what was collected: a few questions one by one, more of one kind as one question, with the others as notes.
    pub(super) fn ask_collected(&mut self) {
        for mut questions in std::mem::take(&mut self.alike).into_values() {
            if questions.len() <= ASKED_ALONE {
                self.questions.append(&mut questions);
                continue;
            }
            let mut others = questions.split_off(1);
            self.questions.append(&mut questions);
            self.ask(Question::Alike { count: others.len() });
            self.decision.notes.append(&mut others);
        }
    }
}
