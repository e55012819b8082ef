//! Simulated boards on one line, in virtual time.

mod busy;

use std::collections::{BTreeMap, BTreeSet};

use board_sim::board::SimBoard;
use dgt_protocol::{Command, Field, LogEvent, PieceCode};

use super::*;

/// Microseconds that a byte takes.
const BYTE_US: u64 = 1_042;

/// A line with its boards. Replies that overlap damage each other.
struct Chain {
    line: BusLine,
    boards: Vec<SimBoard>,
    /// Whether each board is connected.
    there: Vec<bool>,
    now: u64,
    /// The reply under way: its end, its bytes, and whether another one damaged it.
    under_way: Option<(u64, Vec<u8>, bool)>,
    found: BTreeSet<u16>,
    lost: Vec<u16>,
    replies: BTreeMap<u16, Vec<BusMessage>>,
    /// Every reply with this number is damaged, lost where it is even; 0 for none.
    damage_every: usize,
    /// Milliseconds by which replies with a multiple of the number are late: a slow serial server.
    late: Option<(usize, u64)>,
    /// Every reply is late by up to so many milliseconds at random, with the state of the random numbers: a busy machine.
    busy: Option<(u64, u32)>,
    /// Until then the computer does nothing; bytes wait for it.
    stalled_until: u64,
    /// Replies that are late, by the time at which they are sent.
    waiting: BTreeMap<u64, Vec<Vec<u8>>>,
    /// Bytes that wait for the computer.
    arrived: Vec<Vec<u8>>,
    /// Commands that were sent to one board, by their first byte.
    asked: BTreeMap<u8, usize>,
    sent: usize,
    forbidden: usize,
    /// When each board's changes came last.
    changes_at: BTreeMap<u16, u64>,
    /// How long after the changes a reading of a clock or a dump was passed on, at most.
    latest: u64,
}

impl Chain {
    fn new(boards: u32, known: &[u16]) -> Self {
        let mut boards: Vec<_> = (0..boards).map(|n| SimBoard::new(1_025 + n, (1, 8), 200, n.into())).collect();
        boards.iter_mut().for_each(SimBoard::power_on);
        Self {
            line: BusLine::new(Timestamp::ZERO, known, BusPace::default()),
            there: vec![true; boards.len()],
            boards,
            now: 0,
            under_way: None,
            found: BTreeSet::new(),
            lost: Vec::new(),
            replies: BTreeMap::new(),
            damage_every: 0,
            late: None,
            busy: None,
            stalled_until: 0,
            waiting: BTreeMap::new(),
            arrived: Vec::new(),
            asked: BTreeMap::new(),
            sent: 0,
            forbidden: 0,
            changes_at: BTreeMap::new(),
            latest: 0,
        }
    }

