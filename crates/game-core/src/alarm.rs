//! What an arbiter or an operator must look at: alarms, each raised once, acknowledged, and cleared by itself.
//!
//! Knows games as their events tell them, what stands on a board, clocks and time as arguments, and the FIDE Laws of Chess
//! (2023). Judges nothing: an alarm is a reason to look. Never public: no screen of spectators or players may show one.
//! Knows nothing of how alarms are sent, nor of who reads them.

mod conditions;
mod silence;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::event::Side;
use crate::game::Game;
use crate::placement::Placement;
use crate::session::Doubts;
use conditions::{Condition, Seen, conditions, results};

/// What an alarm is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AlarmKind {
    /// The position stands for at least the third time: the player who has the move can claim a draw (9.2.2; that it is
    /// about to appear, 9.2.1, is the player's to say).
    ThreefoldRepetition,
    /// A position stood five times: the game is drawn (9.6.1).
    FivefoldRepetition,
    /// Fifty moves of each player without a capture or a pawn move: a draw can be claimed (9.3.2).
    FiftyMoves,
    /// Seventy-five such moves: the game is drawn, unless the last one mates (9.6.2).
    SeventyFiveMoves,
    /// Neither player can mate by any series of legal moves: the game is drawn (5.2.2).
    DeadPosition,
    /// Both kings are in check: an illegal move was completed (7.5.1; in rapid and blitz A.5.4).
    BothKingsInCheck,
    /// A pawn was left on the last rank: with the press it becomes a queen (7.5.2; in rapid and blitz A.5.4).
    PawnOnLastRank,
    /// The board shows what no legal moves lead to (7.5.1).
    IllegalPosition,
    /// The game does not begin because pieces stand wrong (7.2.1).
    WrongStart,
    /// Several lines of play lead to what stands on the board, and nothing tells which was played.
    MovesUnclear,
    /// A flag is down: lost, unless the opponent cannot mate by any series of legal moves (6.9).
    FlagDown,
    /// A player has not moved by the default time (6.7.1).
    NotStarted,
    /// The clock stands while the game goes on (6.11.1 by the arbiter, 6.11.2 by a player).
    ClockStopped,
    /// The time of the player runs who has moved (6.2.1; nobody may remind him, 12.6).
    ClockAgainstMover,
    /// A board shows a result that counts only when somebody says so.
    ResultUnconfirmed,
    /// The result in the record and that of the pairings differ; or what they say of a bye.
    ResultDiffers,
    /// A board, or several at one time, cannot be reached.
    BoardSilent,
    /// A piece comes and goes although nobody touches it.
    PieceUnsteady,
    /// What a board says of a square, or of a piece, cannot be true.
    BoardFaulty,
    /// The journal cannot be written.
    RecordFailing,
    /// A file of pairings that was to load by itself was refused.
    PairingsRefused,
}

/// Whom an alarm is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// It is about the game. Operators do not see it.
    Arbiter,
    /// It is about the equipment or the record.
    Operator,
}

impl AlarmKind {
    /// Whom it is for.
    pub const fn audience(self) -> Audience {
        match self {
            Self::BoardSilent
            | Self::PieceUnsteady
            | Self::BoardFaulty
            | Self::ResultDiffers
            | Self::RecordFailing
            | Self::PairingsRefused => Audience::Operator,
            _ => Audience::Arbiter,
        }
    }

    /// The article of the FIDE Laws of Chess (in force from 1 January 2023, Handbook E.01) that applies; none for what the
    /// Laws do not know.
    pub const fn rule(self) -> Option<&'static str> {
        Some(match self {
            Self::ThreefoldRepetition => "9.2.2",
            Self::FivefoldRepetition => "9.6.1",
            Self::FiftyMoves => "9.3.2",
            Self::SeventyFiveMoves => "9.6.2",
            Self::DeadPosition => "5.2.2",
            Self::BothKingsInCheck | Self::IllegalPosition => "7.5.1",
            Self::PawnOnLastRank => "7.5.2",
            Self::WrongStart => "7.2.1",
            Self::FlagDown => "6.9",
            Self::NotStarted => "6.7.1",
            Self::ClockStopped => "6.11",
            Self::ClockAgainstMover => "6.2.1",
            Self::MovesUnclear
            | Self::ResultUnconfirmed
            | Self::ResultDiffers
            | Self::BoardSilent
            | Self::PieceUnsteady
            | Self::BoardFaulty
            | Self::RecordFailing
            | Self::PairingsRefused => return None,
        })
    }

    /// Whether nobody has to go to the board during the game: a claim is the players' own affair, a result is compared when
    /// there is one, and with a fault that is known the game goes on.
    pub const fn can_wait(self) -> bool {
        matches!(
            self,
            Self::ThreefoldRepetition
                | Self::FiftyMoves
                | Self::ResultUnconfirmed
                | Self::ResultDiffers
                | Self::BoardFaulty
        )
    }
}

