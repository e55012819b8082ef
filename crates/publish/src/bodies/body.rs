//! A PGN file of one moment: its text, its two gzip forms and their entity tags.
//!
//! Both gzip forms are one member (RFC 1952), because browsers and many libraries read no further than the first. Must not know
//! views or HTTP headers.

use std::fmt::Write as _;
use std::fs::File;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use flate2::Crc;
use hall_clock::UtcMs;
use sha2::{Digest, Sha256};

use super::block::Block;
use super::group::Group;

/// First bytes of a gzip file: deflate, no name, no time, unknown system.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// An empty last block of deflate.
const DEFLATE_END: [u8; 2] = [3, 0];

/// Files up to this size in bytes have their small form made by a request, once they are quiet; that of larger ones is made
/// beside the requests.
const SMALL_AT_ONCE: usize = 64 * 1024;

/// How long a file whose small form is made by a request has to stay the same before it is, in milliseconds of hall time.
const QUIET_MS: u64 = 2_000;

/// Forms of at least this size in bytes are also kept as files: below it a copy costs less than sending a file.
const FILE_BYTES: usize = 32 * 1024;

/// A form in which a file can be sent. Each has its own strong entity tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The text.
    Plain,
    /// Gzip, joined from the compressed games: ready with each version of the file.
    Gzip,
    /// Gzip, joined from groups of games that were compressed together: about half as long, ready a little later.
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

/// A PGN file of this moment. It shares its games with its earlier versions: no text is copied before it is sent.
#[derive(Debug)]
pub struct Body {
    /// When it last changed, hall time.
    pub changed_at: UtcMs,
    etags: [String; 3],
    groups: Vec<Arc<Group>>,
    /// Bytes of the text.
    length: usize,
    gzip_tail: OnceLock<Bytes>,
    joined: [OnceLock<Bytes>; 3],
    files: [OnceLock<Option<Arc<File>>>; 3],
}

impl Body {
    /// Joins a file from the groups of its games.
    pub(super) fn join(groups: Vec<Arc<Group>>, changed_at: UtcMs) -> Self {
        // The games' digests stand for their bytes: nothing is hashed twice.
        let mut digest = Sha256::new();
        for group in &groups {
            digest.update(group.digest);
        }
        let digest = digest.finalize();
        Self {
            changed_at,
            etags: Form::ALL.map(|form| etag(&digest, form)),
            length: groups.iter().map(|group| group.length).sum(),
            groups,
            gzip_tail: OnceLock::new(),
            joined: Default::default(),
            files: Default::default(),
        }
    }

    /// Strong entity tag of a form, with its quotes.
    pub fn etag(&self, form: Form) -> &str {
        &self.etags[form as usize]
    }

    /// The text, UTF-8, joined at the first call.
    pub fn text(&self) -> Bytes {
        self.bytes(Form::Plain)
    }

    /// The bytes of a form in one piece, joined at the first call.
    pub fn bytes(&self, form: Form) -> Bytes {
        let join = || match &self.pieces(form)[..] {
            [only] => only.clone(),
            pieces => pieces.concat().into(),
        };
        self.joined[form as usize].get_or_init(join).clone()
    }

    /// Number of bytes of a form.
    pub fn length(&self, form: Form) -> usize {
        let packed: usize = match form {
            Form::Plain => return self.length,
            Form::Gzip => self.blocks().map(|block| block.packed().len()).sum(),
            Form::SmallGzip => self.groups.iter().map(|group| group.packed().len()).sum(),
        };
        GZIP_HEAD.len() + packed + self.gzip_tail().len()
    }

    /// The bytes of a large form as a file in memory, made at the first call: the system sends it to any number of clients
    /// without a copy for each. None for a small form, and on systems without such files.
    pub fn file(&self, form: Form) -> Option<Arc<File>> {
        let file = || (self.length(form) >= FILE_BYTES).then(|| in_memory(&self.pieces(form))).flatten();
        self.files[form as usize].get_or_init(file).clone()
    }

    /// Makes a form ready to be sent: as a file where there is one, otherwise in one piece.
    pub fn prepare(&self, form: Form) {
        if self.file(form).is_none() {
            self.bytes(form);
        }
    }

