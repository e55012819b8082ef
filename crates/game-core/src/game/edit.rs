//! Corrections of a game's moves, as events that publish them in one step.
//!
//! Must not know who corrects, or whether the game is still played: a game in play is corrected through its session, with
//! the moves that the events name.

use std::collections::BTreeMap;

use notation::play::{MoveError, find_move};
use shakmaty::{Chess, Position, Square, san::SanPlus, uci::UciMove};

use super::{Game, Gap, MoveRecord, ShortText};
use crate::correspondence::correspondence;
use crate::event::Event;

/// Most plies of a corrected game; the longest game ever played has fewer than half as many.
pub const MAX_PLIES: usize = 2_000;

/// A move that a person enters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnteredMove {
    /// In SAN or UCI.
    pub text: String,
    /// As in [`Event::Move`]; none keeps the reading of the move that it replaces.
    pub clk_ms: Option<u64>,
    /// As in [`Event::Move`]; as for `clk_ms`.
    pub emt_ms: Option<u64>,
}

/// A correction of moves: from one ply on some moves are removed and others inserted; later ones stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The first ply concerned, from 1; one more than the game has appends moves.
    pub first: u32,
    /// Number of plies removed; none for all later ones.
    pub remove: Option<u32>,
    /// The moves inserted in their place.
    pub insert: Vec<EnteredMove>,
    /// Whether what is inserted went unseen: it comes before the position from which the game went on, and leads there.
    pub fills: bool,
}

impl Edit {
    /// Inserts moves before this ply.
    pub fn insert(ply: u32, moves: Vec<EnteredMove>) -> Self {
        Self { first: ply, remove: Some(0), insert: moves, fills: false }
    }

    /// Replaces a move.
    pub fn replace(ply: u32, by: EnteredMove) -> Self {
        Self { first: ply, remove: Some(1), insert: vec![by], fills: false }
    }

    /// Deletes a move.
    pub fn delete(ply: u32) -> Self {
        Self { first: ply, remove: Some(1), insert: Vec::new(), fills: false }
    }

    /// Gives the moves that went unseen after these plies.
    pub fn fill(after: u32, moves: Vec<EnteredMove>) -> Self {
        Self { first: after.saturating_add(1), remove: Some(0), insert: moves, fills: true }
    }

    /// Replaces all moves after these plies, perhaps by none.
    pub fn set(after: u32, moves: Vec<EnteredMove>) -> Self {
        Self { first: after.saturating_add(1), remove: None, insert: moves, fills: false }
    }
}

/// Why an edit is refused, without its sentence. The game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditError {
    /// There is no such ply.
    NoSuchPly {
        /// The requested ply.
        ply: u32,
        /// Number of plies of the game.
        plies: usize,
    },
    /// An entered move is not legal.
    Entered {
        /// Its ply in the corrected game.
        ply: u32,
        /// The reason.
        source: MoveError,
    },
    /// A later move is no longer legal, or would be made by another piece.
    Later {
        /// Its ply in the corrected game.
        ply: u32,
        /// Its ply now.
        was: u32,
        /// The recorded move.
        san: String,
        /// The events that publish the game cut off before it.
        cut: Vec<Event>,
    },
    /// No moves are missing after this ply.
    NoGap {
        /// The requested ply.
        after: u32,
    },
    /// The moves that fill a gap do not lead to the position from which the game went on.
    LeadsElsewhere {
        /// The last ply before the gap.
        after: u32,
        /// The last ply that was given.
        last: u32,
        /// The squares that differ; none when only the player to move differs.
        squares: Vec<String>,
    },
    /// Moves before a gap are corrected, and not those after it.
    BeforeGap {
        /// The last ply before the gap.
        after: u32,
    },
    /// More moves than a game can have.
    TooLong,
}

