//! The conditions at one table that raise an alarm, each with the sentences for the arbiter or operator.

use coded_text::CodedText;
use notation::time_control::TimeControl;
use shakmaty::{Chess, Color, Position, Rank, Square};

use super::kind::AlarmKind;
use super::sentence::{AlarmSentence, SideShown, VenueTime};
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
/// How long squares must be held for faulty, in ms; while pieces are set up after a game, some are for moments.
const FAULTY_MS: u64 = 15_000;
/// How long a clock must be stopped in a game without a result, in ms.
const STOPPED_MS: u64 = 120_000;
/// How long the recorded position must be seen after an outage before no move went unseen in it, in ms. Until a board that is
/// back has sent its pieces, those from before the outage are seen, which are the recorded ones.
const STOOD_MS: u64 = 10_000;
/// How long a player's time must run after that player's move, in ms; a late press takes less.
const AGAINST_MS: u64 = 60_000;

/// A condition that holds at a table.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) kind: AlarmKind,
    pub(super) ply: u32,
    pub(super) sides: Vec<Side>,
    pub(super) sentences: Vec<CodedText>,
}

/// What is remembered of a table between updates: since when states last, and the mating analysis of the last position.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    wrong_since: Option<u64>,
    faulty_since: Option<u64>,
    /// Whether an alarm told of faulty squares.
    faulty_told: bool,
    unexplained_since: Option<u64>,
    /// Since when the board cannot be reached.
    silent_since: Option<u64>,
    outage: Option<Outage>,
    /// Since when the recorded position stands after it.
    as_recorded_since: Option<u64>,
    stopped_since: Option<u64>,
    against_since: Option<u64>,
    mating: Option<(Chess, [Mating; 2])>,
}