    /// Whether a form can be sent without work that takes long.
    pub(super) fn is_ready(&self, form: Form) -> bool {
        let file = self.files[form as usize].get();
        !self.is_large() || file.is_some_and(Option::is_some) || self.joined[form as usize].get().is_some()
    }

    /// The gzip form to send at hall time `now`, and whether the smaller one is wanted and has to be made beside the requests.
    pub(super) fn best_gzip(&self, now: UtcMs) -> (Form, bool) {
        let quiet = || now >= self.changed_at.saturating_add(QUIET_MS);
        match () {
            () if self.is_large() && self.groups.iter().all(|group| group.is_packed()) => (Form::SmallGzip, false),
            () if !self.is_large() && quiet() => (Form::SmallGzip, false),
            () => (Form::Gzip, self.is_large()),
        }
    }

    /// Whether its small form is made beside the requests.
    pub(super) fn is_large(&self) -> bool {
        self.length > SMALL_AT_ONCE
    }

    /// Its group of this number, from 0.
    pub(super) fn group(&self, number: usize) -> Option<&Arc<Group>> {
        self.groups.get(number)
    }

    /// Whether a file of these groups has the same text.
    pub(super) fn is_made_of(&self, groups: &[Arc<Group>]) -> bool {
        self.groups.len() == groups.len()
            && self.groups.iter().zip(groups).all(|(own, other)| Group::is_same(own, other))
    }

    /// Number of its games.
    pub(super) fn games(&self) -> usize {
        self.groups.iter().map(|group| group.games.len()).sum()
    }

    /// Bytes in memory, about: the text, as much again for the gzip forms, and 1 KiB.
    pub(super) fn cost(&self) -> usize {
        2 * self.length + 1024
    }

    fn blocks(&self) -> impl Iterator<Item = &Arc<Block>> {
        self.groups.iter().flat_map(|group| &group.games)
    }

    /// The bytes of a form in the pieces that it is made of.
    fn pieces(&self, form: Form) -> Vec<Bytes> {
        let gzip = |packed: Vec<Bytes>| {
            [vec![Bytes::from_static(&GZIP_HEAD)], packed, vec![self.gzip_tail().clone()]].concat()
        };
        match form {
            Form::Plain => self.blocks().map(|block| block.text.clone()).collect(),
            Form::Gzip => gzip(self.blocks().map(|block| block.packed().clone()).collect()),
            Form::SmallGzip => gzip(self.groups.iter().map(|group| group.packed().clone()).collect()),
        }
    }