impl Game {
    /// The events that publish an edit in one step; none when it changes nothing.
    ///
    /// # Errors
    /// The ply does not exist, an entered move is not legal, or a later move is no longer legal; the last error offers the
    /// game cut off before it.
    pub fn check_edit(&self, edit: &Edit) -> Result<Vec<Event>, EditError> {
        let plies = self.moves.len();
        let at = usize::try_from(edit.first).ok().and_then(|first| first.checked_sub(1));
        let (head, rest) =
            at.and_then(|at| self.moves.split_at_checked(at)).ok_or(EditError::NoSuchPly { ply: edit.first, plies })?;
        let remove = edit.remove.map_or(rest.len(), |remove| usize::try_from(remove).unwrap_or(usize::MAX));
        let (_, tail) =
            rest.split_at_checked(remove).ok_or(EditError::NoSuchPly { ply: ply_number(plies + 1), plies })?;
        if head.len() + edit.insert.len() + tail.len() > MAX_PLIES {
            return Err(EditError::TooLong);
        }
        let gap = self.check_gaps(edit, head.len(), remove < rest.len() || rest.is_empty())?;
        let mut moves = head.to_vec();
        let positions = self.positions();
        let filled = positions.get(head.len()).filter(|_| edit.fills);
        let from = filled.or_else(|| self.before(&positions, head.len()));
        let mut position = from.unwrap_or(&self.position).clone();
        for entered in &edit.insert {
            let ply = ply_number(moves.len() + 1);
            let times = (entered.clk_ms, entered.emt_ms);
            let record = self.enter(&mut position, &entered.text, times);
            moves.push(record.map_err(|source| EditError::Entered { ply, source })?);
        }
        if let Some(gap) = gap.filter(|_| edit.fills) {
            leads_to_gap(gap, &position, moves.len())?;
        }
        let mut later = None;
        for (index, played) in (head.len() + remove..).zip(tail) {
            let before = self.before(&positions, index);
            let Some(record) = before.and_then(|before| self.keep(&mut position, before, played)) else {
                later = Some((ply_number(moves.len() + 1), index, played.san.to_string()));
                break;
            };
            moves.push(record);
        }
        // In a game that is cut off, later moves are not replaced by others.
        let old = later.as_ref().map_or(plies, |(_, index, _)| *index);
        keep_readings(self.moves.get(..old).unwrap_or_default(), &mut moves);
        if let Some((ply, index, san)) = later {
            let was = ply_number(index + 1);
            return Err(EditError::Later { ply, was, san, cut: self.moves_instead(&moves) });
        }
        Ok(self.moves_without_gap(gap, &moves))
    }

    /// The events that close a gap, if there is one, and replace the recorded moves by these.
    fn moves_without_gap(&self, gap: Option<&Gap>, moves: &[MoveRecord]) -> Vec<Event> {
        let Some(gap) = gap else { return self.moves_instead(moves) };
        let after_ply = ply_number(gap.after_ply);
        let mut events = vec![Event::Retract { to_ply: after_ply }, Event::Gap { after_ply, fen: None }];
        let mut open = self.clone();
        for event in &events {
            open.apply(event);
        }
        events.extend(open.moves_instead(moves));
        events
    }

    /// The gap that an edit closes: the one that it fills, or the first of those that it cuts off.
    fn check_gaps(&self, edit: &Edit, head: usize, keeps_later: bool) -> Result<Option<&Gap>, EditError> {
        if edit.fills {
            let last = self.gaps.last().filter(|gap| gap.after_ply == head);
            return last.map(Some).ok_or(EditError::NoGap { after: ply_number(head) });
        }
        let Some(gap) = self.gaps.iter().find(|gap| gap.after_ply > head) else { return Ok(None) };
        if keeps_later { Err(EditError::BeforeGap { after: ply_number(gap.after_ply) }) } else { Ok(Some(gap)) }
    }

