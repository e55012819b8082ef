//! A PGN file of one moment: its text, its two gzip forms and their entity tags.
//!
//! Both gzip forms are one member (RFC 1952), because browsers and many libraries read no further than the first. Must not know
//! views or HTTP headers.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use flate2::write::GzEncoder;
use flate2::{Compression, Crc};
use hall_clock::UtcMs;
use sha2::{Digest, Sha256};

use super::block::Block;

/// First bytes of a gzip file: deflate, no name, no time, unknown system.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// An empty last block of deflate.
const DEFLATE_END: [u8; 2] = [3, 0];

/// How long a file has to stay the same before it is compressed as a whole, in milliseconds of hall time. Compressing a round of
/// 100 games takes milliseconds; half the bytes are worth that once, not at every move.
const QUIET_MS: u64 = 2_000;

/// Files up to this size in bytes are compressed as a whole by the request that asks for them; larger ones beside the requests.
const WHOLE_AT_ONCE: usize = 64 * 1024;

/// Forms of at least this size in bytes are also kept as files: below it a copy costs less than sending a file.
const FILE_BYTES: usize = 64 * 1024;

/// A form in which a file can be sent. Each has its own strong entity tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The text.
    Plain,
    /// Gzip, joined from the compressed games: ready with each version of the file.
    Gzip,
    /// Gzip, compressed as a whole: about half as long, for a file that has been quiet.
    SmallGzip,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Gzip, Self::SmallGzip];

    fn suffix(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Gzip => "-gz",
            Self::SmallGzip => "-gzs",
        }
    }
}

/// A PGN file of this moment.
#[derive(Debug)]
pub struct Body {
    /// The text, UTF-8.
    pub text: Bytes,
    /// When it last changed, hall time.
    pub changed_at: UtcMs,
    etags: [String; 3],
    blocks: Vec<Arc<Block>>,
    gzip: OnceLock<Bytes>,
    small: OnceLock<Bytes>,
    files: [OnceLock<Option<Arc<File>>>; 3],
}

impl Body {
    /// Joins a file from its games.
    pub(super) fn join(blocks: Vec<Arc<Block>>, changed_at: UtcMs) -> Self {
        let text = if let [only] = &blocks[..] {
            only.text.clone()
        } else {
            let mut text = Vec::with_capacity(blocks.iter().map(|block| block.text.len()).sum());
            for block in &blocks {
                text.extend_from_slice(&block.text);
            }
            text.into()
        };
        // The blocks' digests stand for their bytes: nothing is hashed twice.
        let mut digest = Sha256::new();
        for block in &blocks {
            digest.update(block.digest);
        }
        let etags = Form::ALL.map(|form| etag(&digest.clone().finalize(), form));
        Self {
            text,
            changed_at,
            etags,
            blocks,
            gzip: OnceLock::new(),
            small: OnceLock::new(),
            files: Default::default(),
        }
    }

    /// Strong entity tag of a form, with its quotes.
    pub fn etag(&self, form: Form) -> &str {
        &self.etags[form as usize]
    }

    /// The bytes of a form, made at the first call.
    pub fn bytes(&self, form: Form) -> Bytes {
        match form {
            Form::Plain => self.text.clone(),
            Form::Gzip => self.gzip.get_or_init(|| join_packed(&self.blocks)).clone(),
            Form::SmallGzip => self.small.get_or_init(|| compress_whole(&self.text)).clone(),
        }
    }

    /// The bytes of a large form as a file in memory, made at the first call: the system sends it to any number of clients
    /// without a copy for each. None for a small form, and on systems without such files.
    pub fn file(&self, form: Form) -> Option<Arc<File>> {
        self.files[form as usize].get_or_init(|| in_memory(&self.bytes(form))).clone()
    }

    /// The gzip form to send at hall time `now`, and whether the smaller one is wanted and has to be made beside the requests.
    pub(super) fn best_gzip(&self, now: UtcMs) -> (Form, bool) {
        let quiet = now >= self.changed_at.saturating_add(QUIET_MS);
        // One game alone is compressed as a whole already.
        match () {
            () if !quiet || self.blocks.len() < 2 => (Form::Gzip, false),
            () if self.small.get().is_some() || self.text.len() <= WHOLE_AT_ONCE => (Form::SmallGzip, false),
            () => (Form::Gzip, true),
        }
    }

    pub(super) fn is_made_of(&self, blocks: &[Arc<Block>]) -> bool {
        self.blocks.iter().map(|block| block.digest).eq(blocks.iter().map(|block| block.digest))
    }

    /// Number of its games.
    pub(super) fn games(&self) -> usize {
        self.blocks.len()
    }

    /// Bytes in memory, about: the text, as much again for the gzip forms, and 1 KiB.
    pub(super) fn cost(&self) -> usize {
        2 * self.text.len() + 1024
    }
}

