//! What passes between the board and its session, and what the session tells.

use dgt_protocol::PieceCode;
use game_core::controls::Controls;
use game_core::event::{Event, Record};
use game_core::input::{Assign, Input, Notice};
use game_core::session::Output;
use game_core::time::Timestamp;

use super::{LINE_MS, Watch};
use crate::difference::{Difference, Kind};

impl Watch {
    pub(super) fn pass_messages(&mut self) {
        while let Some(bytes) = self.table.board_mut().next_outgoing() {
            if !self.plugged {
                continue;
            }
            // The log takes its time on the line; so does nothing else here.
            let late = LINE_MS.max(bytes.len() as u64);
            self.now = self.now.max(self.now + if bytes.len() > 200 { late } else { 0 });
            let number = self.seen.messages.len();
            self.seen.messages.push(bytes.len());
            let bytes =
                self.message_fault.map_or_else(|| Some(bytes.clone()), |fault| fault.apply(number, bytes.clone()));
            let arriving = self.defects.iter_mut().fold(bytes.into_iter().collect::<Vec<_>>(), |arriving, defects| {
                arriving.into_iter().flat_map(|bytes| defects.pass(bytes)).collect()
            });
            for bytes in arriving {
                if self.trace {
                    println!("{:8} #{number} {:?}", self.now + LINE_MS, dgt_protocol::Message::decode(&bytes));
                }
                self.session_time(self.now + LINE_MS);
                self.feed_at(self.now + LINE_MS, &Input::Bytes(bytes));
            }
        }
    }

    pub(super) fn session_time(&mut self, until: u64) {
        while let Some(due) = self.session.next_deadline().filter(|due| due.as_ms() <= until) {
            let listed = self.session.positions_listed();
            self.session.handle_timeout(due);
            self.note_positions(listed);
            self.drain();
        }
    }

    pub(super) fn feed(&mut self, input: &Input) {
        self.feed_at(self.now, input);
    }

    pub(super) fn feed_at(&mut self, at: u64, input: &Input) {
        if self.trace
            && let Input::Notice(notice) = input
        {
            println!("{at:8} {notice:?}");
        }
        self.take(Timestamp::from_ms(at), input);
        self.drain();
    }

    pub(super) fn take(&mut self, at: Timestamp, input: &Input) {
        self.seen.inputs.push((at, input.clone()));
        let listed = self.session.positions_listed();
        self.session.handle_input(at, input);
        if self.expects_loss {
            self.session.assume_damage();
        }
        self.note_positions(listed);
        let alone = self.together.map(|squares| squares.map(|square| self.session.placement().get(square)));
        self.lit_alone |= matches!(alone, Some([PieceCode::Empty, beside]) if beside != PieceCode::Empty);
    }

    pub(super) fn note_positions(&mut self, before: u64) {
        let listed = self.session.positions_listed().saturating_sub(before);
        self.seen.most_positions = self.seen.most_positions.max(listed);
    }

    pub(super) fn drain(&mut self) {
        while let Some(output) = self.session.poll_output() {
            match output {
                Output::Send(command) if self.plugged => {
                    self.table.board_mut().host_bytes(self.now, &command.encode());
                }
                Output::Send(_) => {}
                Output::Event(record) => self.hear(&record),
            }
        }
    }

    pub(super) fn hear(&mut self, record: &Record) {
        let Record { t, event, .. } = record;
        if self.trace {
            println!("{:8} {event:?}   {}", t.as_ms(), self.session.placement().fen());
        }
        let of = self.table.played().len();
        self.seen.records.push((of, record.clone()));
        let began = matches!(event, Event::GameStarted { .. });
        if began {
            self.hear_start();
        }
        // What a damaged message told may be taken back.
        if let (Event::Retract { to_ply }, Some(_), None) = (event, self.asks, self.message_fault) {
            self.differs(Kind::Guessed, format!("moves after ply {to_ply} were guessed"));
        }
        if let Event::Unexplained { squares } = event {
            self.person.hears_unexplained(t.as_ms());
            let mut named = squares.clone();
            named.sort();
            if named == self.wrong_start {
                self.wrong_start.clear();
            }
        }
        if let Event::Resolved = event {
            self.person.hears_resolved();
        }
        self.seen.hear(of, record);
        if began {
            // The daemon gives a game that began its place in the round, and with it the time control.
            let tag = |name: &str| {
                self.table.current().and_then(|tags| tags.get(name)).map(|text| (name.to_owned(), text.to_owned()))
            };
            let names = ["TimeControl", "WhiteTimeControl", "BlackTimeControl"];
            // An input, made as the daemon makes it; nothing is expected from it.
            let control = Controls::of_tags(&names.into_iter().filter_map(tag).collect());
            let assign = Assign { time_control: control, ..self.pairings.get(of).cloned().unwrap_or_default() };
            self.take(*t, &Input::Notice(Notice::Assign(assign)));
        }
    }

    pub(super) fn differs(&mut self, kind: Kind, what: String) {
        self.seen.differences.push(Difference::new(kind, what));
    }

    pub(super) fn hear_start(&mut self) {
        let wrong = std::mem::take(&mut self.wrong_start);
        if !wrong.is_empty() && self.names_wrong_start {
            let what = format!("pieces stood wrongly on {}, and no event named the squares", wrong.join(" "));
            self.differs(Kind::WrongSetupNotReported, what);
        }
    }
}