    /// The events that turn this record into another record of the same game: moves with times, tags and result. With the
    /// game before a correction they undo it.
    pub fn changes_to(&self, other: &Self) -> Vec<Event> {
        let closed = self.gaps.iter().find(|gap| !other.gaps.contains(gap));
        let mut events = self.moves_without_gap(closed, &other.moves);
        let gone = self.tags.keys().filter(|name| !other.tags.contains_key(*name)).map(|name| (name, ""));
        let set = other.tags.iter().filter(|(name, value)| self.tags.get(*name) != Some(value));
        let tags = gone.chain(set.map(|(name, value)| (name, value.as_str())));
        let tags: BTreeMap<_, _> = tags.map(|(name, value)| (name.clone(), value.to_owned())).collect();
        if !tags.is_empty() {
            events.push(Event::Tags { tags });
        }
        if (self.result, &self.reason) != (other.result, &other.reason) {
            events.push(Event::Result { result: other.result, reason: other.reason.clone() });
        }
        events
    }

    /// The events that replace the recorded moves by these.
    fn moves_instead(&self, moves: &[MoveRecord]) -> Vec<Event> {
        let same = |(old, new): &(&MoveRecord, &MoveRecord)| old.uci == new.uci;
        let kept = self.moves.iter().zip(moves).take_while(same).count();
        let mut events = Vec::new();
        for (ply, (old, new)) in (1..).zip(self.moves.iter().zip(moves).take(kept)) {
            if (old.clk_ms, old.emt_ms) != (new.clk_ms, new.emt_ms) {
                events.push(Event::Amend { ply, clk_ms: new.clk_ms, emt_ms: new.emt_ms });
            }
        }
        if kept < self.moves.len() {
            events.push(Event::Retract { to_ply: ply_number(kept) });
        }
        let coming = (ply_number(kept + 1)..).zip(moves.iter().skip(kept));
        events.extend(coming.map(|(ply, played)| Event::Move {
            ply,
            san: played.san.to_string(),
            uci: played.uci.to_string(),
            clk_ms: played.clk_ms,
            emt_ms: played.emt_ms,
        }));
        events
    }

    /// Plays a move entered by a person.
    fn enter(
        &self,
        position: &mut Chess,
        text: &str,
        (clk_ms, emt_ms): (Option<u64>, Option<u64>),
    ) -> Result<MoveRecord, MoveError> {
        let text = text.trim();
        let by_uci = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position).ok());
        let found = by_uci.map_or_else(|| find_move(position, text), Ok)?;
        let uci = found.to_uci(self.variant.castling_mode()).to_string();
        let san = SanPlus::from_move_and_play_unchecked(position, found).to_string();
        // The rules write no longer names.
        let too_long = || MoveError::NotAMove(text.to_owned());
        let san = ShortText::new(&san).ok_or_else(too_long)?;
        Ok(MoveRecord { san, uci: ShortText::new(&uci).ok_or_else(too_long)?, clk_ms, emt_ms })
    }

    /// Plays a recorded move again, which was played in the position `before`, if it is still legal and made by the same piece.
    fn keep(&self, position: &mut Chess, before: &Chess, played: &MoveRecord) -> Option<MoveRecord> {
        let uci: UciMove = played.uci.parse().ok()?;
        let was = uci.to_move(before).ok()?;
        let now = uci.to_move(position).ok()?;
        let same_piece = was.role() == now.role() && before.turn() == position.turn();
        if !same_piece {
            return None;
        }
        self.enter(position, &played.uci, (played.clk_ms, played.emt_ms)).ok()
    }
}

/// Whether moves lead to the position from which the game went on: its pieces, and the player to move.
fn leads_to_gap(gap: &Gap, position: &Chess, plies: usize) -> Result<(), EditError> {
    let (board, wanted) = (position.board(), gap.position.board());
    let differs = Square::ALL.into_iter().filter(|&square| board.piece_at(square) != wanted.piece_at(square));
    let squares: Vec<String> = differs.map(|square| square.to_string()).collect();
    if squares.is_empty() && position.turn() == gap.position.turn() {
        return Ok(());
    }
    let (after, last) = (ply_number(gap.after_ply), ply_number(plies));
    Err(EditError::LeadsElsewhere { after, last, squares })
}

