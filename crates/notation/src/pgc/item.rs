//! Splits bytes into records: markers and sizes (PGN standard, 20.3 and 20.4).
//!
//! Must not know the structure of a game.

use super::error::Reason;
use crate::pgn::is_tag_name;

pub(super) const NOOP: u8 = 0x00;
pub(super) const REDUCED_GAME: u8 = 0x01;
pub(super) const TAG: u8 = 0x02;
pub(super) const SHORT_MOVES: u8 = 0x03;
pub(super) const LONG_MOVES: u8 = 0x04;
pub(super) const BEGIN: u8 = 0x05;
pub(super) const END: u8 = 0x06;
pub(super) const NAG: u8 = 0x07;
pub(super) const RAV_BEGIN: u8 = 0x08;
pub(super) const RAV_END: u8 = 0x09;
pub(super) const ESCAPE: u8 = 0x0a;

/// One record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item<'a> {
    Noop,
    /// The values of the Seven Tag Roster in its order, and the moves.
    ReducedGame([&'a [u8]; 7], &'a [u8]),
    Tag(&'a [u8], &'a [u8]),
    Moves(&'a [u8]),
    Begin,
    End,
    Nag(u8),
    RavBegin,
    RavEnd,
    Escape(&'a [u8]),
}

/// A position in the data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn is_at_end(self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Reads the record here. On an error the cursor does not move.
    pub(super) fn item(&mut self) -> Result<Item<'a>, Reason> {
        let mut next = *self;
        let item = next.take_item()?;
        *self = next;
        Ok(item)
    }

    fn take_item(&mut self) -> Result<Item<'a>, Reason> {
        Ok(match self.byte()? {
            NOOP => Item::Noop,
            REDUCED_GAME => {
                let mut tags: [&[u8]; 7] = [&[]; 7];
                for tag in &mut tags {
                    *tag = self.short()?;
                }
                Item::ReducedGame(tags, self.long()?)
            }
            TAG => Item::Tag(self.short()?, self.short()?),
            SHORT_MOVES => Item::Moves(self.short()?),
            LONG_MOVES => Item::Moves(self.long()?),
            BEGIN => Item::Begin,
            END => Item::End,
            NAG => Item::Nag(self.byte()?),
            RAV_BEGIN => Item::RavBegin,
            RAV_END => Item::RavEnd,
            ESCAPE => Item::Escape(self.long()?),
            marker => return Err(Reason::UnknownMarker(marker)),
        })
    }

    fn byte(&mut self) -> Result<u8, Reason> {
        self.take(1)?.first().copied().ok_or(Reason::Cut)
    }

    /// Bytes with their length in one byte before them.
    fn short(&mut self) -> Result<&'a [u8], Reason> {
        let length = self.byte()?;
        self.take(length.into())
    }

    /// Bytes with their length in two bytes before them, the lower first.
    fn long(&mut self) -> Result<&'a [u8], Reason> {
        let length = u16::from_le_bytes([self.byte()?, self.byte()?]);
        self.take(length.into())
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Reason> {
        let end = self.at.saturating_add(length);
        let bytes = self.bytes.get(self.at..end).ok_or(Reason::Cut)?;
        self.at = end;
        Ok(bytes)
    }

    /// Advances to where a game seems to begin: a general game that starts with a tag, or a reduced game with a valid result.
    /// Takes time linear in the data.
    pub(super) fn find_game(&mut self) {
        while !self.is_at_end() && !self.seems_to_begin() {
            self.at += 1;
        }
    }

    fn seems_to_begin(mut self) -> bool {
        match self.item() {
            Ok(Item::Begin) => {
                matches!(self.item(), Ok(Item::Tag(name, _)) if name.len() > 1 && is_tag_name(&latin1(name)))
            }
            Ok(Item::ReducedGame([.., result], _)) => matches!(result, b"1-0" | b"0-1" | b"1/2-1/2" | b"*"),
            _ => false,
        }
    }
}

/// Text of Latin-1 bytes.
pub(super) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&b| char::from(b)).collect()
}
