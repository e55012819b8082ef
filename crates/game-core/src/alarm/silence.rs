//! Boards that cannot be reached. Those that vanish together have one cause and make one alarm.
//!
//! Part of the alarms; knows what they know.

use super::{Alarm, AlarmChange, AlarmId, AlarmKind, Watched};

/// A board that cannot be reached for less than this is on its way back, in ms.
const SILENT_MS: u64 = 10_000;
/// Boards that vanish within this of one another vanished together, in ms: less than [`SILENT_MS`], so that all of them
/// are known when the first is told.
const TOGETHER_MS: u64 = 5_000;

/// The alarms about boards that cannot be reached.
#[derive(Clone, Debug, Default)]
pub(super) struct Silence {
    alarms: Vec<Alarm>,
}

impl Silence {
    pub(super) fn alarms(&self) -> impl Iterator<Item = &Alarm> {
        self.alarms.iter()
    }

    pub(super) fn alarms_mut(&mut self) -> impl Iterator<Item = &mut Alarm> {
        self.alarms.iter_mut()
    }

    pub(super) fn update(
        &mut self,
        now: u64,
        tables: &[Watched<'_>],
        last_id: &mut u64,
        changes: &mut Vec<AlarmChange>,
    ) {
        let mut silent: Vec<(u64, u32)> = tables
            .iter()
            .filter(|table| table.armed)
            .filter_map(|table| Some((table.silent_since?, table.table)))
            .collect();
        silent.sort_unstable();
        self.alarms.retain_mut(|alarm| {
            let still: Vec<u32> =
                alarm.tables.iter().copied().filter(|table| silent.iter().any(|(_, other)| other == table)).collect();
            if still.is_empty() {
                changes.push(AlarmChange::Cleared { id: alarm.id });
            } else if still != alarm.tables {
                alarm.text = text(&still);
                alarm.tables = still;
                changes.push(AlarmChange::Changed { alarm: alarm.clone() });
            }
            !alarm.tables.is_empty() && silent.iter().any(|(_, table)| alarm.tables.contains(table))
        });
        silent.retain(|(_, table)| !self.alarms.iter().any(|alarm| alarm.tables.contains(table)));
        while let Some(&(first, _)) = silent.first().filter(|(since, _)| now.saturating_sub(*since) >= SILENT_MS) {
            let together = silent.iter().take_while(|(since, _)| since - first <= TOGETHER_MS).count();
            let mut tables: Vec<u32> = silent.drain(..together).map(|(_, table)| table).collect();
            tables.sort_unstable();
            *last_id += 1;
            let kind = AlarmKind::BoardSilent;
            let alarm = Alarm {
                id: AlarmId(*last_id),
                kind,
                audience: kind.audience(),
                rule: kind.rule(),
                game: None,
                ply: None,
                sides: Vec::new(),
                text: text(&tables),
                tables,
                can_wait: kind.can_wait(),
                raised_at: now,
                acknowledged: None,
            };
            changes.push(AlarmChange::Raised { alarm: alarm.clone() });
            self.alarms.push(alarm);
        }
    }
}

fn text(tables: &[u32]) -> String {
    if let [table] = tables {
        return format!("The board of table {table} does not answer: check its cable and its power; the game goes on.");
    }
    let names: Vec<String> = tables.iter().map(ToString::to_string).collect();
    let count = tables.len();
    format!("{count} boards do not answer: power or cable? Check what tables {} share.", names.join(", "))
}