/// Gives moves entered without times those of the recorded moves that they repeat or replace.
fn keep_readings(old: &[MoveRecord], moves: &mut [MoveRecord]) {
    // Squares decide, without the promotion piece: that may be what is corrected.
    let squares = |played: &MoveRecord| played.uci.chars().take(4).collect::<String>();
    let all = |moves: &[MoveRecord]| moves.iter().map(squares).collect::<Vec<_>>();
    let same = correspondence(&all(old), &all(moves));
    for (new, same) in moves.iter_mut().zip(same) {
        if let Some(old) = same.and_then(|index| old.get(index)) {
            let times = (new.clk_ms.or(old.clk_ms), new.emt_ms.or(old.emt_ms));
            if times != (new.clk_ms, new.emt_ms) {
                (new.clk_ms, new.emt_ms) = times;
            }
        }
    }
}

/// A ply number as events carry it. No game reaches 2^32 plies.
fn ply_number(ply: usize) -> u32 {
    u32::try_from(ply).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use notation::pgn::Outcome;

    use super::*;

    fn entered(text: &str) -> EnteredMove {
        EnteredMove { text: text.to_owned(), ..EnteredMove::default() }
    }

    /// A game with these moves; the clock showed 100 s and a second less for each ply.
    fn game(moves: &str) -> Game {
        let mut game = Game::new();
        let moves = moves.split_whitespace().map(entered).collect();
        apply(&mut game, &Edit::set(0, moves));
        let plies = ply_number(game.moves().len());
        for ply in 1..=plies {
            let clk_ms = Some(100_000 - u64::from(ply) * 1_000);
            assert!(game.apply(&Event::Amend { ply, clk_ms, emt_ms: None }));
        }
        game
    }

    fn apply(game: &mut Game, edit: &Edit) {
        for event in game.check_edit(edit).unwrap() {
            assert!(game.apply(&event), "{event:?}");
        }
    }

    fn shown(game: &Game) -> String {
        let moves = game.moves().iter().map(|played| match played.clk_ms {
            Some(ms) => format!("{}:{}", played.san, ms / 1_000),
            None => played.san.to_string(),
        });
        moves.collect::<Vec<_>>().join(" ")
    }

    /// Makes an edit, looks at it and takes it back.
    fn edited(moves: &str, edit: &Edit) -> String {
        let before = game(moves);
        let mut after = before.clone();
        apply(&mut after, edit);
        let result = shown(&after);
        for event in after.changes_to(&before) {
            assert!(after.apply(&event), "{event:?}");
        }
        assert_eq!(shown(&after), shown(&before), "undone");
        result
    }

    #[test]
    fn a_move_is_replaced_and_keeps_its_reading() {
        assert_eq!(edited("e4 e5 Nf3 Nc6", &Edit::replace(1, entered("d2d4"))), "d4:99 e5:98 Nf3:97 Nc6:96");
        let read = EnteredMove { clk_ms: Some(5_000), ..entered("e6") };
        assert_eq!(edited("e4 e5", &Edit::replace(2, read)), "e4:99 e6:5");
        assert_eq!(edited("e4 e5", &Edit::replace(2, entered("e5"))), "e4:99 e5:98", "nothing changes");
    }

    #[test]
    fn moves_are_inserted_and_deleted_with_the_later_ones_behind_them() {
        let both = vec![entered("Nf3"), entered("Nf6")];
        assert_eq!(edited("e4 e5 d3 d6", &Edit::insert(3, both)), "e4:99 e5:98 Nf3 Nf6 d3:97 d6:96");
        let both_gone = Edit { first: 3, remove: Some(2), insert: Vec::new(), fills: false };
        assert_eq!(edited("e4 e5 Nf3 Nf6 d3 d6", &both_gone), "e4:99 e5:98 d3:95 d6:94");
        assert_eq!(edited("e4 e5", &Edit::delete(2)), "e4:99");
        assert_eq!(edited("e4 e5", &Edit::set(1, vec![entered("c5"), entered("Nf3")])), "e4:99 c5 Nf3");
        assert_eq!(edited("e4 e5", &Edit::set(0, Vec::new())), "");
    }

    #[test]
    fn the_later_move_that_becomes_illegal_is_named_and_a_cut_offered() {
        let before = game("e4 e5 Nf3 Nc6 Bb5");
        let Err(EditError::Later { ply, was, san, cut }) = before.check_edit(&Edit::replace(1, entered("d4"))) else {
            panic!("the bishop cannot go out")
        };
        assert_eq!((ply, was, san.as_str()), (5, 5, "Bb5"));
        let mut after = before.clone();
        assert!(cut.iter().all(|event| after.apply(event)));
        assert_eq!(shown(&after), "d4:99 e5:98 Nf3:97 Nc6:96");

        let error = before.check_edit(&Edit::delete(2)).unwrap_err();
        assert!(matches!(&error, EditError::Later { was: 3, san, .. } if san == "Nf3"), "{error:?}");
        assert_eq!(shown(&before), "e4:99 e5:98 Nf3:97 Nc6:96 Bb5:95");
    }

    #[test]
    fn a_later_move_is_not_taken_for_another_piece_s() {
        let before = game("e4 a6 Bd3 a5 Bc4 a4");
        let Err(EditError::Later { san, .. }) = before.check_edit(&Edit::replace(3, entered("d3"))) else {
            panic!("a pawn on d3 is no bishop")
        };
        assert_eq!(san, "Bc4");
    }

    #[test]
    fn what_cannot_be_played_or_does_not_exist_is_refused() {
        let before = game("e4 e5");
        let wrong = before.check_edit(&Edit::replace(2, entered("Ke2"))).unwrap_err();
        assert!(matches!(wrong, EditError::Entered { ply: 2, source: MoveError::Illegal(_) }), "{wrong:?}");
        let rubbish = before.check_edit(&Edit::replace(2, entered("💥"))).unwrap_err();
        assert!(matches!(rubbish, EditError::Entered { ply: 2, source: MoveError::NotAMove(_) }), "{rubbish:?}");
        for ply in [0, 4, u32::MAX] {
            let missing = EditError::NoSuchPly { ply, plies: 2 };
            assert_eq!(before.check_edit(&Edit::insert(ply, vec![entered("a3")])), Err(missing));
        }
        assert_eq!(before.check_edit(&Edit::delete(3)), Err(EditError::NoSuchPly { ply: 3, plies: 2 }));
        let endless = vec![entered("Nf3"); MAX_PLIES + 1];
        assert_eq!(before.check_edit(&Edit::set(0, endless)), Err(EditError::TooLong));
    }

    #[test]
    fn result_tags_and_clocks_are_undone_too() {
        let before = game("e4 e5");
        let mut after = before.clone();
        let tags: BTreeMap<_, _> = [("White".to_owned(), "Adler".to_owned())].into();
        for event in [
            Event::Tags { tags },
            Event::Result { result: Outcome::Draw, reason: "agreement".to_owned() },
            Event::Amend { ply: 2, clk_ms: None, emt_ms: Some(7_000) },
        ] {
            assert!(after.apply(&event));
        }
        let undo = after.changes_to(&before);
        assert_eq!(undo.len(), 3, "{undo:?}");
        assert!(undo.iter().all(|event| after.apply(event)));
        assert_eq!((after.tags(), after.result(), shown(&after)), (before.tags(), before.result(), shown(&before)));
        assert_eq!(after.changes_to(&before), []);
    }
}