    fn reply(&mut self, mut bytes: Vec<u8>) {
        self.sent += 1;
        if self.damage_every > 0 && self.sent.is_multiple_of(self.damage_every) {
            if self.sent.is_multiple_of(2) {
                return;
            }
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
        }
        // A server passes on in order what comes after a late reply.
        let last = self.waiting.last_key_value().map(|(at, _)| *at);
        let late = self.late.filter(|(every, _)| self.sent.is_multiple_of(*every)).map(|(_, by)| by);
        let busy = self.busy.as_mut().map(|(most, state)| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            u64::from(*state >> 8) % *most
        });
        let late = late.or(busy).map(|by| self.now + by);
        if let Some(at) = late.or(last) {
            self.waiting.entry(last.map_or(at, |last| last.max(at))).or_default().push(bytes);
            return;
        }
        self.send(bytes);
    }

    fn send(&mut self, bytes: Vec<u8>) {
        let end = self.now + (bytes.len() as u64 * BYTE_US).div_ceil(1_000);
        match &mut self.under_way {
            Some((until, other, collided)) => {
                for (place, byte) in bytes.into_iter().enumerate() {
                    match other.get_mut(place) {
                        Some(own) => *own |= byte,
                        None => other.push(byte),
                    }
                }
                (*until, *collided) = (end.max(*until), true);
            }
            None => self.under_way = Some((end, bytes, false)),
        }
    }

    /// Lets time pass in steps of a millisecond.
    fn run(&mut self, ms: u64) {
        for _ in 0..ms {
            self.now += 1;
            let now = Timestamp::from_ms(self.now);
            for place in 0..self.boards.len() {
                self.boards[place].advance(self.now);
                while let Some(bytes) = self.boards[place].next_outgoing() {
                    if self.there[place] {
                        self.reply(bytes);
                    }
                }
            }
            let mut arriving = self.waiting.remove(&self.now).unwrap_or_default();
            if self.under_way.as_ref().is_some_and(|(end, ..)| *end <= self.now) {
                arriving.push(self.under_way.take().unwrap().1);
            }
            self.arrived.extend(arriving);
            if self.now < self.stalled_until {
                continue;
            }
            if self.now == self.stalled_until {
                // Its timers are first to know that time has passed.
                self.line.handle_timeout(now);
            }
            for bytes in std::mem::take(&mut self.arrived) {
                if let Ok(BusMessage::Changes { address, .. }) = BusMessage::decode(&bytes) {
                    self.changes_at.insert(address.number(), self.now);
                }
                self.line.handle_bytes(now, &bytes);
            }
            self.line.handle_timeout(now);
            while let Some(command) = self.line.poll_command() {
                let bytes = Command::Bus(command).encode();
                if command.address() != Address::ALL {
                    *self.asked.entry(bytes[0]).or_default() += 1;
                }
                for (board, _) in self.boards.iter_mut().zip(&self.there).filter(|(_, there)| **there) {
                    board.host_bytes(self.now, &bytes);
                    self.forbidden += board.host_commands().forbidden.len();
                }
            }
            while let Some(event) = self.line.poll_event() {
                match event {
                    BusEvent::Found { address, .. } => {
                        self.found.insert(address.number());
                        // As a session does.
                        self.line.request(now, BusCommand::Board(address));
                    }
                    BusEvent::Reply { address, bytes } => {
                        let message = BusMessage::decode(&bytes).expect("an undamaged reply");
                        if matches!(message, BusMessage::Clock { .. } | BusMessage::Board { .. }) {
                            let since = self.changes_at.get(&address.number()).map_or(0, |at| self.now - at);
                            self.latest = self.latest.max(since);
                        }
                        self.replies.entry(address.number()).or_default().push(message);
                    }
                    BusEvent::Lost { address } => {
                        self.found.remove(&address.number());
                        self.lost.push(address.number());
                    }
                }
            }
        }
    }

    /// The changes of a field that a board reported, in order.
    fn changes(&self, address: u16, of: Field) -> Vec<PieceCode> {
        let logs = self.replies.get(&address).into_iter().flatten().filter_map(|message| match message {
            BusMessage::Changes { log, .. } => Some(log),
            _ => None,
        });
        let fields = logs.flat_map(|log| log.events()).filter_map(|event| match event {
            LogEvent::Field { field, piece, .. } if field == of => Some(piece),
            _ => None,
        });
        fields.collect()
    }
}

fn addresses(count: u16) -> BTreeSet<u16> {
    (1_025..1_025 + count).collect()
}

#[test]
fn all_boards_of_a_line_are_found_though_their_answers_damage_each_other() {
    for count in [1, 5, 30] {
        let mut chain = Chain::new(count.into(), &[]);
        let mut ms = 0;
        while chain.found.len() < usize::from(count) {
            chain.run(100);
            ms += 100;
            assert!(ms < 25_000, "only {:?} of {count} are found", chain.found);
        }
        println!("{count} boards are found after {ms} ms");
        assert_eq!(chain.found, addresses(count));
        assert_eq!(chain.forbidden, 0);
    }
}

#[test]
fn known_boards_are_found_at_once_and_thirty_of_them_are_polled_within_a_second_or_two() {
    let known: Vec<_> = addresses(30).into_iter().collect();
    let mut chain = Chain::new(30, &known);
    // They are asked before the search begins, or between its pings.
    chain.run(12_000);
    assert_eq!(chain.found, addresses(30));
    let before: BTreeMap<_, _> = chain.replies.iter().map(|(address, replies)| (*address, replies.len())).collect();
    chain.run(10_000);
    for (address, replies) in &chain.replies {
        let clocks = replies.iter().skip(before[address]).filter(|reply| matches!(reply, BusMessage::Clock { .. }));
        assert!(clocks.count() >= 5, "the clock of {address} was read too seldom");
    }
}

/// Boards are touched while replies are damaged, lost or late. Every change arrives once and in order.
fn play_on(chain: &mut Chain) {
    let field = Field::new(36).unwrap();
    let mut expected = Vec::new();
    for round in 0..60 {
        let piece = if round % 2 == 0 { PieceCode::from_byte(1 + round % 6) } else { PieceCode::Empty };
        for board in &mut chain.boards {
            board.touch(chain.now, field, piece);
        }
        expected.push(piece);
        chain.run(700);
    }
    (chain.damage_every, chain.late) = (0, None);
    chain.run(4_000);
    for address in addresses(5) {
        assert_eq!(chain.changes(address, field), expected, "{address}");
    }
}

