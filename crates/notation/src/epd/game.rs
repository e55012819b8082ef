//! A game as EPD: one record a position.

use std::collections::BTreeMap;

use shakmaty::Position;

use super::limits::MAX_RECORD_BYTES;
use super::operand::{Clock, Operand, timestamp};
use super::record::Record;
use super::used_time::UsedTime;
use crate::fen::{Style, write_four_fields};
use crate::pgn::{Game, Outcome, PlayError, game_positions, plain_result};
use crate::time::Times;
use crate::time_control::TimeControl;

/// Information about a game that its PGN does not hold.
#[derive(Debug, Clone, Copy, Default)]
pub struct GameExtras<'a> {
    /// Name of the game; the `id` of each record is this name, a point and the ply. Empty: no `id`.
    pub id: &'a str,
    /// One entry for each position, the start position first; missing entries are unknown.
    pub moments: &'a [MomentExtras],
}

/// The instant at which a position was reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MomentExtras {
    /// Seconds since 1970 in UTC (`ts`).
    pub unix_seconds: Option<i64>,
    /// Seconds used by White and by Black (`cc`). `None`: counted from the moves' `%emt` times, or from their `%clk` times and
    /// the `TimeControl` tag.
    pub used_seconds: Option<[u64; 2]>,
}

/// The records of a game's main line, the start position first. Each has `sm`, the move played from it (except the last),
/// `hmvc`, `fmvn`, `rc`, and `cc`, `ts` and `id` if they are known. The first has the tags as `ptp`, the result of the
/// game among them: the roster, then as many others as fit.
///
/// # Errors
/// The start position or a move is wrong.
pub fn game_records(game: &Game, extras: GameExtras<'_>) -> Result<Vec<Record>, PlayError> {
    let positions = game_positions(game)?;
    let mut seen: BTreeMap<String, i64> = BTreeMap::new();
    let line: Vec<_> = game.line().map(|ply| (ply.san, ply.times())).collect();
    let timed = line.iter().any(|(_, times)| *times != Times::default());
    let control: TimeControl = game.tags.get("TimeControl").and_then(|text| text.parse().ok()).unwrap_or_default();
    let mut used = UsedTime::new(&control);
    let mut records = Vec::with_capacity(positions.len());
    for (ply, position) in positions.iter().enumerate() {
        let moment = extras.moments.get(ply).copied().unwrap_or_default();
        let repeated = seen.entry(write_four_fields(position, Style::MODERN)).or_default();
        *repeated += 1;
        let mut operations = vec![
            ("hmvc", vec![Operand::Integer(position.halfmoves().into())]),
            ("fmvn", vec![Operand::Integer(u32::from(position.fullmoves()).into())]),
            ("rc", vec![Operand::Integer(*repeated)]),
        ];
        if let Some(seconds) = moment.used_seconds.or_else(|| used.seconds().filter(|_| timed)) {
            operations.push(("cc", seconds.map(|seconds| Operand::Clock(Clock::from_seconds(seconds))).into()));
        }
        if let Some((date, time)) = moment.unix_seconds.and_then(timestamp) {
            operations.push(("ts", vec![Operand::Date(date), Operand::Time(time)]));
        }
        if !extras.id.is_empty() {
            operations.push(("id", vec![Operand::text(&format!("{}.{ply}", extras.id))]));
        }
        if let Some(&(san, times)) = line.get(ply) {
            operations.push(("sm", vec![Operand::Move(san.to_string())]));
            used.count(position.turn().is_black(), times);
        }
        let mut record = Record::new(position.clone());
        for (opcode, operands) in operations {
            // Cannot fail: the counters of a playable game are in range.
            let _ = record.set(opcode, operands);
        }
        records.push(record);
    }
    if let Some(first) = records.first_mut() {
        set_tags(first, game);
    }
    Ok(records)
}

/// Sets `ptp` to as many tags as fit.
fn set_tags(record: &mut Record, game: &Game) {
    let mut operands = Vec::new();
    let mut length = record.to_string().len() + " ptp;".len();
    let mut tags = game.tags.clone();
    let both_lost = tags.get("Result").and_then(plain_result).is_some_and(|result| result == "0-0");
    if !both_lost || game.outcome != Outcome::Unknown {
        tags.set("Result", game.outcome.as_str());
    }
    for (name, value) in tags.iter() {
        let pair = [Operand::Word(name.to_owned()), Operand::text(value)];
        let added: usize = pair.iter().map(|operand| operand.to_string().len() + 1).sum();
        if length + added <= MAX_RECORD_BYTES {
            length += added;
            operands.extend(pair);
        }
    }
    // Cannot fail: the names are valid and unique, and the length fits.
    let _ = record.set("ptp", operands);
}
