//! The dialogue with an attached board: switching its updates on, keeping them on, and asking for dumps.
//!
//! A restarted board is silent, has forgotten its update mode and does not announce the restart (docs/protocol.md, 9).
//! Silence is therefore answered by switching the updates on again (arming), which does not disturb a board that is
//! armed. Once after such a silence and with the regular dumps the board is asked who it is. Must not know chess, or how bytes travel.

use std::collections::VecDeque;

use dgt_protocol::Command;
use serde::Serialize;

use crate::identity::{Answer, Identity};
use crate::time::Timestamp;

/// Silence after which the board is armed again and asked for a dump, in ms. A running clock reports every second.
const SILENCE_MS: u64 = 3_000;
/// Silence after which the board counts as not responding, in ms (the limit of DGT's own software;
/// docs/protocol.md, 9).
const LOST_MS: u64 = 5_000;
/// Longest time between two regular dumps, in ms; they find changes whose updates were lost
/// (docs/board-behaviour.md, 10.4).
const DUMP_EVERY_MS: u64 = 10_000;
/// Shortest time between two requested dumps, in ms; a dump takes 70 ms of the line.
const DUMP_GAP_MS: u64 = 500;
/// How long a line counts as one that damages messages after it has damaged one, in ms. One bit makes another square of a square, and
/// no message has a checksum: what is put down is looked at again there, before a press makes a ply of it.
const NOISY_MS: u64 = 600_000;
/// How long an answer is waited for, in ms; after that it counts as lost.
const ANSWER_MS: u64 = 2_000;
/// Silence after which what arrives may come from another board, in ms: to put a cable into another board takes longer.
const EXCHANGE_MS: u64 = 2_000;
/// Time from the attachment to the first question for the battery, in ms: the position comes first.
const BATTERY_FIRST_MS: u64 = 10_000;
/// Time between two questions for the battery, in ms: it lasts for days.
const BATTERY_EVERY_MS: u64 = 600_000;
/// The same times on a bus, as multiples: thirty boards take turns on its line.
const BUS_PATIENCE: u64 = 3;

/// Whether the board can be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LinkState {
    /// Not plugged in.
    #[default]
    Detached,
    /// Plugged in, no bytes received yet.
    Starting,
    /// The board answers.
    Alive,
    /// The board does not answer.
    NotResponding,
}

/// The dialogue with one board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link {
    state: LinkState,
    last_message_at: Timestamp,
    armed: Timestamp,
    /// When the next regular dump is due, independent of requested ones.
    next_dump: Timestamp,
    dump_due: Option<Timestamp>,
    asked: VecDeque<Timestamp>,
    /// When a message was damaged the last time.
    damaged_at: Option<Timestamp>,
    /// Whether the clock was asked for and has not answered yet.
    clock_asked: bool,
    /// When the battery is asked for; none where that is not safe or there is none.
    next_battery: Option<Timestamp>,
    /// Whether the board is still the one that was plugged in.
    identity: Identity,
    /// The factor of all times.
    patience: u64,
    outbox: VecDeque<Command>,
}

impl Link {
    /// Whether the board can be reached.
    pub(crate) fn state(&self) -> LinkState {
        self.state
    }

    /// The board was plugged in.
    ///
    /// Only a board on Bluetooth is asked for its battery: others have none, and on a line without checksums the question is one
    /// damaged bit from the start of the boot loader, which is never sent (docs/protocol.md, 3). A board on a bus is not asked for
    /// its `serial` number again: each of its replies has its address.
    pub(crate) fn attach(&mut self, now: Timestamp, on_bus: bool, bluetooth: bool, serial: Option<String>) {
        let patience = if on_bus { BUS_PATIENCE } else { 1 };
        *self = Self {
            patience,
            state: LinkState::Starting,
            last_message_at: now,
            next_dump: now.plus(patience * DUMP_EVERY_MS),
            next_battery: (bluetooth && !on_bus).then(|| now.plus(BATTERY_FIRST_MS)),
            identity: Identity::of(serial.filter(|_| !on_bus), now),
            ..Self::default()
        };
        self.arm(now);
    }

    /// The board was unplugged.
    pub(crate) fn detach(&mut self) {
        *self = Self::default();
    }