    /// End of the last block of deflate, checksum and length of the text.
    fn gzip_tail(&self) -> &Bytes {
        self.gzip_tail.get_or_init(|| {
            let mut crc = Crc::new();
            for group in &self.groups {
                crc.combine(group.crc());
            }
            let mut tail = DEFLATE_END.to_vec();
            tail.extend_from_slice(&crc.sum().to_le_bytes());
            tail.extend_from_slice(&crc.amount().to_le_bytes());
            tail.into()
        })
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
fn in_memory(pieces: &[Bytes]) -> Option<Arc<File>> {
    use std::io::{IoSlice, Write as _};

    use rustix::fs::{MemfdFlags, memfd_create};

    // Without one, for example with too many open files, the bytes are sent.
    let mut file = File::from(memfd_create("pgn", MemfdFlags::CLOEXEC).ok()?);
    let mut slices: Vec<_> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
    let mut rest = &mut slices[..];
    while !rest.is_empty() {
        let written = file.write_vectored(rest).ok().filter(|written| *written > 0)?;
        IoSlice::advance_slices(&mut rest, written);
    }
    Some(Arc::new(file))
}

#[cfg(not(target_os = "linux"))]
fn in_memory(_: &[Bytes]) -> Option<Arc<File>> {
    None
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _, SeekFrom};

    use flate2::read::{GzDecoder, MultiGzDecoder};

    use super::super::group::GROUP;
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

    fn groups(games: &[String]) -> Vec<Arc<Group>> {
        let of_game = |text: &String| (("game".into(), 1), Arc::new(Block::new(text.clone())));
        games.chunks(GROUP).map(|games| Arc::new(Group::join(games.iter().map(of_game).collect()))).collect()
    }

    fn body(games: &[String]) -> Body {
        Body::join(groups(games), 1000)
    }

    #[test]
    fn both_gzip_forms_of_any_games_are_the_text() {
        let long = noise(300_000);
        for games in [
            vec![],
            vec![String::new()],
            vec![long.clone()],
            (0..40).map(noise).collect(),
            vec![noise(1), "x".repeat(100_000), long, noise(7)],
        ] {
            let body = body(&games);
            assert_eq!(body.text(), games.concat());
            for form in Form::ALL {
                assert_eq!(body.length(form), body.bytes(form).len());
                if let Some(mut file) = body.file(form) {
                    let mut sent = Vec::new();
                    file.seek(SeekFrom::Start(0)).unwrap();
                    file.read_to_end(&mut sent).unwrap();
                    assert_eq!(sent, body.bytes(form));
                }
            }
            for form in [Form::Gzip, Form::SmallGzip] {
                assert_eq!(unpacked(&body.bytes(form)), games.concat().as_bytes());
            }
        }
    }

    #[test]
    fn a_group_is_known_by_its_games_and_their_versions() {
        let states: [(Arc<str>, u64); 3] = [("a".into(), 1), ("b".into(), 1), ("c".into(), 7)];
        let group = Group::join(states.iter().map(|state| (state.clone(), Arc::new(Block::new("*".into())))).collect());
        let is_of = |states: &[(Arc<str>, u64)]| group.is_of(states.iter().map(|(game, version)| (game, *version)));
        assert!(is_of(&states));
        assert!(is_of(&[("a".into(), 1), ("b".into(), 1), ("c".into(), 7)]), "the same ids elsewhere in memory");
        assert!(!is_of(&[("a".into(), 1), ("b".into(), 2), ("c".into(), 7)]));
        assert!(!is_of(&[("a".into(), 1), ("d".into(), 1), ("c".into(), 7)]));
        assert!(!is_of(&states[..2]) && !is_of(&[&states[..], &states[..1]].concat()));
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
    fn a_file_of_few_games_has_its_small_form_when_it_has_been_quiet() {
        let small = body(&["a".repeat(300), "a".repeat(300)]);
        assert_eq!(small.best_gzip(2999), (Form::Gzip, false));
        assert_eq!(small.best_gzip(3000), (Form::SmallGzip, false));
        assert!(small.bytes(Form::SmallGzip).len() < small.bytes(Form::Gzip).len());
        let one = body(&[noise(300)]);
        assert_eq!([2999, 3000].map(|now| one.best_gzip(now).0), [Form::Gzip, Form::SmallGzip]);
        assert!(one.length(Form::SmallGzip) < one.length(Form::Gzip), "one game alone, too");
    }

    #[test]
    fn a_large_file_has_its_small_form_as_soon_as_the_changed_group_is_compressed_beside_the_requests() {
        let games = |changed: &str| -> Vec<_> {
            let text = |n: usize| if n == 20 { changed.to_owned() } else { "1. e4 e5 ".repeat(500) };
            (0..3 * GROUP).map(text).collect()
        };
        let first = body(&games("1. d4 *"));
        assert_eq!(first.best_gzip(1000), (Form::Gzip, true));
        first.prepare(Form::SmallGzip);
        assert_eq!(first.best_gzip(1000), (Form::SmallGzip, false));
        let changed = groups(&games("1. d4 d5 *"))[1].clone();
        let next = Body::join(vec![first.groups[0].clone(), changed, first.groups[2].clone()], 1001);
        assert_eq!(next.groups.iter().map(|group| group.is_packed()).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(next.best_gzip(1001), (Form::Gzip, true));
        next.prepare(Form::SmallGzip);
        assert_eq!(next.best_gzip(1001), (Form::SmallGzip, false));
        assert!(2 * next.length(Form::SmallGzip) < next.length(Form::Gzip));
    }
}
