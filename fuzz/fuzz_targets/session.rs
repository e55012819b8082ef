//! Hands, clocks, lines and people in any order at any times: a session never panics, never runs away, and what it tells can
//! be folded into a game.
//!
//! The data is read as steps: a byte of time, a byte of kind, and what the kind needs. Legal moves are a kind of their own, so
//! that games come about, and so are logs, orders and restarts that fit the game as far as the data likes.
#![no_main]

use dgt_protocol::{ClockMessage, ClockTimes, EventLog, Field, LogEvent, Message, PieceCode, Side, SideTime};
use game_core::event::{Event, Variant};
use game_core::game::Game;
use game_core::input::{Assign, Attach, Command, Detach, Input, Notice, Order};
use game_core::placement::{Placement, square_of};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use libfuzzer_sys::fuzz_target;
use shakmaty::{Chess, Move, Position};

/// Positions that people name and pairings start from, some of them impossible.
const FENS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w EGeg - 0 1",
    "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 99 120",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "not a position",
];
const TIME_CONTROLS: [&str; 6] = ["300+3", "40/5400+30:1800+30", "?", "-", "sandclock", "*180"];
const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "*", "0-0"];

/// The data that is left.
struct Data<'a>(&'a [u8]);

impl Data<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// A byte, 0 when there is none.
    fn any(&mut self) -> u8 {
        self.byte().unwrap_or_default()
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken.to_vec()
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[usize::from(self.any()) % texts.len()]
    }
}

/// The table as its players know it.
struct Table {
    position: Chess,
    moves: Vec<Move>,
    /// What the board's log has kept.
    log: Vec<LogEvent>,
    clock: ClockTimes,
    rotated: bool,
}

impl Table {
    fn new(rotated: bool) -> Self {
        let side = SideTime { minutes: 5, per_move: true, ..SideTime::default() };
        let clock = ClockTimes { left: side, right: side, right_side_up: true, ..ClockTimes::default() };
        let log = vec![LogEvent::PowerUp, LogEvent::StartPosition];
        Self { position: Chess::default(), moves: Vec::new(), log, clock, rotated }
    }

    fn shown(&self) -> Placement {
        Placement::from_board(self.position.board())
    }

    fn dump(&self) -> Input {
        let mut fields = [PieceCode::Empty; 64];
        for field in Field::all() {
            fields[field.index()] = self.shown().get(square_of(field, self.rotated));
        }
        message(&Message::BoardDump(fields))
    }

    /// A legal move as the board reports it, lifted pieces first.
    fn play(&mut self, choice: u8) -> Option<Input> {
        let legal = self.position.legal_moves();
        let mv = *legal.get(usize::from(choice) % legal.len().max(1))?;
        let before = self.shown();
        self.position.play_unchecked(mv);
        self.moves.push(mv);
        let after = self.shown();
        let mut changes: Vec<_> = Field::all()
            .filter(|&field| before.get(square_of(field, self.rotated)) != after.get(square_of(field, self.rotated)))
            .collect();
        changes.sort_by_key(|&field| after.get(square_of(field, self.rotated)) != PieceCode::Empty);
        let mut bytes = Vec::new();
        for field in changes {
            let piece = after.get(square_of(field, self.rotated));
            bytes.extend(Message::FieldUpdate { field, piece }.encode());
            self.log.push(LogEvent::Field { field, piece, within_250ms: false });
        }
        Some(Input::Bytes(bytes))
    }

    /// The player who has the move in the clock's eyes presses it.
    fn press(&mut self, seconds: u8) -> Input {
        self.clock.running = true;
        self.clock.right_side_up = !self.clock.right_side_up;
        let left = self.clock.right_side_up;
        let side = if left { &mut self.clock.left } else { &mut self.clock.right };
        side.seconds = seconds % 60;
        let total_seconds = u32::from(side.minutes) * 60 + u32::from(side.seconds);
        let side = if left { Side::Left } else { Side::Right };
        self.log.push(LogEvent::Clock { side, total_seconds });
        message(&Message::Clock(ClockMessage::Times(self.clock)))
    }

