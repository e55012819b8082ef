//! The messages of the live feed for one reader of any view: a snapshot, then what was released since.
//!
//! For readers who are few, such as studios with a key; the hub serves the public. Must not know sockets.

use std::sync::Arc;

use hall_clock::HallClock;

use crate::gate::{Since, View};
use crate::snapshot::Snapshots;
use crate::wire;

/// Follows the featured round of a section.
pub struct Following<V> {
    view: V,
    clock: HallClock,
    section: Arc<str>,
    snapshots: Snapshots<V>,
    /// Round, stream and number of the last event that was told.
    told: Option<(u32, Arc<str>, u64)>,
}

impl<V: View> Following<V> {
    /// A reader of a section who was told nothing yet.
    pub fn new(view: V, clock: HallClock, section: Arc<str>) -> Self {
        Self { snapshots: Snapshots::new(view.clone(), clock), view, clock, section, told: None }
    }

    /// The next message; none while nothing new was released.
    pub fn next_message(&mut self) -> Option<String> {
        let section = self.view.section(&self.section)?;
        let number = section.current_round();
        if let Some((round, stream, seq)) = &mut self.told
            && *round == number
            && let Some(tail) = section.tail(number, *seq)
            && tail.stream == *stream
            && let Since::Events(events) = tail.since
        {
            let last = events.last()?.seq;
            *seq = last.max(tail.seq);
            let events: Vec<_> = events.iter().map(|event| wire::event(event)).collect();
            return Some([wire::EVENTS_BEGIN, &events.join(","), wire::EVENTS_END].concat());
        }
        let snapshot = self.snapshots.take(&self.section, number, None)?;
        self.told = Some((number, Arc::clone(&snapshot.stream), snapshot.seq));
        let (start, rest) = snapshot.pieces();
        Some(start + &String::from_utf8_lossy(&rest))
    }

    /// What is said when there is nothing else to say.
    pub fn heartbeat(&self) -> String {
        wire::heartbeat(self.told.as_ref().map_or(0, |(_, _, seq)| *seq), self.clock)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::gate::PublicView;
    use crate::test_hall::{Hall, paired, round, round_state, tags};
    use tournament::{GameRef, RoundSettings, RoundState};

    fn next(following: &mut Following<PublicView>) -> Option<Value> {
        following.next_message().map(|text| serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn a_snapshot_is_followed_by_events_and_the_next_round_by_a_snapshot() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 7, &[("White", "Carlsen, Magnus")]);
        let mut following = Following::new(hall.public.clone(), hall.clock, "hall".into());
        let first = next(&mut following).unwrap();
        assert_eq!(
            (&first["snapshot"]["games"][0]["game"], &first["snapshot"]["round"]["number"]),
            (&"a".into(), &1.into())
        );
        assert_eq!(next(&mut following), None);
        hall.play("a", 3);
        let events = next(&mut following).unwrap();
        let plies: Vec<_> = events["events"].as_array().unwrap().iter().map(|event| event["ply"].as_u64()).collect();
        assert_eq!(plies, [Some(1), Some(2), Some(3)]);
        assert_eq!(next(&mut following), None);
        assert!(following.heartbeat().contains("\"seq\":4"), "{}", following.heartbeat());
        // The round is over, and the next one has its pairings.
        hall.record(vec![round_state("hall", 1, RoundState::Finished)], Vec::new());
        let b = GameRef { game: "b".into(), event: "hall".into(), round: 2, table: 1 };
        hall.know(&b);
        hall.record(vec![round("hall", 2, RoundSettings::default()), paired(&b)], Vec::new());
        hall.record(vec![round_state("hall", 2, RoundState::Published)], vec![("b", tags(&[("White", "Clark, Ann")]))]);
        let second = next(&mut following).unwrap();
        assert_eq!(
            (&second["snapshot"]["round"]["number"], &second["snapshot"]["games"][0]["state"]),
            (&2.into(), &"paired".into())
        );
    }

    #[test]
    fn a_section_that_is_not_there_says_nothing() {
        let hall = Hall::open(1.0);
        assert_eq!(next(&mut Following::new(hall.public.clone(), hall.clock, "none".into())), None);
    }
}