/// The number of an alarm, from 1; never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct AlarmId(u64);

impl AlarmId {
    /// The id with this number, as it came back from a person.
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }
}

/// An alarm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Alarm {
    /// Its number.
    pub id: AlarmId,
    /// What it is about.
    pub kind: AlarmKind,
    /// Whom it is for.
    pub audience: Audience,
    /// The article of the FIDE Laws of Chess (2023).
    pub rule: Option<&'static str>,
    /// The game's id; none for what concerns no game or several.
    pub game: Option<String>,
    /// The tables concerned, in order.
    pub tables: Vec<u32>,
    /// The ply after which it holds, from 0; none for what concerns no game.
    pub ply: Option<u32>,
    /// The players concerned: whose flag is down, who can claim, whose time runs.
    pub sides: Vec<Side>,
    /// One sentence: what is the case, and what to do.
    pub text: String,
    /// Whether it can wait until the game ends.
    pub can_wait: bool,
    /// When it was raised, UTC ms.
    pub raised_at: u64,
    /// Who has taken note of it, and when (UTC ms).
    pub acknowledged: Option<(String, u64)>,
}

/// What happened to an alarm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum AlarmChange {
    /// It is new.
    Raised {
        /// The alarm.
        alarm: Alarm,
    },
    /// Its tables, its sentence or its acknowledgement are other ones.
    Changed {
        /// The alarm as it is now.
        alarm: Alarm,
    },
    /// It holds no more.
    Cleared {
        /// Which one.
        id: AlarmId,
    },
}

/// What is known of one table now.
#[derive(Clone, Copy, Debug)]
pub struct Watched<'a> {
    /// Its number, from 1.
    pub table: u32,
    /// The id of the game that is played there, or paired.
    pub game_id: &'a str,
    /// The game as the record has it, without delay.
    pub game: &'a Game,
    /// Whether its round is armed: otherwise results are compared and nothing else, and what was raised is cleared.
    pub armed: bool,
    /// What stands on the board, in real squares; none while nobody knows.
    pub placement: Option<&'a Placement>,
    /// What the board's session is not sure of; none while nobody knows.
    pub doubts: Option<&'a Doubts>,
    /// A result that its board shows and that nobody has confirmed, as people write it; none when it needs no word.
    pub unconfirmed: Option<&'a str>,
    /// Since when the board cannot be reached, UTC ms; none while it can, and for a table without a board.
    pub silent_since: Option<u64>,
    /// When the round's play began, UTC ms; none before.
    pub started_at: Option<u64>,
    /// How long after the start a player may come at the latest, in ms; none when the regulations set no default time.
    pub default_ms: Option<u64>,
    /// Our result and that of the pairings, as people write them, where they differ.
    pub differing: Option<[&'a str; 2]>,
}

/// Which alarm of a game: the same one is not raised twice while it holds.
type Key = (String, AlarmKind, Vec<Side>);

#[derive(Clone, Debug)]
struct Held {
    alarm: Alarm,
    /// Whether the last look still found its reason.
    holds: bool,
}

/// The alarms of a hall as a state machine: facts and time in, changes out.
#[derive(Clone, Debug, Default)]
pub struct Alarms {
    last_id: u64,
    games: BTreeMap<Key, Held>,
    /// What was seen of each game so far, for what must last before it counts.
    seen: BTreeMap<String, Seen>,
    silent: silence::Silence,
    /// What the daemon has to say about itself.
    daemon: BTreeMap<AlarmKind, Alarm>,
}