/// The strong entity tag of these bytes, with its quotes.
pub fn etag_of(bytes: &[u8]) -> String {
    etag(&Sha256::digest(bytes), Form::Plain)
}

fn etag(digest: &[u8], form: Form) -> String {
    let mut tag = String::with_capacity(40);
    tag.push('"');
    for byte in digest.iter().take(16) {
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push_str(form.suffix());
    tag.push('"');
    tag
}

#[cfg(target_os = "linux")]
fn in_memory(bytes: &[u8]) -> Option<Arc<File>> {
    use rustix::fs::{MemfdFlags, memfd_create};

    if bytes.len() < FILE_BYTES {
        return None;
    }
    // Without one, for example with too many open files, the bytes are sent.
    let mut file = File::from(memfd_create("pgn", MemfdFlags::CLOEXEC).ok()?);
    file.write_all(bytes).ok()?;
    Some(Arc::new(file))
}

#[cfg(not(target_os = "linux"))]
fn in_memory(_: &[u8]) -> Option<Arc<File>> {
    None
}

fn join_packed(blocks: &[Arc<Block>]) -> Bytes {
    let size: usize = blocks.iter().map(|block| block.packed().bytes.len()).sum();
    let mut file = Vec::with_capacity(size + GZIP_HEAD.len() + DEFLATE_END.len() + 8);
    file.extend_from_slice(&GZIP_HEAD);
    let mut crc = Crc::new();
    for block in blocks {
        let packed = block.packed();
        file.extend_from_slice(&packed.bytes);
        crc.combine(&packed.crc);
    }
    file.extend_from_slice(&DEFLATE_END);
    file.extend_from_slice(&crc.sum().to_le_bytes());
    file.extend_from_slice(&crc.amount().to_le_bytes());
    file.into()
}

fn compress_whole(text: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::with_capacity(text.len() / 4), Compression::default());
    // Writing into a vector cannot fail.
    let _ = encoder.write_all(text);
    encoder.finish().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::{GzDecoder, MultiGzDecoder};

    use super::*;

    fn noise(length: u32) -> String {
        (0..length).map(|n| char::from(b'!' + (n.wrapping_mul(2_654_435_761) >> 13) as u8 % 90)).collect()
    }

    fn unpacked(file: &[u8]) -> Vec<u8> {
        let (mut text, mut again) = (Vec::new(), Vec::new());
        GzDecoder::new(file).read_to_end(&mut text).unwrap();
        MultiGzDecoder::new(file).read_to_end(&mut again).unwrap();
        assert_eq!(text, again, "one member, and nothing behind it");
        text
    }

    fn body(games: &[String]) -> Body {
        Body::join(games.iter().map(|game| Arc::new(Block::new(game.clone()))).collect(), 1000)
    }

    #[test]
    fn both_gzip_forms_of_any_games_are_the_text() {
        let long = noise(300_000);
        for games in
            [vec![], vec![String::new()], vec![long.clone()], vec![noise(1), "x".repeat(100_000), long, noise(7)]]
        {
            let body = body(&games);
            assert_eq!(body.text, games.concat());
            for form in [Form::Gzip, Form::SmallGzip] {
                assert_eq!(unpacked(&body.bytes(form)), games.concat().as_bytes());
            }
        }
    }

    #[test]
    fn the_forms_of_one_version_have_different_tags_and_those_of_another_version_again_others() {
        let (one, other) = (body(&["1. e4 *".into()]), body(&["1. d4 *".into()]));
        let tags: std::collections::BTreeSet<_> =
            [&one, &other].iter().flat_map(|body| Form::ALL.map(|form| body.etag(form).to_owned())).collect();
        assert_eq!(tags.len(), 6);
        assert!(tags.iter().all(|tag| tag.starts_with('"') && tag.ends_with('"') && tag.len() > 20));
    }

    #[test]
    fn a_file_is_compressed_as_a_whole_when_it_has_been_quiet() {
        let small = body(&["a".repeat(300), "a".repeat(300)]);
        assert_eq!(small.best_gzip(2999), (Form::Gzip, false));
        assert_eq!(small.best_gzip(3000), (Form::SmallGzip, false));
        assert!(small.bytes(Form::SmallGzip).len() < small.bytes(Form::Gzip).len());
        let large = body(&[noise(80_000), noise(80_000)]);
        assert_eq!(large.best_gzip(3000), (Form::Gzip, true), "not by the request");
        large.bytes(Form::SmallGzip);
        assert_eq!(large.best_gzip(3000), (Form::SmallGzip, false));
        assert_eq!(body(&[noise(10)]).best_gzip(3000), (Form::Gzip, false), "one game gains nothing");
    }
}
