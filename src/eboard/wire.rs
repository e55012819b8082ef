//! The messages of the e-board protocol as JSON: calls of clients, answers and feed messages.
//!
//! Field names and values are those of LiveChess, as its clients read them (docs/consumers.md). Must not know sockets.

use game_core::event::Side;
use hall_clock::UtcMs;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tournament::{BoardState, ClockShown};

/// A call of a client.
#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Call {
    /// `eboards`, `subscribe`, `unsubscribe` or `call`.
    #[serde(rename = "call")]
    pub name: String,
    /// Chosen by the client; sent back with its JSON type, which clients compare.
    pub id: Value,
    /// What the call is about.
    #[serde(default)]
    pub param: Value,
}

/// A board in the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Board {
    serialnr: String,
    source: Option<&'static str>,
    state: &'static str,
    battery: Option<String>,
    comment: Option<String>,
    #[serde(rename = "board")]
    placement: Option<String>,
    flipped: bool,
    clock: Option<Clock>,
}

/// A reading of the clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Clock {
    /// Whole seconds: clients decode integers.
    white: u64,
    black: u64,
    /// `true`: White's time runs; `false`: Black's.
    run: Option<bool>,
    /// When it was read, in milliseconds since 1970: clients count on from there.
    time: UtcMs,
}

const ACTIVE: &str = "ACTIVE";

impl Board {
    /// A board as the list has it.
    pub(super) fn of(state: &BoardState, table: Option<u32>) -> Self {
        Self {
            serialnr: state.board.to_string(),
            source: state.connected.then_some("boardcast"),
            state: if state.connected { ACTIVE } else { "NOTRESPONDING" },
            // Of boards on Bluetooth; clients read a whole percentage.
            battery: state.battery.map(|battery| format!("{}%", battery.percent)),
            comment: table.map(|table| format!("Table {table}")),
            placement: Some(state.fen.clone()).filter(|fen| !fen.is_empty()),
            flipped: false,
            clock: Clock::of(state),
        }
    }

    /// Whether it is connected.
    pub(super) fn is_active(&self) -> bool {
        self.state == ACTIVE
    }
}

impl Clock {
    /// The clock of a board; none when one of the two times is not known.
    pub(super) fn of(state: &BoardState) -> Option<Self> {
        let ClockShown { white_ms, black_ms, running, read_at } = state.clock.as_ref()?;
        let run = running.map(|side| side == Side::White);
        Some(Self { white: (*white_ms)? / 1000, black: (*black_ms)? / 1000, run, time: *read_at })
    }

    /// Whether a client that counts on from `earlier` shows something else than this.
    pub(super) fn differs_from(&self, earlier: &Self) -> bool {
        let passed = self.time.saturating_sub(earlier.time) / 1000;
        let counted = |value: u64, runs| if runs { value.saturating_sub(passed) } else { value };
        let white = counted(earlier.white, earlier.run == Some(true));
        let black = counted(earlier.black, earlier.run == Some(false));
        self.run != earlier.run || self.white.abs_diff(white) > 1 || self.black.abs_diff(black) > 1
    }
}

/// The answer to a call.
pub(super) fn answer(id: &Value, param: &impl Serialize, now: UtcMs) -> String {
    json!({"response": "call", "id": id, "param": param, "time": now}).to_string()
}

/// The refusal of a call.
pub(super) fn refusal(id: &Value, message: &str, now: UtcMs) -> String {
    json!({"response": "error", "id": id, "param": {"message": message}, "time": now}).to_string()
}

/// A message of a feed.
pub(super) fn feed(id: &Value, param: &Value, now: UtcMs) -> String {
    json!({"response": "feed", "id": id, "param": param, "time": now}).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game_core::session::BatteryView;

    #[test]
    fn a_board_on_bluetooth_has_its_battery_as_a_whole_percentage() {
        let battery = |battery| Board::of(&BoardState { battery, ..BoardState::default() }, None).battery;
        assert_eq!(battery(Some(BatteryView { percent: 87, charging: false })).as_deref(), Some("87%"));
        assert_eq!(battery(None), None);
    }
}