impl Alarms {
    /// No alarms.
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks at all tables of the hall. `now` is UTC ms; calls come when something happened, and every second because some
    /// facts count only when they last. A table that is not given any more has no alarms.
    pub fn update(&mut self, now: u64, tables: &[Watched<'_>]) -> Vec<AlarmChange> {
        let mut changes = Vec::new();
        for held in self.games.values_mut() {
            held.holds = false;
        }
        let mut seen_now = BTreeMap::new();
        for table in tables {
            for condition in results(table) {
                self.hold(now, table, condition, &mut changes);
            }
        }
        for table in tables.iter().filter(|table| table.armed) {
            let mut seen = self.seen.remove(table.game_id).unwrap_or_default();
            for condition in conditions(now, table, &mut seen) {
                self.hold(now, table, condition, &mut changes);
            }
            seen_now.insert(table.game_id.to_owned(), seen);
        }
        self.seen = seen_now;
        self.games.retain(|_, held| {
            if !held.holds {
                changes.push(AlarmChange::Cleared { id: held.alarm.id });
            }
            held.holds
        });
        self.silent.update(now, tables, &mut self.last_id, &mut changes);
        changes
    }

    /// Trouble of the daemon itself, which is no matter of a table: holds with a text, armed or not, and is over without.
    pub fn daemon(&mut self, now: u64, kind: AlarmKind, text: Option<String>) -> Option<AlarmChange> {
        let Some(text) = text else {
            return self.daemon.remove(&kind).map(|alarm| AlarmChange::Cleared { id: alarm.id });
        };
        if let Some(alarm) = self.daemon.get_mut(&kind) {
            let changed = alarm.text != text;
            alarm.text = text;
            return changed.then(|| AlarmChange::Changed { alarm: alarm.clone() });
        }
        self.last_id += 1;
        let alarm = Alarm {
            id: AlarmId(self.last_id),
            kind,
            audience: kind.audience(),
            rule: kind.rule(),
            game: None,
            tables: Vec::new(),
            ply: None,
            sides: Vec::new(),
            text,
            can_wait: kind.can_wait(),
            raised_at: now,
            acknowledged: None,
        };
        self.daemon.insert(kind, alarm.clone());
        Some(AlarmChange::Raised { alarm })
    }

    /// The alarms that hold, the oldest first.
    pub fn active(&self) -> Vec<&Alarm> {
        let games = self.games.values().map(|held| &held.alarm);
        let mut active: Vec<_> = games.chain(self.silent.alarms()).chain(self.daemon.values()).collect();
        active.sort_by_key(|alarm| alarm.id);
        active
    }

    /// Somebody has taken note of an alarm; the first one counts. None if it does not hold any more, or was acknowledged
    /// before.
    pub fn acknowledge(&mut self, id: AlarmId, by: &str, now: u64) -> Option<AlarmChange> {
        let games = self.games.values_mut().map(|held| &mut held.alarm);
        let mut alarms = games.chain(self.silent.alarms_mut()).chain(self.daemon.values_mut());
        let alarm = alarms.find(|alarm| alarm.id == id && alarm.acknowledged.is_none())?;
        alarm.acknowledged = Some((by.to_owned(), now));
        Some(AlarmChange::Changed { alarm: alarm.clone() })
    }

    fn hold(&mut self, now: u64, table: &Watched<'_>, condition: Condition, changes: &mut Vec<AlarmChange>) {
        let key = (table.game_id.to_owned(), condition.kind, condition.sides.clone());
        if let Some(held) = self.games.get_mut(&key) {
            held.holds = true;
            if held.alarm.tables != [table.table] || held.alarm.text != condition.text {
                held.alarm.tables = vec![table.table];
                held.alarm.text = condition.text;
                changes.push(AlarmChange::Changed { alarm: held.alarm.clone() });
            }
            return;
        }
        self.last_id += 1;
        let alarm = Alarm {
            id: AlarmId(self.last_id),
            kind: condition.kind,
            audience: condition.kind.audience(),
            rule: condition.kind.rule(),
            game: Some(table.game_id.to_owned()),
            tables: vec![table.table],
            ply: Some(condition.ply),
            sides: condition.sides,
            text: condition.text,
            can_wait: condition.kind.can_wait(),
            raised_at: now,
            acknowledged: None,
        };
        changes.push(AlarmChange::Raised { alarm: alarm.clone() });
        self.games.insert(key, Held { alarm, holds: true });
    }
}
