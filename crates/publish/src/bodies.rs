//! The PGN files that sites poll, joined from blocks, one a game.
//!
//! A block is written and compressed again only when its game changed, so that the cost of a move does not grow with the number
//! of games in the file. Must not know HTTP beyond entity tags and encodings of a body.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use deunicode::deunicode_with_tofu;
use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use notation::pgn::{self, Element, Tags};
use sha2::{Digest, Sha256};

use crate::gate::{Listed, SectionView, View};
use crate::selection::{Selected, Selection};
use hall_clock::{HallClock, UtcMs};

/// Bytes of cached bodies at which all are dropped.
const KEPT_BYTES: usize = 64 * 1024 * 1024;

/// Number of cached blocks at which all are dropped; more than the biggest hall has boards.
const KEPT_BLOCKS: usize = 16 * 1024;

/// First bytes of a gzip file: deflate, no name, no time, unknown system.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// An empty last block of deflate.
const DEFLATE_END: [u8; 2] = [3, 0];

/// The letters a body is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Letters {
    /// All of Unicode, as UTF-8.
    Unicode,
    /// Names folded to ASCII, for programs that know nothing else.
    Ascii,
}

/// A PGN file of this moment.
#[derive(Debug)]
pub struct Body {
    /// The text, UTF-8.
    pub text: Bytes,
    /// Strong entity tag of the text, with its quotes.
    pub etag: String,
    /// The second in which it last changed, hall time since 1970.
    pub changed_s: u64,
    blocks: Vec<Arc<Block>>,
    packed: OnceLock<Bytes>,
}

impl Body {
    /// The text as one gzip member, made at the first call.
    pub fn gzip(&self) -> Bytes {
        self.packed.get_or_init(|| join_packed(&self.blocks)).clone()
    }

    /// Strong entity tag of the gzip form, with its quotes.
    pub fn gzip_etag(&self) -> String {
        format!("{}-gz\"", self.etag.trim_end_matches('"'))
    }
}

/// Makes the bodies of one view and caches them until something in them changes.
pub struct Bodies<V> {
    view: V,
    clock: HallClock,
    kept: Mutex<Kept>,
}

/// A section's slug, the games of it, and the letters.
type Key = (Arc<str>, Selection, Letters);

#[derive(Default)]
struct Kept {
    bodies: HashMap<Key, KeptBody>,
    bytes: usize,
    blocks: HashMap<(Arc<str>, Letters), (u64, Arc<Block>)>,
}

struct KeptBody {
    body: Arc<Body>,
    /// The latest version of the section for which it is known to be right.
    version: u64,
    /// When the passing of time alone changes it, hall time.
    until: Option<UtcMs>,
}

impl<V: View> Bodies<V> {
    /// An empty cache.
    pub fn new(view: V, clock: HallClock) -> Self {
        Self { view, clock, kept: Mutex::default() }
    }

    /// The file with these games of the section with this slug; `None` when the section, round or game is not known.
    pub fn get(&self, slug: &str, selection: &Selection, letters: Letters) -> Option<Arc<Body>> {
        let section = self.view.section(slug)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now();
        // Read before the games: after a change in between, the next request makes the body again.
        let version = section.version();
        let key = (Arc::clone(section.slug()), selection.clone(), letters);
        if let Some(known) = kept.bodies.get(&key)
            && known.version == version
            && known.until.is_none_or(|until| now < until)
        {
            return Some(Arc::clone(&known.body));
        }
        let selected = selection.select(&section, now)?;
        let blocks: Vec<_> = selected.games.iter().filter_map(|game| kept.block(&section, game, letters)).collect();
        let body = match kept.forget(&key) {
            Some(known) if known.body.is_made_of(&blocks) => known.body,
            _ => Arc::new(Body::join(&selected, blocks)),
        };
        kept.keep(key, KeptBody { body: Arc::clone(&body), version, until: selected.until });
        Some(body)
    }
}

impl Kept {
    /// The block of a game; none when an archived game cannot be read at this moment.
    fn block<V>(&mut self, section: &SectionView<V>, game: &Listed, letters: Letters) -> Option<Arc<Block>> {
        let key = (Arc::clone(&game.at.game), letters);
        // An archived game never changes: with its next event it is in memory and has a version.
        let wanted = game.live.as_ref().map_or(0, |game| game.version);
        if let Some((version, block)) = self.blocks.get(&key)
            && *version == wanted
        {
            return Some(Arc::clone(block));
        }
        let block = Arc::new(match (&game.live, letters) {
            (Some(game), _) => Block::of(game.game.to_pgn(), letters),
            (None, Letters::Unicode) => Block::new(section.archived_pgn(&game.at.game)?),
            (None, Letters::Ascii) => {
                let text = section.archived_pgn(&game.at.game)?;
                Block::of(pgn::read_games(&text).next()?.ok()?, letters)
            }
        });
        if self.blocks.len() >= KEPT_BLOCKS {
            self.blocks.clear();
        }
        self.blocks.insert(key, (wanted, Arc::clone(&block)));
        Some(block)
    }

