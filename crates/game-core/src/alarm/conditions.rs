//! The conditions at one table that raise an alarm, each with the text for the arbiter or operator.

use notation::time_control::TimeControl;
use shakmaty::{Chess, Color, Position, Rank, Square};

use super::kind::AlarmKind;
use super::watched::Watched;
use crate::event::Side;
use crate::game::{ClockRecord, Game};
use crate::line::square_names;
use crate::mating::{Mating, mating};
use crate::placement::{Placement, color_of};
use crate::session::Doubts;

/// How long a board must show an unexplained placement, in ms, on top of the wait of recognition.
const ILLEGAL_MS: u64 = 10_000;
/// The same with a missing or an additional king, in ms: pieces have fallen or are being set up.
const UPSET_MS: u64 = 120_000;
/// How long a start position must be wrong, in ms; before, the pieces are still being set up.
const WRONG_START_MS: u64 = 10_000;
/// How long a clock must be stopped in a game without a result, in ms.
const STOPPED_MS: u64 = 120_000;
/// How long a player's time must run after that player's move, in ms; a late press takes less.
const AGAINST_MS: u64 = 60_000;

/// A condition that holds at a table.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) kind: AlarmKind,
    pub(super) ply: u32,
    pub(super) sides: Vec<Side>,
    pub(super) text: String,
}

/// What is remembered of a table between updates: since when states last, and the mating analysis of the last position.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    wrong_since: Option<u64>,
    unexplained_since: Option<u64>,
    /// Since when the board cannot be reached.
    silent_since: Option<u64>,
    outage: Option<Outage>,
    stopped_since: Option<u64>,
    against_since: Option<u64>,
    mating: Option<(Chess, [Mating; 2])>,
}

/// A time in which a board could not be reached, until moves after it are recorded; UTC ms.
#[derive(Clone, Copy, Debug)]
struct Outage {
    from: u64,
    to: u64,
    plies: usize,
}

impl Seen {
    /// Notes when the board could not be reached.
    fn note_outage(&mut self, now: u64, table: &Watched<'_>) {
        let plies = table.game.moves().len();
        if let Some(since) = table.silent_since {
            self.silent_since = Some(since);
        } else if let Some(from) = self.silent_since.take() {
            self.outage = Some(Outage { from, to: now, plies });
        }
        self.outage = self.outage.filter(|outage| table.game.unexplained() || plies <= outage.plies);
    }
}

