//! The option to assign boards to tables in the order of their serial numbers, as soon as all of them are connected.
//!
//! Assigns nothing before that, so that the order in which boards are found does not matter.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use game_core::event::Author;
use tokio_util::sync::CancellationToken;
use tournament::{Hall, Order, tables_without_board};

use super::handle::DirectorHandle;

/// Interval between two looks at the boards.
const LOOK: Duration = Duration::from_millis(250);

/// When all boards are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllBoards {
    /// When there are as many boards without a table as tables of the pairings without a board.
    AsTables,
    /// When this number of boards is connected.
    Number(usize),
}

impl FromStr for AllBoards {
    type Err = &'static str;

    /// `all`, or the number of boards.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            _ if text == "all" => Ok(Self::AsTables),
            Ok(number) if number > 0 => Ok(Self::Number(number)),
            _ => Err("this is the number of boards that are connected, from 1"),
        }
    }
}

impl AllBoards {
    /// The boards to assign now; none before all are connected.
    fn due(self, hall: &Hall, connected: &[Arc<str>]) -> Vec<String> {
        let without_table = connected.iter().filter(|board| hall.table_of(board).is_none());
        let boards: Vec<_> = without_table.map(ToString::to_string).collect();
        let tables = tables_without_board(hall).len();
        let complete = match self {
            Self::AsTables => boards.len() == tables,
            Self::Number(number) => connected.len() == number && tables > 0,
        };
        if complete { boards } else { Vec::new() }
    }
}

/// Confirms the proposal whenever all boards are connected and some have no table, until the stop.
pub async fn assign(all: AllBoards, director: DirectorHandle, stop: CancellationToken) {
    let mut looks = tokio::time::interval(LOOK);
    let mut refused = Vec::new();
    while stop.run_until_cancelled(looks.tick()).await.is_some() {
        let boards = all.due(&director.hall(), &director.connected_boards());
        if boards.is_empty() || boards == refused {
            continue;
        }
        let order = Order::AssignBySerial { boards: boards.clone() };
        match director.order(Author::Rule("assign_by_serial".into()), None, None, order).await {
            Ok(receipt) => receipt.notes.iter().for_each(|note| tracing::info!("assigned by serial numbers: {note}")),
            Err(error) => {
                tracing::warn!("boards are not assigned by serial numbers: {error}");
                refused = boards;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tournament::{Fact, Pair, RoundSettings, SectionSettings};

    /// A hall with pairings for two tables.
    fn hall() -> Hall {
        let section: Arc<str> = "cup".into();
        let mut facts = vec![
            Fact::SectionSet { section: Arc::clone(&section), settings: SectionSettings::named("Cup") },
            Fact::RoundSet { section: Arc::clone(&section), round: 1, settings: RoundSettings::default() },
        ];
        facts.extend([1, 2].map(|number| Fact::Paired {
            section: Arc::clone(&section),
            round: 1,
            game: format!("cup-1-{number}").into(),
            pair: Pair { number, ..Pair::default() },
        }));
        Hall::of(&facts)
    }

    #[test]
    fn nothing_is_assigned_before_all_boards_are_connected() {
        let hall = hall();
        let boards = |serials: &[&str]| serials.iter().map(|serial| (*serial).into()).collect::<Vec<Arc<str>>>();
        let due = |all: AllBoards, serials: &[&str]| all.due(&hall, &boards(serials));
        assert!(due(AllBoards::AsTables, &["20002"]).is_empty());
        assert_eq!(due(AllBoards::AsTables, &["20002", "20001"]), ["20002", "20001"]);
        assert!(due(AllBoards::AsTables, &["20002", "20001", "20003"]).is_empty(), "which one is the spare board?");
        assert_eq!(due(AllBoards::Number(1), &["20002"]), ["20002"]);
        assert!(due(AllBoards::Number(3), &["20002", "20001"]).is_empty());
        assert_eq!(("all".parse(), "8".parse()), (Ok(AllBoards::AsTables), Ok(AllBoards::Number(8))));
        assert!("0".parse::<AllBoards>().is_err() && "many".parse::<AllBoards>().is_err());
    }
}