    /// Bytes arrived.
    pub(crate) fn note_message(&mut self, now: Timestamp) {
        if now.since(self.last_message_at) >= EXCHANGE_MS {
            self.ask_serial(now);
        }
        self.last_message_at = now;
        if self.state != LinkState::Detached {
            self.state = LinkState::Alive;
        }
    }

    /// The board gave its serial number. Returns whether a doubt about it is over, during which its messages were not used.
    pub(crate) fn serial_arrived(&mut self, now: Timestamp, serial: &str) -> bool {
        let answer = self.identity.answered(now, serial);
        if answer == Answer::AskAgain {
            self.outbox.push_back(Command::Serial);
        }
        answer == Answer::SameAfterAll
    }

    /// Up to when the messages are surely those of this board.
    pub(crate) fn right_at(&self) -> Timestamp {
        self.identity.right_at()
    }

    /// The board shows what no hands can have made meanwhile. Returns whether nothing that it says is used before it has answered who
    /// it is.
    pub(crate) fn suspects(&mut self, now: Timestamp) -> bool {
        let suspects = self.state != LinkState::Detached && self.identity.suspects(now);
        if suspects {
            self.outbox.push_back(Command::Serial);
        }
        suspects
    }

    /// Whether messages may come from another board: they are not used.
    pub(crate) fn may_be_another(&self) -> bool {
        self.identity.is_doubted()
    }

    /// The serial number of another board that answers on this line now.
    pub(crate) fn other_board(&self) -> Option<&str> {
        self.identity.other()
    }

    /// A dump arrived, asked for or not.
    pub(crate) fn dump_arrived(&mut self, now: Timestamp) {
        while self.asked.front().is_some_and(|&asked| now.since(asked) > self.patience * ANSWER_MS) {
            self.asked.pop_front();
        }
        self.asked.pop_front();
    }

    /// A clock message arrived. A board answers in order: a dump that was asked for before the clock, and has not come, is lost
    /// and asked for again.
    pub(crate) fn clock_arrived(&mut self, now: Timestamp) {
        let answers = std::mem::take(&mut self.clock_asked);
        if answers && self.asked.front() == Some(&self.armed) {
            self.asked.clear();
            self.ask_dump(now);
        }
    }

    /// Asks for a dump as soon as [`DUMP_GAP_MS`] has passed since the last one.
    pub(crate) fn request_dump(&mut self, now: Timestamp) {
        if self.state == LinkState::Detached || self.dump_due.is_some() {
            return;
        }
        let due = self.asked.back().map_or(now, |asked| asked.plus(DUMP_GAP_MS)).max(now);
        if due == now { self.ask_dump(now) } else { self.dump_due = Some(due) }
    }

    /// A message was damaged: it may have told of a change.
    pub(crate) fn message_damaged(&mut self, now: Timestamp) {
        self.damaged_at = Some(now);
        self.request_dump(now);
    }

    /// A piece was put down or the clock was pressed: on a line that damages messages a dump has to confirm what stands there.
    pub(crate) fn confirm(&mut self, now: Timestamp) {
        if self.damaged_at.is_some_and(|at| now.since(at) < NOISY_MS) {
            self.request_dump(now);
        }
    }

    /// A dump showed unreported changes: the board may have restarted unnoticed and is armed again; or it is another one.
    pub(crate) fn arm_again(&mut self, now: Timestamp) {
        if self.state != LinkState::Detached {
            self.armed = now;
            self.outbox.push_back(Command::UpdateNice);
            if self.identity.asks_at_once(now) {
                self.outbox.push_back(Command::Serial);
            }
        }
    }

    /// Asks for the board's own log, which takes 8 s of the line.
    pub(crate) fn ask_log(&mut self) {
        if self.state != LinkState::Detached {
            self.outbox.push_back(Command::Log);
        }
    }

