//! Who changed what last: for a person who orders on what a page showed before.

use std::collections::BTreeMap;

use coded_text::CodedText;
use game_core::event::Author;
use hall_clock::UtcMs;
use tournament::{Fact, Hall, Order, Subject};

/// On what an order is based.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// On nothing: it is carried out whatever was changed.
    #[default]
    Any,
    /// On this version of the hall: refused after any other order.
    Hall(u64),
    /// On what was shown at this version: refused after another order that changed the same.
    Seen(u64),
}

/// The last change of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The version of the hall after it.
    pub version: u64,
    /// The account.
    pub by: String,
    /// Hall time.
    pub at: UtcMs,
    /// What was changed, as the history has it.
    pub what: Box<CodedText>,
}

/// The last change of everything that a person set.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    last: BTreeMap<Subject, Change>,
}

impl Changes {
    /// Takes a fact that becomes part of this hall, which has this version then.
    pub(super) fn note(&mut self, before: &Hall, by: &Author, at: UtcMs, version: u64, fact: &Fact) {
        let Author::Operator(name) = by else { return };
        for subject in Subject::of_fact(fact, before) {
            let what = match fact {
                Fact::Corrected(correction) => correction.what.clone(),
                _ => Box::new(subject.text().coded()),
            };
            self.last.insert(subject, Change { version, by: name.clone(), at, what });
        }
    }

    /// The latest change after this version of something that an order would overwrite.
    pub(super) fn since(&self, seen: u64, order: &Order) -> Option<Change> {
        let subjects = Subject::of_order(order);
        let later = subjects.iter().filter_map(|subject| self.last.get(subject)).filter(|change| change.version > seen);
        later.max_by_key(|change| change.version).cloned()
    }
}
