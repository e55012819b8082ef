//! The tables of boards that pairing files name: an assignment, as a person's.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Work;
use crate::order::Seat;
use crate::refusal::Refusal;
use pairings::model::Pairings;

/// Doubtful tables that one question names; it counts the others.
const NAMED: usize = 3;

impl Work<'_> {
    /// Gives boards the tables that the files name. What contradicts itself or the present assignment is one question; a
    /// board on which a game is played stays where it is.
    pub(super) fn seat_loaded(&mut self, slug: &str, loaded: &Pairings) -> Result<(), Refusal> {
        let (mut of_table, mut of_board) = (BTreeMap::<_, Vec<_>>::new(), BTreeMap::<_, Vec<_>>::new());
        let section = self.section(slug)?;
        for (number, board) in &loaded.boards {
            // Sections share the tables of a hall.
            let Some(table) = section.table(*number) else { continue };
            of_table.entry(table).or_default().push(board.as_str());
            of_board.entry(board.as_str()).or_default().push(table);
        }
        let (mut seats, mut doubts) = (Vec::new(), Vec::new());
        for (table, boards) in &of_table {
            let [board] = boards[..] else {
                doubts.push(format!("table {table} has the boards {}, and gets none of them", boards.join(" and ")));
                continue;
            };
            if let Some([one, other, ..]) = of_board.get(board).map(Vec::as_slice) {
                let doubt = format!("board {board} is at tables {one} and {other}, and gets neither");
                if one == table {
                    doubts.push(doubt);
                }
                continue;
            }
            let seated = self.hall.seats.get(table).cloned();
            let board: Arc<str> = board.into();
            if seated.as_ref() == Some(&board) {
                continue;
            }
            let playing = |board: &Arc<str>| self.open_play_on(board).is_none() && self.not_at_play(board).is_err();
            let busy = seated.iter().chain([&board]).find(|board| playing(board)).cloned();
            if let Some(busy) = busy {
                self.note(format!("Table {table} keeps its board: a game is being played on board {busy}."));
                continue;
            }
            if let Some(other) = &seated {
                doubts.push(format!("table {table} gets board {board} instead of {other}"));
            } else if let Some(other) = self.hall.table_of(&board) {
                doubts.push(format!("board {board} goes from table {other} to table {table}"));
            } else {
                self.note(format!("Table {table}: board {board}."));
            }
            seats.push(Seat { table: *table, board: Some(board.to_string()) });
        }
        if !doubts.is_empty() {
            let more = doubts.len().saturating_sub(NAMED);
            doubts.truncate(NAMED);
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            self.ask(format!("Serial numbers of boards in the files: {}{more}.", doubts.join("; ")));
        }
        if seats.is_empty() { Ok(()) } else { self.seat_boards(&seats) }
    }
}