    /// When [`Self::handle_timeout`] is due next.
    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        if self.state == LinkState::Detached {
            return None;
        }
        let silent = self.last_message_at.max(self.armed).plus(self.patience * SILENCE_MS);
        let lost = (self.state != LinkState::NotResponding).then(|| self.last_message_at.plus(self.patience * LOST_MS));
        let (again, believed) = (self.identity.repeat_at(), self.identity.believed_at());
        [Some(silent), lost, self.dump_due, Some(self.next_dump), self.answer_due(), self.next_battery, again, believed]
            .into_iter()
            .flatten()
            .min()
    }

    /// Runs what is due.
    pub(crate) fn handle_timeout(&mut self, now: Timestamp) {
        if self.state == LinkState::Detached {
            return;
        }
        if now.since(self.last_message_at) >= self.patience * LOST_MS {
            self.state = LinkState::NotResponding;
        }
        if now.since(self.last_message_at.max(self.armed)) >= self.patience * SILENCE_MS {
            self.ask_serial(now);
            self.arm(now);
        }
        if self.identity.repeats(now) {
            self.outbox.push_back(Command::Serial);
        }
        if self.identity.is_believed(now) {
            self.request_dump(now);
        }
        if self.answer_due().is_some_and(|due| due <= now) {
            // The request or the answer was lost on a working line.
            self.asked.clear();
            self.request_dump(now);
        }
        if self.next_battery.is_some_and(|due| due <= now) {
            self.next_battery = Some(now.plus(BATTERY_EVERY_MS));
            if self.state == LinkState::Alive {
                self.outbox.push_back(Command::Battery);
            }
        }
        let regular = self.next_dump <= now;
        if regular {
            self.ask_serial(now);
            let every_ms = self.patience * DUMP_EVERY_MS;
            let periods = now.since(self.next_dump) / every_ms + 1;
            self.next_dump = self.next_dump.plus(periods * every_ms);
        }
        if regular || self.dump_due.is_some_and(|due| due <= now) {
            self.ask_dump(now);
        }
    }

    /// When the last requested dump counts as lost; none while the board is silent, as it is then armed again.
    fn answer_due(&self) -> Option<Timestamp> {
        let asked = *self.asked.back()?;
        (self.last_message_at > asked).then(|| asked.plus(self.patience * ANSWER_MS + 1))
    }

    /// The next command to send.
    pub(crate) fn poll(&mut self) -> Option<Command> {
        self.outbox.pop_front()
    }

    fn arm(&mut self, now: Timestamp) {
        self.armed = now;
        self.outbox.push_back(Command::UpdateNice);
        self.ask_dump(now);
        self.outbox.push_back(Command::Clock);
        self.clock_asked = true;
    }

    fn ask_serial(&mut self, now: Timestamp) {
        if self.identity.asks(now) {
            self.outbox.push_back(Command::Serial);
        }
    }

    fn ask_dump(&mut self, now: Timestamp) {
        self.dump_due = None;
        if self.asked.len() >= 8 {
            self.asked.pop_front();
        }
        self.asked.push_back(now);
        self.outbox.push_back(Command::Board);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attached() -> Link {
        let mut link = Link::default();
        link.attach(Timestamp::ZERO, false, false, None);
        let asked: Vec<_> = std::iter::from_fn(|| link.poll()).collect();
        assert_eq!(asked, [Command::UpdateNice, Command::Board, Command::Clock]);
        link
    }

    #[test]
    fn a_dump_that_did_not_come_before_the_clock_is_asked_for_again() {
        let mut link = attached();
        link.clock_arrived(Timestamp::from_ms(100));
        assert_eq!(link.poll(), Some(Command::Board));
        link.clock_arrived(Timestamp::from_ms(200));
        assert_eq!(link.poll(), None, "only the first one answers the request for the clock");
    }

    #[test]
    fn a_dump_that_came_is_not_asked_for_again() {
        let mut link = attached();
        link.dump_arrived(Timestamp::from_ms(90));
        link.clock_arrived(Timestamp::from_ms(100));
        assert_eq!(link.poll(), None);
    }

    #[test]
    fn a_board_on_bluetooth_is_asked_for_its_battery_now_and_then_and_no_other_board() {
        let asked = |bluetooth: bool, on_bus: bool| {
            let mut link = Link::default();
            link.attach(Timestamp::ZERO, on_bus, bluetooth, None);
            let mut asked = Vec::new();
            while let Some(due) = link.next_deadline().filter(|due| due.as_ms() < 3_600_000) {
                link.note_message(due);
                link.handle_timeout(due);
                let commands = std::iter::from_fn(|| link.poll());
                asked.extend(commands.filter(|command| *command == Command::Battery).map(|_| due.as_ms()));
            }
            asked
        };
        assert_eq!(asked(true, false), [10_000, 610_000, 1_210_000, 1_810_000, 2_410_000, 3_010_000]);
        assert!(asked(false, false).is_empty() && asked(true, true).is_empty());
    }
}