/// A time of day at the venue: `14:03`.
fn time_of_day(at: u64, utc_offset_s: i32) -> String {
    let minutes = (i64::try_from(at / 1_000).unwrap_or(0) + i64::from(utc_offset_s)).rem_euclid(86_400) / 60;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Whether a state has lasted for `ms`; it begins with the first update that finds it.
fn lasts(since: &mut Option<u64>, holds: bool, now: u64, ms: u64) -> bool {
    *since = holds.then(|| since.unwrap_or(now));
    since.is_some_and(|since| now.saturating_sub(since) >= ms)
}

/// The condition that the record and the pairings have different results; it holds also after the round.
pub(super) fn results(table: &Watched<'_>) -> Vec<Condition> {
    let mut found = Found { table: table.table, plies: table.game.moves().len(), conditions: Vec::new() };
    if let Some([told, paired]) = table.differing {
        found.add(AlarmKind::ResultDiffers, &[], |at| {
            format!(
                "{at}: our record says {told} and the pairings say {paired}; ask the arbiter and correct one of them."
            )
        });
    }
    found.conditions
}

/// All other conditions, for an armed table.
pub(super) fn conditions(now: u64, table: &Watched<'_>, seen: &mut Seen) -> Vec<Condition> {
    let game = table.game;
    let mut found = Found { table: table.table, plies: game.moves().len(), conditions: Vec::new() };
    let head = game.position();
    if let Some(doubts) = table.doubts {
        equipment(doubts, &mut found);
        let wrong = game.moves().is_empty() && !doubts.wrong_start.is_empty();
        if lasts(&mut seen.wrong_since, wrong, now, WRONG_START_MS) {
            let squares = doubts.wrong_start.join(", ");
            found.add(AlarmKind::WrongStart, &[], |at| {
                format!("{at}: pieces stand wrong at the start (look at {squares}); have them put right, the game begins by itself.")
            });
        }
    }
    if let Some(shown) = table.unconfirmed.filter(|_| game.is_running()) {
        found.add(AlarmKind::ResultUnconfirmed, &[], |at| {
            format!("{at}: the board shows {shown}; see whether that is right and enter the result.")
        });
    }
    if !game.is_running() || head.legal_moves().is_empty() {
        return found.conditions;
    }
    repetitions(game, &mut found);
    moves_without_progress(game, &mut found);
    let mating = possible_mates(head, seen);
    if mating == [Mating::Impossible; 2] {
        found.add(AlarmKind::DeadPosition, &[], |at| {
            format!("{at}: neither player can mate by any series of legal moves; check the board and end the game as a draw.")
        });
    }
    board(now, table, seen, &mut found);
    if let Some(clock) = game.clock() {
        flag(game, clock, mating, &mut found);
        running(now, game, clock, seen, &mut found);
    }
    not_started(now, table, &mut found);
    found.conditions
}

struct Found {
    table: u32,
    plies: usize,
    conditions: Vec<Condition>,
}

impl Found {
    fn add(&mut self, kind: AlarmKind, sides: &[Side], text: impl FnOnce(&str) -> String) {
        self.add_at(self.plies, kind, sides, text);
    }

    fn add_at(&mut self, ply: usize, kind: AlarmKind, sides: &[Side], text: impl FnOnce(&str) -> String) {
        let text = text(&format!("Table {}", self.table));
        let ply = u32::try_from(ply).unwrap_or(u32::MAX);
        self.conditions.push(Condition { kind, ply, sides: sides.to_vec(), text });
    }
}

fn possible_mates(head: &Chess, seen: &mut Seen) -> [Mating; 2] {
    if let Some((position, mating)) = &seen.mating
        && position == head
    {
        return *mating;
    }
    let found = mating(head);
    seen.mating = Some((head.clone(), found));
    found
}

fn repetitions(game: &Game, found: &mut Found) {
    if let Some(ply) = game.repetitions().iter().position(|&times| times >= 5) {
        found.add_at(ply, AlarmKind::FivefoldRepetition, &[], |at| {
            format!(
                "{at}: the position after {} stood for the fifth time; the game is drawn, end it.",
                move_name(game, ply)
            )
        });
        return;
    }
    let times = game.repetitions().last().copied().unwrap_or_default();
    if times >= 3 {
        let side = Side::from(game.position().turn());
        let ordinal = if times == 3 { "third" } else { "fourth" };
        found.add(AlarmKind::ThreefoldRepetition, &[side], |at| {
            format!(
                "{at}: the position stands for the {ordinal} time; {} can claim a draw, do not remind anybody.",
                name(side)
            )
        });
    }
}

fn moves_without_progress(game: &Game, found: &mut Found) {
    let quiet = |plies: u32| move |position: &Chess| position.halfmoves() >= plies;
    if let Some(ply) = game.positions().iter().position(quiet(150)) {
        found.add_at(ply, AlarmKind::SeventyFiveMoves, &[], |at| {
            let last = move_name(game, ply);
            format!("{at}: 75 moves of each player without a capture or a pawn move up to {last}; the game is drawn, end it.")
        });
    } else if quiet(100)(game.position()) {
        let side = Side::from(game.position().turn());
        found.add(AlarmKind::FiftyMoves, &[side], |at| {
            format!(
                "{at}: 50 moves of each player without a capture or a pawn move; {} can claim a draw, do not remind \
                 anybody.",
                name(side)
            )
        });
    }
}

/// Faults that an operator can put right at the board.
fn equipment(doubts: &Doubts, found: &mut Found) {
    if !doubts.unsteady.is_empty() {
        let squares = doubts.unsteady.join(", ");
        found.add(AlarmKind::PieceUnsteady, &[], |at| {
            format!("{at}: a piece comes and goes on {squares}; put it in the middle of its square, or change it after the game.")
        });
    }
    if doubts.clock_battery_low {
        found.add(AlarmKind::ClockBatteryLow, &[], |at| {
            format!("{at}: the clock shows that its battery is low; have another clock ready, and change the battery after the game.")
        });
    }
    if let Some(percent) = doubts.battery_low {
        found.add(AlarmKind::BoardBatteryLow, &[], |at| {
            format!("{at}: the battery of the board has {percent} % left; connect its charger.")
        });
    }
    if !doubts.faulty.is_empty() {
        let squares = doubts.faulty.join(", ");
        found.add(AlarmKind::BoardFaulty, &[], |at| {
            format!(
                "{at}: reports of {squares} cannot be true and are ignored; try the piece on another board, and \
                 change the board after the game if the square is dead."
            )
        });
    }
}

/// Conditions of a placement that recognition cannot explain.
fn board(now: u64, table: &Watched<'_>, seen: &mut Seen, found: &mut Found) {
    seen.note_outage(now, table);
    if let Some(gap) = table.game.gaps().last() {
        let after = gap.after_ply;
        found.add(AlarmKind::MovesUnseen, &[], |at| {
            format!("{at}: the moves after ply {after} went unseen; take them from the score sheets and fill the gap.")
        });
    }
    let lines = table.doubts.map(|doubts| &doubts.candidates).filter(|lines| !lines.is_empty());
    let unexplained = table.game.unexplained() || lines.is_some();
    let placement = table.placement.filter(|_| unexplained && table.silent_since.is_none());
    let pieces = placement.map(Placement::board);
    let kings = pieces.as_ref().is_some_and(|board| {
        [Color::White, Color::Black].iter().all(|&color| (board.kings() & board.by_color(color)).count() == 1)
    });
    let patience_ms = if kings { ILLEGAL_MS } else { UPSET_MS };
    let told = lasts(&mut seen.unexplained_since, placement.is_some(), now, patience_ms);
    let (Some(placement), Some(pieces), true) = (placement, pieces, told) else { return };
    let on_last_rank = |square: &Square| {
        let color = color_of(placement.get(*square));
        square.rank() == if color == Some(Color::White) { Rank::Eighth } else { Rank::First }
    };
    if let Some(lines) = lines {
        let lines: Vec<_> = lines.iter().map(|sans| line_text(table.game, sans)).collect();
        let lines = lines.join(" or ");
        found.add(AlarmKind::MovesUnclear, &[], |at| {
            format!("{at}: the board shows what {lines} lead to; ask the players and enter the moves.")
        });
        return;
    }
    if let Some(Outage { from, to, .. }) = seen.outage {
        let [from, to] = [from, to].map(|at| time_of_day(at, table.utc_offset_s));
        found.add(AlarmKind::MovesUnseen, &[], |at| {
            format!(
                "{at}: moves went unseen (cable out {from} to {to}); ask the players and enter them, or let the game go on \
                 from what stands on the board."
            )
        });
        return;
    }
    if let Some(square) = pieces.pawns().into_iter().find(on_last_rank) {
        let side = pieces.color_at(square).map_or(Side::White, Side::from);
        found.add(AlarmKind::PawnOnLastRank, &[side], |at| {
            format!("{at}: a pawn stands on {square}; if the clock was pressed, the move is illegal and the pawn becomes a queen.")
        });
        return;
    }
    let in_check = |color: Color| {
        let king = pieces.king_of(color);
        king.is_some_and(|king| pieces.attacks_to(king, !color, pieces.occupied()).any())
    };
    if kings && in_check(Color::White) && in_check(Color::Black) {
        found.add(AlarmKind::BothKingsInCheck, &[], |at| {
            format!(
                "{at}: both kings are in check; look for the illegal move and have the position before it set up again."
            )
        });
        return;
    }
    let squares = placement.difference(&Placement::from_board(table.game.position().board()));
    let squares = square_names(squares).join(", ");
    found.add(AlarmKind::IllegalPosition, &[], |at| {
        format!("{at}: no legal moves lead to what stands on the board (look at {squares}); check whether an illegal move was made.")
    });
}

fn flag(game: &Game, clock: &ClockRecord, mating: [Mating; 2], found: &mut Found) {
    let time = |side| if side == Side::White { clock.white_ms } else { clock.black_ms };
    let blocked = |side: &Side| clock.running.is_none() && time(*side) == Some(0);
    let Some(side) = clock.flag.or_else(|| [Side::White, Side::Black].into_iter().find(blocked)) else { return };
    let made = moves_of(game, side);
    let asked =
        game.tags().get("TimeControl").and_then(|text| text.parse().ok()).and_then(|control| moves_asked(&control));
    // A clock that does not count moves goes on in its next period, its flag shown.
    let goes_on = time(side) != Some(0);
    if goes_on && asked.is_some_and(|asked| made >= asked) {
        return;
    }
    let opponent = side.other();
    let can_mate = mating[usize::from(opponent == Side::Black)] == Mating::NotRuledOut;
    found.add(AlarmKind::FlagDown, &[side], |at| {
        let moves = match asked {
            Some(asked) => format!("{made} of the {asked} moves asked for"),
            None => format!("{made} {}", if made == 1 { "move" } else { "moves" }),
        };
        let then = if can_mate {
            format!("the game is lost unless {} cannot mate by any series of legal moves", name(opponent))
        } else {
            format!("{} cannot mate by any series of legal moves, so the game is drawn", name(opponent))
        };
        format!("{at}: {}'s flag is down after {moves}; check the clock and the moves: {then}.", name(side))
    });
}

/// The moves of the first period, if it has a number.
fn moves_asked(control: &TimeControl) -> Option<usize> {
    let (TimeControl::Periods(periods) | TimeControl::Then { periods, .. }) = control else { return None };
    periods.first()?.moves.and_then(|moves| usize::try_from(moves).ok())
}

fn moves_of(game: &Game, side: Side) -> usize {
    game.positions().iter().take(game.moves().len()).filter(|position| Side::from(position.turn()) == side).count()
}

fn running(now: u64, game: &Game, clock: &ClockRecord, seen: &mut Seen, found: &mut Found) {
    let to_move = Side::from(game.position().turn());
    let known = clock.white_ms.is_some() || clock.black_ms.is_some();
    let stopped = known && clock.running.is_none() && !game.moves().is_empty() && clock.flag.is_none();
    let at_zero = clock.white_ms == Some(0) || clock.black_ms == Some(0);
    if lasts(&mut seen.stopped_since, stopped && !at_zero, now, STOPPED_MS) {
        found.add(AlarmKind::ClockStopped, &[], |at| {
            format!("{at}: the clock stands and the game has no result; ask for the result or start the clock.")
        });
    }
    let against = clock.running == Some(to_move.other()) && !game.moves().is_empty();
    if lasts(&mut seen.against_since, against && !game.unexplained(), now, AGAINST_MS) {
        let mover = to_move.other();
        found.add(AlarmKind::ClockAgainstMover, &[mover], |at| {
            format!(
                "{at}: {} has moved and {0}'s time runs; see whether the clock stands the right way round, and do not \
                 remind anybody of a press.",
                name(mover)
            )
        });
    }
}

fn not_started(now: u64, table: &Watched<'_>, found: &mut Found) {
    let (Some(started_at), Some(default_ms)) = (table.started_at, table.default_ms) else { return };
    if table.game.moves().len() >= 2 || now.saturating_sub(started_at) < default_ms {
        return;
    }
    let side = Side::from(table.game.position().turn());
    found.add(AlarmKind::NotStarted, &[side], |at| {
        let minutes = default_ms.div_ceil(60_000);
        format!(
            "{at}: {} has not moved and the default time of {minutes} min has passed; see who is at the board.",
            name(side)
        )
    });
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// Moves after the last one of a game as people write them: `12... Nf6 13. Bg5`.
fn line_text(game: &Game, sans: &[String]) -> String {
    let (number, first) = (game.position().fullmoves(), usize::from(game.position().turn() == Color::Black));
    let words = (first..).zip(sans).map(|(index, san)| {
        let number = number.saturating_add(u32::try_from(index / 2).unwrap_or(u32::MAX));
        match index % 2 {
            0 => format!("{number}. {san}"),
            _ if index == first => format!("{number}... {san}"),
            _ => san.clone(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A ply as people write it: `12... Nf6`.
fn move_name(game: &Game, ply: usize) -> String {
    let Some((index, played)) = ply.checked_sub(1).and_then(|index| Some((index, game.moves().get(index)?))) else {
        return "the start".to_owned();
    };
    let before = game.positions().get(index);
    let number = before.map_or(0, |position| position.fullmoves().get());
    let dots = if before.is_some_and(|position| position.turn() == Color::Black) { "..." } else { "." };
    format!("{number}{dots} {}", played.san)
}
