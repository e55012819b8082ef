//! Sorts games in the standard's order. Memory holds only the sort keys; the texts are in a temporary file.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};

use anyhow::Context;
use notation::collation::CollationKey;
use notation::pgn::{Game, write_game};

/// Collects games and returns their texts in the standard's order.
pub struct SortedGames {
    texts: BufWriter<File>,
    length: u64,
    entries: Vec<Entry>,
}

struct Entry {
    key: CollationKey,
    /// Byte of the temporary file at which the text begins.
    start: u64,
    length: usize,
}

impl SortedGames {
    /// No games.
    ///
    /// # Errors
    /// A temporary file cannot be created.
    pub fn new() -> anyhow::Result<Self> {
        let file = tempfile::tempfile()
            .context("a temporary file cannot be created; set TMPDIR to a folder that you can write to")?;
        Ok(Self { texts: BufWriter::new(file), length: 0, entries: Vec::new() })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn add(&mut self, game: &Game) -> anyhow::Result<()> {
        let text = write_game(game);
        self.texts
            .write_all(text.as_bytes())
            .context("the temporary file cannot be written; set TMPDIR to a folder with more space")?;
        self.entries.push(Entry { key: CollationKey::of(game), start: self.length, length: text.len() });
        self.length += text.len() as u64;
        Ok(())
    }

    /// Passes the texts to `take` in order. With `each_once`, equal texts are passed once.
    ///
    /// # Errors
    /// An error of `take`, or the temporary file cannot be read.
    pub fn each(mut self, each_once: bool, mut take: impl FnMut(&[u8]) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let mut texts = self.texts.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        // Stable: equal games stay in the order in which they were added.
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

/// The part after the tags, the last sort key.
fn movetext(text: &[u8]) -> &[u8] {
    let tags = text.windows(2).position(|pair| pair == b"\n\n");
    tags.and_then(|end| text.get(end + 2..)).unwrap_or_default()
}
