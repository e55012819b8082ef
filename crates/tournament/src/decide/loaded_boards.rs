//! The tables of boards that pairing files name: an assignment, as a person's.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Work;
use crate::note::Note;
use crate::order::Seat;
use crate::refusal::{Question, Refusal};
use pairings::model::Pairings;

impl Work<'_> {
    /// Gives boards the tables that the files name. What contradicts itself or the present assignment is asked; a
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
                doubts.push(Question::TableTwoBoards { table: *table, boards: boards.join(", ") });
                continue;
            };
            if let Some([one, other, ..]) = of_board.get(board).map(Vec::as_slice) {
                if one == table {
                    doubts.push(Question::BoardTwoTables { board: board.to_owned(), one: *one, other: *other });
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
                self.note(Note::TableKeepsBoard { table: *table, board: busy.to_string() });
                continue;
            }
            if let Some(other) = &seated {
                let (board, other) = (board.to_string(), other.to_string());
                doubts.push(Question::TableOtherBoard { table: *table, board, other });
            } else if let Some(other) = self.hall.table_of(&board) {
                doubts.push(Question::BoardOtherTable { board: board.to_string(), other, table: *table });
            } else {
                self.note(Note::TableBoard { table: *table, board: board.to_string() });
            }
            seats.push(Seat { table: *table, board: Some(board.to_string()) });
        }
        for doubt in doubts {
            self.ask_alike(doubt);
        }
        if seats.is_empty() { Ok(()) } else { self.seat_boards(&seats) }
    }
}
