//! A board in virtual time whose pieces a test sets as it likes. What its session tells is folded into a game.

use board_sim::placement;
use dgt_protocol::{Field, Message, PieceCode};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::Input;
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use shakmaty::{Chess, Position, Square, san::San};

/// A board of one session.
pub(crate) struct SmallBoard {
    pub(crate) game: Game,
    /// What stands there.
    pub(crate) fields: [PieceCode; 64],
    session: BoardSession,
    now: Timestamp,
    told: Vec<Output>,
}

impl SmallBoard {
    /// A position stands there, which the session does not know yet; the record has `game`.
    pub(crate) fn new(position: &Chess, game: Game) -> Self {
        Self { game, fields: fields(position), session: BoardSession::new(), now: Timestamp::ZERO, told: Vec::new() }
    }

    pub(crate) fn input(&mut self, input: &Input) {
        self.session.handle_input(self.now, input);
        self.wait(1_500);
    }

    pub(crate) fn wait(&mut self, ms: u64) {
        self.now = self.now.plus(ms);
        loop {
            while let Some(output) = self.session.poll_output() {
                if let Output::Event(record) = &output {
                    assert!(self.game.apply(&record.event), "{record:?}");
                }
                self.told.push(output);
            }
            let Some(due) = self.session.next_deadline().filter(|due| *due <= self.now) else { break };
            self.session.handle_timeout(due);
        }
    }

    /// The board shows all that stands there.
    pub(crate) fn dump(&mut self) {
        self.input(&Input::Bytes(Message::BoardDump(self.fields).encode()));
    }

    /// Hands make what stands there this, one square after the other.
    pub(crate) fn change(&mut self, wanted: &[PieceCode; 64]) {
        for field in Field::all() {
            let piece = wanted[field.index()];
            if std::mem::replace(&mut self.fields[field.index()], piece) != piece {
                self.session.handle_input(self.now, &Input::Bytes(Message::FieldUpdate { field, piece }.encode()));
                self.wait(400);
            }
        }
    }

    /// The other board that answers on its line.
    #[allow(dead_code, reason = "not every test exchanges boards")]
    pub(crate) fn other_board(&self) -> Option<&str> {
        self.session.other_board()
    }

    /// The other game that is played on it.
    #[allow(dead_code, reason = "not every test exchanges boards")]
    pub(crate) fn shows_other(&self) -> Option<&str> {
        self.session.shows_other()
    }

    /// All that the session said.
    #[allow(dead_code, reason = "not every test looks at them")]
    pub(crate) fn told(&self) -> impl Iterator<Item = &Output> {
        self.told.iter()
    }

    /// The events that it told.
    #[allow(dead_code, reason = "not every test looks at them")]
    pub(crate) fn events(&self) -> impl Iterator<Item = &Event> {
        self.told().filter_map(|output| match output {
            Output::Event(record) => Some(&record.event),
            Output::Send(_) => None,
        })
    }

    /// The moves of the game.
    pub(crate) fn moves(&self) -> String {
        self.game.moves().iter().map(|mv| mv.san.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// What a board has on its squares in a position.
pub(crate) fn fields(position: &Chess) -> [PieceCode; 64] {
    let mut fields = [PieceCode::Empty; 64];
    for square in Square::ALL {
        let field = placement::field(square, false).unwrap();
        fields[field.index()] = placement::code(position.board().piece_at(square));
    }
    fields
}

/// The position after each of these moves.
pub(crate) fn positions(from: &Chess, moves: &str) -> Vec<Chess> {
    let next = |position: &mut Chess, san: &str| {
        *position = position.clone().play(san.parse::<San>().unwrap().to_move(position).unwrap()).unwrap();
        Some(position.clone())
    };
    moves.split_whitespace().scan(from.clone(), next).collect()
}
