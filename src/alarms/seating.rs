//! What the operator is asked about boards and tables: boards without a table, moves that belong to no pairing, and serial servers
//! that cannot be reached.
//!
//! Must not know how an assignment is made, only which orders do it.

use std::sync::Arc;

use coded_text::CodedText;

use super::sentence::HallSentence;
use crate::director::DirectorHandle;
use crate::transport::ports::PortLine;
use hall_clock::UtcMs;
use tournament::{Found, Hall, Proposal, awaited_on, tables_without_board};

/// The most boards or tables that one sentence lists.
const LISTED: usize = 12;

/// For how long a serial server is out of reach before that is an alarm, in milliseconds: it may be starting.
const UNREACHABLE_MS: u64 = 60_000;

/// The questions at this moment.
#[derive(Debug, Default)]
pub(super) struct Seating {
    /// Serial numbers of the connected boards that a person has to assign.
    pub(super) boards: Vec<Arc<str>>,
    /// The question about them.
    pub(super) without_table: Vec<CodedText>,
    /// The question about moves on boards whose round is not armed, or was armed too late.
    pub(super) before_round: Vec<CodedText>,
}

/// Looks at the hall; `moves` gives the number of moves of a running game.
pub(super) fn look(director: &DirectorHandle, moves: impl Fn(&str) -> usize) -> Seating {
    let hall = director.hall();
    if !hall.is_paired() {
        // Open play asks nothing.
        return Seating::default();
    }
    let played = |board: &str| hall.playing(board).filter(|game| is_apart(&hall, game) && moves(game) > 0);
    let all_seated = tables_without_board(&hall).is_empty();
    let without_table = director.connected_boards().into_iter().filter(|board| hall.table_of(board).is_none());
    // A spare board is asked about only when it is played on.
    let boards: Vec<_> = without_table.filter(|board| !all_seated || played(board).is_some()).collect();
    let waiting = hall.on_boards.keys().filter_map(|board| {
        played(board)?;
        Some(Early { board, table: hall.table_of(board)?, awaited: awaited_on(&hall, board)? })
    });
    Seating {
        without_table: if boards.is_empty() { Vec::new() } else { question(&hall, &boards) },
        boards,
        before_round: before_round(&waiting.collect::<Vec<_>>()),
    }
}

/// What is wrong with boards without a table.
pub(super) fn not_assigned(boards: &[Arc<str>]) -> HallSentence {
    match boards {
        [board] => HallSentence::BoardNotAssigned { board: board.to_string() },
        boards => HallSentence::BoardsNotAssigned { boards: listed(boards) },
    }
}

fn question(hall: &Hall, boards: &[Arc<str>]) -> Vec<CodedText> {
    let mut sentences = vec![not_assigned(boards).into()];
    let Proposal { seats, .. } = Proposal::of(hall, boards.iter().cloned());
    if !seats.is_empty() {
        let seats: Vec<_> =
            seats.iter().map(|seat| format!("{}: {}", seat.table, seat.board.as_deref().unwrap_or("-"))).collect();
        sentences.push(HallSentence::SeatsBySerial { seats: listed(&seats) }.into());
    }
    sentences.push(HallSentence::AssignOne.into());
    sentences
}

/// A board that is played on before its pairing's game could begin.
struct Early<'a> {
    board: &'a str,
    table: u32,
    awaited: Found<'a>,
}

fn before_round(early: &[Early<'_>]) -> Vec<CodedText> {
    let (late, open): (Vec<_>, Vec<_>) = early.iter().partition(|early| early.awaited.round.state.opens_games());
    let mut sentences = Vec::new();
    if let Some(first) = open.first() {
        let tables: Vec<_> = open.iter().map(|early| early.table).collect();
        let (round, section) = (first.awaited.round.number, first.awaited.section.slug.to_string());
        sentences.push(HallSentence::MovesBeforeRound { tables: listed(&tables), round, section }.into());
    }
    if !late.is_empty() {
        let tables: Vec<_> = late.iter().map(|early| early.table).collect();
        let boards: Vec<_> = late.iter().map(|early| early.board).collect();
        sentences.push(HallSentence::PlayBeforeArming { boards: listed(&boards), tables: listed(&tables) }.into());
    }
    sentences
}

/// What is said about boards whose trademarks are not the maker's.
pub(super) fn other_trademarks(boards: &[Arc<str>]) -> Vec<CodedText> {
    match boards {
        [] => Vec::new(),
        [board] => vec![HallSentence::OtherTrademark { board: board.to_string() }.into()],
        boards => vec![HallSentence::OtherTrademarks { boards: listed(boards) }.into()],
    }
}

/// What is said about serial servers that cannot be reached for a while.
pub(super) fn unreachable(ports: &[PortLine], now: UtcMs) -> Vec<CodedText> {
    let long =
        |line: &&PortLine| line.unreachable_since.is_some_and(|since| now.saturating_sub(since) >= UNREACHABLE_MS);
    let ports: Vec<_> = ports.iter().filter(long).map(|line| line.port.as_str()).collect();
    if ports.is_empty() {
        return Vec::new();
    }
    vec![HallSentence::ServersUnreachable { ports: listed(&ports) }.into()]
}

/// Whether a game belongs to no pairing: an unassigned one or one of open play.
fn is_apart(hall: &Hall, game: &str) -> bool {
    let unassigned = hall.unassigned.get(game).is_some_and(|known| known.adopted_as.is_none());
    unassigned || hall.game(game).is_some_and(|found| found.section.settings.open_play)
}

fn listed(items: &[impl ToString]) -> String {
    let shown: Vec<_> = items.iter().take(LISTED).map(ToString::to_string).collect();
    match items.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{}, … (+{more})", shown.join(", ")),
    }
}