    fn keep(&mut self, key: Key, kept: KeptBody) {
        self.bytes += kept.cost();
        if self.bytes > KEPT_BYTES {
            self.bodies.clear();
            self.bytes = kept.cost();
        }
        self.bodies.insert(key, kept);
    }

    fn forget(&mut self, key: &Key) -> Option<KeptBody> {
        let kept = self.bodies.remove(key)?;
        self.bytes -= kept.cost();
        Some(kept)
    }
}

impl KeptBody {
    /// Bytes in memory, about: the text, as much again for the gzip form, and 1 KiB.
    fn cost(&self) -> usize {
        2 * self.body.text.len() + 1024
    }
}

impl Body {
    fn join(selected: &Selected, blocks: Vec<Arc<Block>>) -> Self {
        let text = match &blocks[..] {
            [only] => only.text.clone(),
            _ => blocks.iter().flat_map(|block| &block.text[..]).copied().collect(),
        };
        // The blocks' digests stand for their bytes: nothing is hashed twice.
        let mut digest = Sha256::new();
        for block in &blocks {
            digest.update(block.digest);
        }
        let live = selected.games.iter().filter_map(|game| game.live.as_ref());
        let changed_at = live.map(|game| game.changed_at).fold(selected.chosen_at, UtcMs::max);
        Self { text, etag: etag(&digest.finalize()), changed_s: changed_at / 1000, blocks, packed: OnceLock::new() }
    }

    fn is_made_of(&self, blocks: &[Arc<Block>]) -> bool {
        self.blocks.iter().map(|block| block.digest).eq(blocks.iter().map(|block| block.digest))
    }
}

/// The strong entity tag of these bytes, with its quotes.
pub fn etag_of(bytes: &[u8]) -> String {
    etag(&Sha256::digest(bytes))
}

fn etag(digest: &[u8]) -> String {
    let mut tag = String::from('"');
    for byte in digest.iter().take(16) {
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    tag
}

/// One game as text.
#[derive(Debug)]
struct Block {
    text: Bytes,
    digest: [u8; 32],
    packed: OnceLock<Packed>,
}

/// A block of deflate that refers to nothing before it and ends at a whole byte.
#[derive(Debug)]
struct Packed {
    bytes: Vec<u8>,
    crc: Crc,
}

impl Block {
    fn of(mut game: pgn::Game, letters: Letters) -> Self {
        if letters == Letters::Ascii {
            fold(&mut game);
        }
        Self::new(pgn::write_game(&game))
    }

    fn new(text: String) -> Self {
        let text = Bytes::from(text);
        Self { digest: Sha256::digest(&text).into(), text, packed: OnceLock::new() }
    }

    fn packed(&self) -> &Packed {
        self.packed.get_or_init(|| {
            let mut crc = Crc::new();
            crc.update(&self.text);
            Packed { bytes: deflate(&self.text), crc }
        })
    }
}

fn deflate(text: &[u8]) -> Vec<u8> {
    let mut deflate = Compress::new(Compression::default(), false);
    let mut packed = Vec::with_capacity(text.len() / 2 + 64);
    loop {
        let done = usize::try_from(deflate.total_in()).unwrap_or(usize::MAX);
        let rest = text.get(done..).unwrap_or_default();
        let status = deflate.compress_vec(rest, &mut packed, FlushCompress::Full);
        // Room left over means that the flush is complete.
        if packed.len() < packed.capacity() || !matches!(status, Ok(Status::Ok)) {
            return packed;
        }
        packed.reserve(text.len() / 2 + 64);
    }
}

fn join_packed(blocks: &[Arc<Block>]) -> Bytes {
    let mut file = GZIP_HEAD.to_vec();
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
    deunicode_with_tofu(text, "?")
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn the_cache_of_bodies_is_bounded() {
        let text = Bytes::from(vec![b'x'; KEPT_BYTES / 8]);
        let mut kept = Kept::default();
        for round in 1..=100 {
            let (etag, blocks, packed) = (String::new(), Vec::new(), OnceLock::new());
            let body = Arc::new(Body { text: text.clone(), etag, changed_s: 0, blocks, packed });
            kept.keep(
                ("hall".into(), Selection::Round(round), Letters::Unicode),
                KeptBody { body, version: 0, until: None },
            );
            assert!(kept.bytes <= KEPT_BYTES && kept.bodies.len() <= 4);
            assert_eq!(kept.bytes, kept.bodies.values().map(KeptBody::cost).sum::<usize>());
        }
        assert!(kept.forget(&("hall".into(), Selection::Round(100), Letters::Unicode)).is_some());
        assert_eq!(kept.bytes, kept.bodies.values().map(KeptBody::cost).sum::<usize>());
    }

    #[test]
    fn a_long_block_is_packed_to_its_end() {
        let noise: Vec<u8> = (0_u32..300_000).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for text in [&noise[..], &noise[..1], b"", &vec![b'x'; 100_000]] {
            let block = Block { text: Bytes::copy_from_slice(text), digest: [0; 32], packed: OnceLock::new() };
            let file = join_packed(&[Arc::new(block)]);
            let mut unpacked = Vec::new();
            io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&file[..]), &mut unpacked).unwrap();
            assert_eq!(unpacked, text);
        }
    }
}
