//! A game as EPD: one record a position.

use std::collections::BTreeMap;

use shakmaty::Position;

use super::limits::MAX_RECORD_BYTES;
use super::operand::{Clock, Operand, timestamp};
use super::record::Record;
use crate::fen::{Style, write_four_fields};
use crate::pgn::{Game, PlayError, game_positions};

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
    /// Seconds used by White and by Black (`cc`). `None`: the sum of the moves' `%emt` times, as long as every move has one.
    pub used_seconds: Option<[u64; 2]>,
}

/// The records of a game's main line, the start position first. Each has `sm`, the move played from it (except the last),
/// `hmvc`, `fmvn`, `rc`, and `cc`, `ts` and `id` if they are known. The first has the tags as `ptp`: the roster, then as
/// many others as fit.
///
/// # Errors
/// The start position or a move is wrong.
pub fn game_records(game: &Game, extras: GameExtras<'_>) -> Result<Vec<Record>, PlayError> {
    let positions = game_positions(game)?;
    let mut seen: BTreeMap<String, i64> = BTreeMap::new();
    let line: Vec<_> = game.line().map(|ply| (ply.san, ply.times().emt_ms)).collect();
    let timed = line.iter().any(|(_, emt_ms)| emt_ms.is_some());
    let mut used = timed.then_some([0_u64; 2]);
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
        if let Some(seconds) = moment.used_seconds.or_else(|| used.map(|ms| ms.map(|ms| ms / 1000))) {
            operations.push(("cc", seconds.map(|seconds| Operand::Clock(Clock::from_seconds(seconds))).into()));
        }
        if let Some((date, time)) = moment.unix_seconds.and_then(timestamp) {
            operations.push(("ts", vec![Operand::Date(date), Operand::Time(time)]));
        }
        if !extras.id.is_empty() {
            operations.push(("id", vec![Operand::text(&format!("{}.{ply}", extras.id))]));
        }
        if let Some(&(san, emt_ms)) = line.get(ply) {
            operations.push(("sm", vec![Operand::Move(san.to_string())]));
            let side = usize::from(position.turn().is_black());
            used = used.zip(emt_ms).map(|(mut used, ms)| {
                if let Some(own) = used.get_mut(side) {
                    *own = own.saturating_add(ms);
                }
                used
            });
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
    for (name, value) in game.tags.iter() {
        let value = if name == "Result" { game.outcome.as_str() } else { value };
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