#[test]
fn every_change_arrives_once_and_in_order_on_a_line_that_damages_or_loses_replies() {
    for damage_every in [7, 3, 4, 5] {
        let mut chain = Chain::new(5, &[]);
        chain.run(8_000);
        assert_eq!(chain.found, addresses(5));
        chain.replies.clear();
        chain.damage_every = damage_every;
        play_on(&mut chain);
    }
}

#[test]
fn every_change_arrives_once_and_in_order_on_a_line_whose_replies_come_late() {
    for late in [(11, 150), (5, 150), (7, 350), (13, 600)] {
        let mut chain = Chain::new(5, &[]);
        chain.run(8_000);
        chain.replies.clear();
        chain.late = Some(late);
        play_on(&mut chain);
    }
}

#[test]
fn no_reading_of_the_clock_and_no_dump_comes_long_after_the_changes_that_it_may_show() {
    let mut chain = Chain::new(5, &[]);
    // As of a serial server, for whose answers the line waits longer.
    chain.line = BusLine::new(Timestamp::ZERO, &[], BusPace { answer_ms: 400, ..BusPace::default() });
    chain.run(10_000);
    assert_eq!(chain.found, addresses(5));
    chain.late = Some((7, 900));
    play_on(&mut chain);
    assert!(chain.latest <= 500, "{} ms after the changes", chain.latest);
}

#[test]
fn what_was_fetched_and_lost_when_the_daemon_was_killed_is_asked_for_again() {
    let field = Field::new(36).unwrap();
    let mut chain = Chain::new(3, &[]);
    chain.run(8_000);
    for board in &mut chain.boards {
        board.touch(chain.now, field, PieceCode::WhitePawn);
    }
    chain.replies.clear();
    // Every board has sent the change, and the daemon that asked has got none of them.
    chain.damage_every = 1;
    chain.run(1_200);
    chain.damage_every = 0;
    let known: Vec<_> = addresses(3).into_iter().collect();
    chain.line = BusLine::new(Timestamp::from_ms(chain.now), &known, BusPace::default());
    chain.replies.clear();
    chain.run(3_000);
    for address in addresses(3) {
        assert_eq!(chain.changes(address, field), [PieceCode::WhitePawn], "{address}");
    }
}

#[test]
fn a_board_that_is_pulled_is_gone_soon_and_found_when_it_is_put_back() {
    let mut chain = Chain::new(5, &[]);
    chain.run(8_000);
    chain.there[2] = false;
    chain.boards[2].power_off();
    chain.run(7_000);
    assert_eq!(chain.lost, [1_027]);
    let others: Vec<_> = chain.replies.iter().map(|(address, replies)| (*address, replies.len())).collect();
    chain.run(2_000);
    for (address, before) in others.iter().filter(|(address, _)| *address != 1_027) {
        assert!(chain.replies[address].len() >= before + 2, "{address} waits for the one that is gone");
    }
    chain.boards[2].power_on();
    chain.there[2] = true;
    chain.run(3_000);
    assert!(chain.found.contains(&1_027), "known boards are pinged");
    assert_eq!(chain.lost, [1_027]);
}

#[test]
fn a_board_that_was_never_seen_is_found_while_the_others_play() {
    let mut chain = Chain::new(3, &[]);
    chain.there[1] = false;
    chain.run(8_000);
    assert_eq!(chain.found.len(), 2);
    chain.there[1] = true;
    chain.run(SEARCH_EVERY_MS + 4_000);
    assert_eq!(chain.found, addresses(3));
    assert!(chain.lost.is_empty());
}

#[test]
fn any_bytes_at_any_time_end_in_no_panic_and_no_other_command() {
    let mut line = BusLine::new(Timestamp::ZERO, &[1_025, 0, 20_000], BusPace::default());
    let mut state = 1_u32;
    for ms in 1..20_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let bytes = state.to_be_bytes();
        line.handle_bytes(Timestamp::from_ms(ms), &bytes[..usize::try_from(state % 5).unwrap().min(4)]);
        line.handle_timeout(Timestamp::from_ms(ms));
        while line.poll_command().is_some() || line.poll_event().is_some() {}
        assert!(line.addresses().len() <= MAX_BOARDS);
    }
}
