//! One game as text and as a block of deflate.
//!
//! A block is written and compressed again only when its game changed. Must not know files or views.

use std::cell::RefCell;
use std::sync::OnceLock;
use std::thread::LocalKey;

use bytes::Bytes;
use deunicode::deunicode_with_tofu;
use flate2::{Compress, Compression, FlushCompress, Status};
use notation::pgn::{self, Element, Tags};
use sha2::{Digest, Sha256};

use super::Letters;

/// One game as text.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) text: Bytes,
    pub(super) digest: [u8; 32],
    packed: OnceLock<Bytes>,
}

impl Block {
    pub(super) fn of(mut game: pgn::Game, letters: Letters) -> Self {
        if letters == Letters::Ascii {
            fold(&mut game);
        }
        Self::new(pgn::write_game(&game))
    }

    pub(super) fn new(text: String) -> Self {
        let text = Bytes::from(text);
        Self { digest: Sha256::digest(&text).into(), text, packed: OnceLock::new() }
    }

    /// The text as a run of deflate that refers to nothing before it and ends at a whole byte, compressed at the first call.
    pub(super) fn packed(&self) -> &Bytes {
        self.packed.get_or_init(|| deflate(&AT_ONCE, &self.text).into())
    }
}

thread_local! {
    // Their tables have hundreds of kilobytes: they are made once a thread.
    /// For what every move waits for: a third of the time of [`SMALL`], and a third more bytes.
    static AT_ONCE: RefCell<Compress> = RefCell::new(Compress::new(Compression::fast(), false));
    /// For what is made once a file is quiet, or beside the requests.
    pub(super) static SMALL: RefCell<Compress> = RefCell::new(Compress::new(Compression::default(), false));
}

/// Compresses to a run of deflate that refers to nothing before it and ends at a whole byte.
pub(super) fn deflate(with: &'static LocalKey<RefCell<Compress>>, text: &[u8]) -> Vec<u8> {
    with.with_borrow_mut(|deflate| {
        deflate.reset();
        deflate_with(deflate, text)
    })
}

fn deflate_with(deflate: &mut Compress, text: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(text.len() / 2 + 64);
    loop {
        let done = usize::try_from(deflate.total_in()).unwrap_or(usize::MAX);
        let rest = text.get(done..).unwrap_or_default();
        let status = deflate.compress_vec(rest, &mut packed, FlushCompress::Sync);
        // Room left over means that the flush is complete.
        if packed.len() < packed.capacity() || !matches!(status, Ok(Status::Ok)) {
            return packed;
        }
        packed.reserve(text.len() / 2 + 64);
    }
}

/// Folds tags and comments before they are written, so that a quote or brace that folding makes is escaped like any other.
fn fold(game: &mut pgn::Game) {
    let mut tags = Tags::default();
    for (name, value) in game.tags.iter() {
        tags.set(name, ascii(value));
    }
    game.tags = tags;
    for element in &mut game.movetext {
        if let Element::Comment(comment) = element {
            *comment = ascii(comment);
        }
    }
}

fn ascii(text: &str) -> String {
    let folded = deunicode_with_tofu(text, "?");
    // Each sign of Han script becomes a word with a space behind it.
    if text.contains(" ,") { folded } else { folded.replace(" ,", ",") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_han_script_has_no_space_before_its_comma() {
        for (name, folded) in
            [("张, 伟", "Zhang, Wei"), ("羽生, 善治", "Yu Sheng, Shan Zhi"), ("Müller, Åsa", "Muller, Asa")]
        {
            assert_eq!(ascii(name).trim_end(), folded);
        }
        assert_eq!(ascii("as it was , written"), "as it was , written");
    }
}