/// A time in which a board could not be reached, until moves after it are recorded or the recorded position has stood on the
/// board; UTC ms.
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
        let stands = self.outage.is_some() && table.placement.is_some_and(|placement| table.shows_record(placement));
        if lasts(&mut self.as_recorded_since, stands, now, STOOD_MS) {
            self.outage = None;
        }
    }
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
        found.add(
            AlarmKind::ResultDiffers,
            &[],
            AlarmSentence::ResultDiffers { table: table.table, own: told.to_owned(), paired: paired.to_owned() },
        );
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
        faulty(now, game, doubts, seen, &mut found);
        let wrong = game.moves().is_empty() && !doubts.wrong_start.is_empty();
        if lasts(&mut seen.wrong_since, wrong, now, WRONG_START_MS) {
            let squares = doubts.wrong_start.join(", ");
            found.add(AlarmKind::WrongStart, &[], AlarmSentence::WrongStart { table: table.table, squares });
        }
    }
    if let Some(shown) = table.unconfirmed.filter(|_| game.is_running()) {
        found.add(
            AlarmKind::ResultUnconfirmed,
            &[],
            AlarmSentence::ResultUnconfirmed { table: table.table, result: shown.to_owned() },
        );
    }
    if !game.is_running() || head.legal_moves().is_empty() {
        return found.conditions;
    }
    repetitions(game, &mut found);
    moves_without_progress(game, &mut found);
    let mating = possible_mates(head, seen);
    if mating == [Mating::Impossible; 2] {
        found.add(AlarmKind::DeadPosition, &[], AlarmSentence::DeadPosition { table: table.table });
    }
    board(now, table, seen, &mut found);
    if let Some(clock) = game.clock() {
        flag(game, clock, mating, &mut found);
        running(now, table, clock, seen, &mut found);
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
    fn add(&mut self, kind: AlarmKind, sides: &[Side], sentence: AlarmSentence) {
        self.add_at(self.plies, kind, sides, &[sentence]);
    }

    fn add_at(&mut self, ply: usize, kind: AlarmKind, sides: &[Side], sentences: &[AlarmSentence]) {
        let ply = u32::try_from(ply).unwrap_or(u32::MAX);
        let sentences = sentences.iter().map(AlarmSentence::coded).collect();
        self.conditions.push(Condition { kind, ply, sides: sides.to_vec(), sentences });
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
    if let Some(ply) = game.counts().iter().position(|counts| counts.occurred >= 5) {
        let last = move_name(game, ply).unwrap_or_default();
        let sentence = AlarmSentence::FifthTime { table: found.table, last };
        found.add_at(ply, AlarmKind::FivefoldRepetition, &[], &[sentence]);
        return;
    }
    let times = game.counts().last().map_or(0, |counts| counts.occurred);
    if times >= 3 {
        let side = Side::from(game.position().turn());
        let (table, player_side) = (found.table, SideShown(side));
        let sentence = if times == 3 {
            AlarmSentence::ThirdTime { table, player_side }
        } else {
            AlarmSentence::FourthTime { table, player_side }
        };
        found.add(AlarmKind::ThreefoldRepetition, &[side], sentence);
    }
}

fn moves_without_progress(game: &Game, found: &mut Found) {
    if let Some(ply) = game.counts().iter().position(|counts| counts.quiet >= 150) {
        let table = found.table;
        let sentence = match move_name(game, ply) {
            Some(last) => AlarmSentence::SeventyFiveMoves { table, last },
            None => AlarmSentence::SeventyFiveAtStart { table },
        };
        found.add_at(ply, AlarmKind::SeventyFiveMoves, &[], &[sentence]);
    } else if game.position().halfmoves() >= 100 {
        let side = Side::from(game.position().turn());
        found.add(
            AlarmKind::FiftyMoves,
            &[side],
            AlarmSentence::FiftyMoves { table: found.table, player_side: SideShown(side) },
        );
    }
}

/// Faults that an operator can put right at the board.
fn equipment(doubts: &Doubts, found: &mut Found) {
    if !doubts.unsteady.is_empty() {
        let squares = doubts.unsteady.join(", ");
        found.add(AlarmKind::PieceUnsteady, &[], AlarmSentence::PieceUnsteady { table: found.table, squares });
    }
    if doubts.clock_battery_low {
        found.add(AlarmKind::ClockBatteryLow, &[], AlarmSentence::ClockBatteryLow { table: found.table });
    }
    if let Some(percent) = doubts.battery_low {
        found.add(
            AlarmKind::BoardBatteryLow,
            &[],
            AlarmSentence::BoardBatteryLow { table: found.table, percent: percent.into() },
        );
    }
}

/// Squares of the board that report what cannot be true. That is found in play and stays true after the game.
fn faulty(now: u64, game: &Game, doubts: &Doubts, seen: &mut Seen, found: &mut Found) {
    let holds = !doubts.faulty.is_empty() && (game.is_running() || seen.faulty_told);
    seen.faulty_told = lasts(&mut seen.faulty_since, holds, now, FAULTY_MS);
    if seen.faulty_told {
        let squares = doubts.faulty.join(", ");
        found.add(AlarmKind::BoardFaulty, &[], AlarmSentence::BoardFaulty { table: found.table, squares });
    }
}

/// Conditions of a placement that recognition cannot explain.
fn board(now: u64, table: &Watched<'_>, seen: &mut Seen, found: &mut Found) {
    seen.note_outage(now, table);
    if let Some(other) = table.shows_other {
        let sentence = AlarmSentence::BoardsExchanged { table: found.table, other };
        return found.add(AlarmKind::BoardsExchanged, &[], sentence);
    }
    if let Some(gap) = table.game.gaps().last() {
        let after = u32::try_from(gap.after_ply).unwrap_or(u32::MAX);
        found.add(AlarmKind::MovesUnseen, &[], AlarmSentence::MovesUnseen { table: found.table, after });
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
        let lines = lines.join(" / ");
        found.add(AlarmKind::MovesUnclear, &[], AlarmSentence::MovesUnclear { table: found.table, lines });
        return;
    }
    if let Some(Outage { from, to, .. }) = seen.outage {
        let [from_at, to_at] = [from, to].map(|at| VenueTime { at, utc_offset_s: table.utc_offset_s });
        let within_a_minute = to - from < 60_000 && from_at.to_string() == to_at.to_string();
        let table = found.table;
        let sentence = if within_a_minute {
            AlarmSentence::UnseenInShortOutage { table, from_at }
        } else {
            AlarmSentence::UnseenInOutage { table, from_at, to_at }
        };
        found.add(AlarmKind::MovesUnseen, &[], sentence);
        return;
    }
    if let Some(square) = pieces.pawns().into_iter().find(on_last_rank) {
        let side = pieces.color_at(square).map_or(Side::White, Side::from);
        found.add(
            AlarmKind::PawnOnLastRank,
            &[side],
            AlarmSentence::PawnOnLastRank { table: found.table, square: square.to_string() },
        );
        return;
    }
    let in_check = |color: Color| {
        let king = pieces.king_of(color);
        king.is_some_and(|king| pieces.attacks_to(king, !color, pieces.occupied()).any())
    };
    if kings && in_check(Color::White) && in_check(Color::Black) {
        found.add(AlarmKind::BothKingsInCheck, &[], AlarmSentence::BothKingsInCheck { table: found.table });
        return;
    }
    let squares = placement.difference(&Placement::from_board(table.game.position().board()));
    let squares = square_names(squares).join(", ");
    found.add(AlarmKind::IllegalPosition, &[], AlarmSentence::IllegalPosition { table: found.table, squares });
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
    let (table, player_side, opponent_side) = (found.table, SideShown(side), SideShown(opponent));
    let down = match asked {
        Some(asked) => AlarmSentence::FlagDownOf { table, player_side, made, asked },
        None => AlarmSentence::FlagDown { table, player_side, made },
    };
    let then =
        if can_mate { AlarmSentence::FlagLost { opponent_side } } else { AlarmSentence::FlagDrawn { opponent_side } };
    found.add_at(found.plies, AlarmKind::FlagDown, &[side], &[down, then]);
}

/// The moves of the first period, if it has a number.
fn moves_asked(control: &TimeControl) -> Option<usize> {
    let (TimeControl::Periods(periods) | TimeControl::Then { periods, .. }) = control else { return None };
    periods.first()?.moves.and_then(|moves| usize::try_from(moves).ok())
}

fn moves_of(game: &Game, side: Side) -> usize {
    game.counts().iter().take(game.moves().len()).filter(|counts| counts.turn == side).count()
}

fn running(now: u64, table: &Watched<'_>, clock: &ClockRecord, seen: &mut Seen, found: &mut Found) {
    let game = table.game;
    let to_move = Side::from(game.position().turn());
    let known = clock.white_ms.is_some() || clock.black_ms.is_some();
    let stopped = known && clock.running.is_none() && !game.moves().is_empty() && clock.flag.is_none();
    let at_zero = clock.white_ms == Some(0) || clock.black_ms == Some(0);
    if lasts(&mut seen.stopped_since, stopped && !at_zero && !table.adjourned, now, STOPPED_MS) {
        found.add(AlarmKind::ClockStopped, &[], AlarmSentence::ClockStopped { table: found.table });
    }
    let against = clock.running == Some(to_move.other()) && !game.moves().is_empty() && !table.adjourned;
    if lasts(&mut seen.against_since, against && !game.unexplained(), now, AGAINST_MS) {
        let mover = to_move.other();
        found.add(
            AlarmKind::ClockAgainstMover,
            &[mover],
            AlarmSentence::ClockAgainstMover { table: found.table, player_side: SideShown(mover) },
        );
    }
}

fn not_started(now: u64, table: &Watched<'_>, found: &mut Found) {
    let (Some(started_at), Some(default_ms)) = (table.started_at, table.default_ms) else { return };
    if table.adjourned || table.game.moves().len() >= 2 || now.saturating_sub(started_at) < default_ms {
        return;
    }
    let side = Side::from(table.game.position().turn());
    let (table, player_side, minutes) = (found.table, SideShown(side), default_ms.div_ceil(60_000));
    found.add(AlarmKind::NotStarted, &[side], AlarmSentence::NotStarted { table, player_side, minutes });
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

/// A ply as people write it: `12... Nf6`; none before the first.
fn move_name(game: &Game, ply: usize) -> Option<String> {
    let index = ply.checked_sub(1)?;
    let played = game.moves().get(index)?;
    let before = game.counts().get(index)?;
    let dots = if before.turn == Side::Black { "..." } else { "." };
    Some(format!("{}{dots} {}", before.fullmoves, played.san))
}
