//! Games in the standard's order, however many: their texts wait in a temporary file, only their keys in memory.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};

use anyhow::Context;
use notation::collation::CollationKey;
use notation::pgn::{Game, write_game};

/// Games that are being put in order.
pub(in crate::cli) struct Sorted {
    texts: BufWriter<File>,
    length: u64,
    entries: Vec<Entry>,
}

struct Entry {
    key: CollationKey,
    /// Where the text is in the temporary file.
    start: u64,
    length: usize,
}

impl Sorted {
    /// No games.
    ///
    /// # Errors
    /// There is no temporary file to be had.
    pub(in crate::cli) fn new() -> anyhow::Result<Self> {
        let file = tempfile::tempfile()
            .context("a temporary file cannot be made; let TMPDIR name a folder you may write to")?;
        Ok(Self { texts: BufWriter::new(file), length: 0, entries: Vec::new() })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub(in crate::cli) fn add(&mut self, game: &Game) -> anyhow::Result<()> {
        let text = write_game(game);
        self.texts
            .write_all(text.as_bytes())
            .context("the temporary file is full; let TMPDIR name a folder with more room")?;
        self.entries.push(Entry { key: CollationKey::of(game), start: self.length, length: text.len() });
        self.length += text.len() as u64;
        Ok(())
    }

    /// Hands over the texts in their order. With `each_once`, equal texts are handed over once.
    ///
    /// # Errors
    /// What `take` says, or that the temporary file cannot be read.
    pub(in crate::cli) fn each(
        mut self,
        each_once: bool,
        mut take: impl FnMut(&[u8]) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut texts = self.texts.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        // Stable: games that are equal in everything stay in the order in which they came.
        self.entries.sort_by(|a, b| a.key.cmp(&b.key));
        for equal in self.entries.chunk_by(|a, b| a.key == b.key) {
            let mut equal = equal.iter().map(|entry| entry.text(&mut texts)).collect::<anyhow::Result<Vec<_>>>()?;
            if each_once {
                equal.sort_by(|a, b| movetext(a).cmp(movetext(b)).then_with(|| a.cmp(b)));
                equal.dedup();
            } else {
                equal.sort_by(|a, b| movetext(a).cmp(movetext(b)));
            }
            for text in &equal {
                take(text)?;
            }
        }
        Ok(())
    }
}

impl Entry {
    fn text(&self, texts: &mut File) -> anyhow::Result<Vec<u8>> {
        let mut text = vec![0; self.length];
        texts.seek(SeekFrom::Start(self.start))?;
        texts.read_exact(&mut text).context("the temporary file cannot be read")?;
        Ok(text)
    }
}

/// The part behind the tags, the last of the keys.
fn movetext(text: &[u8]) -> &[u8] {
    let tags = text.windows(2).position(|pair| pair == b"\n\n");
    tags.and_then(|end| text.get(end + 2..)).unwrap_or_default()
}
