//! How sentences name a game: by its table, which a person knows, beside its id, which an order takes.

use coded_text::{CodedText, coded_texts};

use super::hall::{Found, Hall};

coded_texts! {
    /// A game in a sentence. Lines of the history have it too: it has no names of persons.
    pub enum GameText {
        AtTable { game: String, round: u32, table: u32 } = "game_at_table", "{game} (round {round}, table {table})";
        Boardless { game: String, round: u32, number: u32 } = "game_at_number", "{game} (round {round}, pairing {number})";
    }
}

impl Found<'_> {
    /// The game in a sentence.
    #[expect(clippy::unnecessary_box_returns, reason = "a sentence has a sentence within it in a box")]
    pub(crate) fn text(&self) -> Box<CodedText> {
        let (game, round) = (self.game.id.to_string(), self.round.number);
        match self.table() {
            Some(table) => GameText::AtTable { game, round, table }.into(),
            None => GameText::Boardless { game, round, number: self.game.pair.number }.into(),
        }
    }
}

impl Hall {
    /// The same by its id, which stands alone where the hall has no such game.
    #[expect(clippy::unnecessary_box_returns, reason = "a sentence has a sentence within it in a box")]
    pub(crate) fn game_text(&self, id: &str) -> Box<CodedText> {
        self.game(id).map_or_else(|| Box::new(CodedText::in_words(id)), |found| found.text())
    }
}