    /// Names of moves that were played, or nearly.
    fn names(&self, data: &mut Data<'_>) -> (u32, Vec<String>) {
        let keep = usize::from(data.any()) % (self.moves.len() + 2);
        let mode = shakmaty::CastlingMode::Standard;
        let mut names: Vec<_> = self.moves.iter().skip(keep).map(|mv| mv.to_uci(mode).to_string()).collect();
        if data.any() % 4 == 0 {
            names.push(data.one_of(&["e2e4", "e7e8q", "a1a1", "0000", "O-O", ""]).to_owned());
        }
        (keep as u32, names)
    }

    fn order(&self, data: &mut Data<'_>) -> Order {
        match data.any() % 5 {
            0 => Order::StartFrom { fen: data.one_of(&FENS).to_owned(), variant: variant(data) },
            1 => Order::Blind { squares: vec![data.one_of(&["e4", "a1", "h8", "z9", "d8"]).to_owned()] },
            2 => Order::Result { result: data.one_of(&RESULTS).to_owned(), reason: None },
            _ => {
                let (keep, moves) = self.names(data);
                Order::Moves { keep, moves }
            }
        }
    }
}

fn message(message: &Message) -> Input {
    Input::Bytes(message.encode())
}

fn variant(data: &mut Data<'_>) -> Variant {
    if data.any() % 2 == 0 { Variant::Standard } else { Variant::Chess960 }
}

fn next_input(data: &mut Data<'_>, table: &mut Table, session: &BoardSession) -> Option<Input> {
    let kind = data.byte()?;
    Some(match kind {
        0..=79 => table.play(data.any())?,
        80..=129 => table.press(data.any()),
        130..=149 => {
            let (field, piece) = (Field::new(kind % 64)?, PieceCode::from_byte(data.any()));
            message(&Message::FieldUpdate { field, piece })
        }
        150..=169 => Input::Bytes([&[0x8d, 0x00, 0x0a][..], &data.take(7)].concat()),
        170..=184 => table.dump(),
        185..=192 => Input::Bytes([&[0x86, 0x00, 0x43][..], &data.take(64)].concat()),
        193..=200 => Input::Notice(Notice::Attach(Attach::default())),
        201..=206 => Input::Notice(Notice::Detach(Detach::default())),
        207..=212 => message(&Message::Log(table.log.iter().copied().collect())),
        213..=216 => message(&Message::Log(EventLog::from_bytes(&data.take(40)))),
        217..=222 => Input::Notice(Notice::Command(Command { by: "Ada".to_owned(), order: table.order(data) })),
        223..=226 => Input::Notice(Notice::Assign(Assign {
            game: "g".to_owned(),
            fen: (data.any() % 2 == 0).then(|| data.one_of(&FENS).to_owned()),
            variant: variant(data),
            time_control: Some(data.one_of(&TIME_CONTROLS).to_owned()),
            ..Assign::default()
        })),
        227..=229 => {
            let mut resume = session.to_resume().unwrap_or_default();
            resume.rotated ^= data.any() % 8 == 0;
            resume.ended |= data.any() % 8 == 0;
            Input::Notice(Notice::Resume(resume))
        }
        230 => {
            *table = Table::new(table.rotated);
            table.dump()
        }
        _ => Input::Bytes(data.take(usize::from(kind) - 230)),
    })
}

fuzz_target!(|data: &[u8]| {
    let mut data = Data(data);
    let mut session = BoardSession::new();
    let mut game = Game::new();
    let mut table = Table::new(data.any() % 4 == 0);
    let mut now = Timestamp::ZERO;
    session.handle_input(now, &table.dump());
    while let Some(wait) = data.byte() {
        now = match wait {
            // Nothing in the daemon's own time goes back; a capture may.
            255 => Timestamp::from_ms(now.as_ms().saturating_sub(5_000)),
            200..=254 => now.plus(u64::from(wait - 199) * 2_000),
            _ => now.plus(u64::from(wait) * 10),
        };
        let mut deadlines = 0;
        while let Some(due) = session.next_deadline().filter(|due| *due <= now) {
            session.handle_timeout(due);
            deadlines += 1;
            assert!(deadlines < 1_000, "deadlines without end");
        }
        let Some(input) = next_input(&mut data, &mut table, &session) else { continue };
        session.handle_input(now, &input);
        while let Some(output) = session.poll_output() {
            if let Output::Event(record) = output {
                assert!(game.apply(&record.event), "{record:?} does not fit");
                if let Event::Move { clk_ms: Some(ms), .. } = record.event {
                    assert!(ms <= 36_000_000);
                }
            }
        }
    }
});
