//! Boards that cannot be reached. Boards that vanish together have one cause and raise one alarm.

use coded_text::CodedText;

use super::item::{Alarm, AlarmChange};
use super::kind::AlarmKind;
use super::sentence::AlarmSentence;
use super::watched::Watched;

/// How long a board must be out of reach before an alarm, in ms.
const SILENT_MS: u64 = 10_000;
/// Longest time between the first and the last of boards that vanish together, in ms. Less than [`SILENT_MS`], so that all of
/// them are known when the alarm is raised.
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

    /// Clears and shortens alarms of boards that answer again, and raises new ones.
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
                alarm.say(sentences(&still));
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
            // A board that was replaced and the one in its place may be silent both.
            tables.dedup();
            *last_id += 1;
            let sentences = sentences(&tables);
            let alarm = Alarm { tables, ..Alarm::new(*last_id, AlarmKind::BoardSilent, sentences, now) };
            changes.push(AlarmChange::Raised { alarm: alarm.clone() });
            self.alarms.push(alarm);
        }
    }
}

fn sentences(tables: &[u32]) -> Vec<CodedText> {
    if let [table] = *tables {
        return vec![AlarmSentence::BoardSilent { table }.into()];
    }
    let names: Vec<String> = tables.iter().map(ToString::to_string).collect();
    vec![AlarmSentence::BoardsSilent { count: tables.len(), tables: names.join(", ") }.into()]
}
