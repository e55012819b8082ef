//! The PGN files that sites poll, joined from blocks, one a game.
//!
//! The cost of a move does not grow with the number of games in a file: only the block of its game is written and compressed
//! again. A file that is being polled is made as soon as something was released, with its gzip form; any other one at its next
//! request. Must not know HTTP beyond entity tags and encodings of a body.

mod ahead;
mod block;
mod body;
mod group;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;

use notation::pgn;

use self::ahead::Ahead;
use self::block::Block;
use self::group::{GROUP, Group};
use crate::gate::{Listed, SectionView, View};
use crate::selection::{Selected, Selection};
use hall_clock::{HallClock, UtcMs};

pub use self::body::{Body, Form, etag_of};

/// Bytes of cached bodies at which all are dropped.
const KEPT_BYTES: usize = 64 * 1024 * 1024;

/// Number of games with cached blocks at which all are dropped; more than the biggest hall has boards.
const KEPT_BLOCKS: usize = 16 * 1024;

/// A file that was not asked for within this time is dropped, and so are blocks that are in no file; milliseconds of real time.
const UNUSED_MS: u64 = 3_600_000;

/// How often that is looked at, in milliseconds of real time.
const LOOK_EVERY_MS: u64 = 60_000;

/// A file that was asked for within this time is being polled, in milliseconds of real time. Slow pollers ask every minute.
const POLLED_MS: u64 = 90_000;

/// The letters a body is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Letters {
    /// All of Unicode, as UTF-8.
    Unicode,
    /// Names folded to ASCII, for programs that know nothing else.
    Ascii,
}

/// Makes the bodies of one view and caches them until something in them changes.
pub struct Bodies<V: View> {
    shared: Arc<Shared<V>>,
    ahead: Ahead,
}

struct Shared<V> {
    view: V,
    clock: HallClock,
    began: Instant,
    kept: RwLock<Kept>,
    /// Held while a file is made; those who ask for a file that is there do not wait for it.
    blocks: Mutex<Blocks>,
    /// When unused files were looked for, in milliseconds of real time since the cache was made.
    looked_ms: AtomicU64,
}

/// A section's slug, the games of it, and the letters.
type Key = (Arc<str>, Selection, Letters);

type Blocks = HashMap<Arc<str>, GameBlocks>;

/// The block of a game in each of the [`Letters`], with the version of the game.
type GameBlocks = [Option<(u64, Arc<Block>)>; 2];

#[derive(Default)]
struct Kept {
    bodies: HashMap<Key, KeptBody>,
    bytes: usize,
}

struct KeptBody {
    body: Arc<Body>,
    /// The latest version of the section for which it is known to be right.
    version: u64,
    /// When the passing of time alone changes it, hall time.
    until: Option<UtcMs>,
    /// When it was last asked for, in milliseconds of real time since the cache was made.
    asked_ms: AtomicU64,
}

/// A file that was made, and the version that it replaces.
struct Made {
    body: Arc<Body>,
    before: Option<Arc<Body>>,
}

impl<V: View> Bodies<V> {
    /// An empty cache.
    pub fn new(view: V, clock: HallClock) -> Self {
        let bodies = Self::made_by_requests(view, clock);
        bodies.shared.view.watch_while(bodies.ahead.watcher());
        bodies
    }

    /// The same, but every file is made by the first request after its change, so that what it costs can be measured.
    pub fn made_by_requests(view: V, clock: HallClock) -> Self {
        let (kept, blocks, looked_ms) = (RwLock::default(), Mutex::default(), AtomicU64::default());
        let shared = Arc::new(Shared { view, clock, began: Instant::now(), kept, blocks, looked_ms });
        let ahead = Ahead::default();
        ahead.start(&shared);
        Self { shared, ahead }
    }

    /// The file with these games of the section with this slug; `None` when the section, round or game is not known.
    pub fn get(&self, slug: &str, selection: &Selection, letters: Letters) -> Option<Arc<Body>> {
        let section = self.shared.view.section(slug)?;
        let key = (Arc::clone(section.slug()), selection.clone(), letters);
        let version = section.version();
        if let Some(known) = self.shared.known(&key, version, true) {
            return Some(known);
        }
        let Made { body, before } = self.shared.make(&section, key, true)?;
        if let Some(before) = before {
            self.ahead.discard(before);
        }
        Some(body)
    }

    /// The file and the form to send now, if nothing that takes long has to be done for them.
    pub fn ready(&self, slug: &str, selection: &Selection, letters: Letters, gzip: bool) -> Option<(Arc<Body>, Form)> {
        let section = self.shared.view.section(slug)?;
        let key = (Arc::clone(section.slug()), selection.clone(), letters);
        let body = self.shared.known(&key, section.version(), true)?;
        let form = self.form(&body, gzip);
        body.is_ready(form).then_some((body, form))
    }

    /// The same, with all that has to be done: it may read the games of earlier rounds from the disk, and compress them.
    pub fn prepared(
        &self,
        slug: &str,
        selection: &Selection,
        letters: Letters,
        gzip: bool,
    ) -> Option<(Arc<Body>, Form)> {
        let body = self.get(slug, selection, letters)?;
        let form = self.form(&body, gzip);
        body.prepare(form);
        Some((body, form))
    }

    /// Drops all that was made.
    #[cfg(test)]
    pub(crate) fn forget_all(&self) {
        self.shared.blocks().clear();
        *self.shared.kept.write().unwrap_or_else(PoisonError::into_inner) = Kept::default();
    }

    /// The form of a file to send now.
    fn form(&self, body: &Arc<Body>, gzip: bool) -> Form {
        if gzip { self.gzip(body) } else { Form::Plain }
    }

    /// The gzip form of a file to send now.
    fn gzip(&self, body: &Arc<Body>) -> Form {
        let (form, small_is_wanted) = body.best_gzip(self.shared.clock.now());
        if small_is_wanted {
            self.ahead.compress(body);
        }
        form
    }
}

impl<V: View> Drop for Bodies<V> {
    fn drop(&mut self) {
        self.ahead.end();
    }
}

impl<V: View> Shared<V> {
    /// A cached file, if it is right for this version of its section.
    fn known(&self, key: &Key, version: u64, asked: bool) -> Option<Arc<Body>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let known = kept.bodies.get(key)?;
        let right = known.version == version && known.until.is_none_or(|until| self.clock.now() < until);
        if right && asked {
            known.asked_ms.store(self.real_ms(), Ordering::Relaxed);
        }
        right.then(|| Arc::clone(&known.body))
    }

    /// Makes a file, unless that was done meanwhile.
    fn make(&self, section: &SectionView<V>, key: Key, asked: bool) -> Option<Made> {
        // Read before the games: after a change in between, the next request makes the body again.
        let mut version = section.version();
        let mut selected = key.1.select(section, self.clock.now())?;
        self.read_archived(section, &selected, key.2);
        let mut blocks = self.blocks();
        // A file that was made while the blocks were held must not be replaced by an earlier one.
        let latest = section.version();
        if let Some(known) = self.known(&key, latest, asked) {
            return Some(Made { body: known, before: None });
        }
        if latest != version {
            version = latest;
            selected = key.1.select(section, self.clock.now())?;
        }
        let before =
            self.kept.read().unwrap_or_else(PoisonError::into_inner).bodies.get(&key).map(|kept| kept.body.clone());
        let made = (0..).zip(selected.games.chunks(GROUP)).map(|(number, games)| {
            let known = before.as_ref().and_then(|before| before.group(number));
            let known = known.filter(|known| known.is_of(games.iter().map(state)));
            known.cloned().or_else(|| group(&mut blocks, section, games, key.2))
        });
        // A file without a game that cannot be read at this moment would be kept as a whole one.
        let made = made.collect::<Option<Vec<_>>>()?;
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        let before = kept.forget(&key);
        let asked_ms = match &before {
            Some(before) if !asked => before.asked_ms.load(Ordering::Relaxed),
            _ => self.real_ms(),
        };
        let before = before.map(|before| before.body);
        let body = match &before {
            Some(before) if before.is_made_of(&made) => Arc::clone(before),
            _ => Arc::new(Body::join(made, changed_at(&selected))),
        };
        kept.keep(key, KeptBody { body: Arc::clone(&body), version, until: selected.until, asked_ms: asked_ms.into() });
        Some(Made { body, before })
    }

    /// Reads the archived games of a file before the blocks are held for it: what is live does not wait for the disk.
    fn read_archived(&self, section: &SectionView<V>, selected: &Selected, letters: Letters) {
        for game in selected.games.iter().filter(|game| game.live().is_none()) {
            if known_block(&self.blocks(), game, letters).is_none()
                && let Some(block) = make_block(section, game, letters)
            {
                keep_block(&mut self.blocks(), game, letters, &block);
            }
        }
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the files of several games again that are being polled, and drops what is not used. (A file of one game costs its next
    /// request nothing more.)
    fn renew_polled(&self) {
        let polled: Vec<_> = {
            let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
            let since = self.real_ms().saturating_sub(POLLED_MS);
            let is_polled = |kept: &KeptBody| kept.asked_ms.load(Ordering::Relaxed) >= since && kept.body.games() > 1;
            kept.bodies.iter().filter(|(_, kept)| is_polled(kept)).map(|(key, _)| key.clone()).collect()
        };
        self.drop_unused(self.real_ms());
        let mut large = Vec::new();
        for key in polled {
            let Some(section) = self.view.section(&key.0) else { continue };
            if self.known(&key, section.version(), false).is_none()
                && let Some(made) = self.make(&section, key, false)
            {
                made.body.prepare(Form::Gzip);
                large.extend(made.body.is_large().then_some(made.body));
            }
        }
        for body in large {
            body.prepare(Form::SmallGzip);
        }
    }

    /// Drops what was not used for a while before `now_ms`, if that was not done a moment ago.
    fn drop_unused(&self, now_ms: u64) {
        if now_ms < self.looked_ms.load(Ordering::Relaxed) + LOOK_EVERY_MS {
            return;
        }
        self.looked_ms.store(now_ms, Ordering::Relaxed);
        let dropped = self.kept.write().unwrap_or_else(PoisonError::into_inner).forget_unused(now_ms);
        drop(dropped);
        let is_used = |block: &(u64, Arc<Block>)| Arc::strong_count(&block.1) > 1;
        self.blocks().retain(|_, of_game| {
            for block in of_game.iter_mut() {
                *block = block.take().filter(is_used);
            }
            of_game.iter().any(Option::is_some)
        });
    }

    fn real_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The state of a game in a group.
fn state(game: &Listed) -> (&Arc<str>, u64) {
    (&game.at().game, game.version())
}

/// The group of these games; none when an archived game cannot be read at this moment.
fn group<V>(blocks: &mut Blocks, section: &SectionView<V>, games: &[Listed], letters: Letters) -> Option<Arc<Group>> {
    let made = games.iter().map(|game| {
        let (id, version) = state(game);
        Some(((Arc::clone(id), version), block(blocks, section, game, letters)?))
    });
    Some(Arc::new(Group::join(made.collect::<Option<_>>()?)))
}

/// The block of a game; none when an archived game cannot be read at this moment.
fn block<V>(blocks: &mut Blocks, section: &SectionView<V>, game: &Listed, letters: Letters) -> Option<Arc<Block>> {
    if let Some(block) = known_block(blocks, game, letters) {
        return Some(block);
    }
    let block = make_block(section, game, letters)?;
    keep_block(blocks, game, letters, &block);
    Some(block)
}

/// The block of a game as it is, if it was made.
fn known_block(blocks: &Blocks, game: &Listed, letters: Letters) -> Option<Arc<Block>> {
    let (version, block) = blocks.get(&*game.at().game)?[letters as usize].as_ref()?;
    (*version == game.version()).then(|| Arc::clone(block))
}

fn make_block<V>(section: &SectionView<V>, game: &Listed, letters: Letters) -> Option<Arc<Block>> {
    let block = match (game.live(), letters) {
        (Some(game), _) => Block::of(game.game.to_pgn(), letters),
        (None, Letters::Unicode) => Block::new(section.archived_pgn(&game.at().game)?),
        (None, Letters::Ascii) => {
            let text = section.archived_pgn(&game.at().game)?;
            Block::of(pgn::read_games(&text).next()?.ok()?, letters)
        }
    };
    Some(Arc::new(block))
}

fn keep_block(blocks: &mut Blocks, game: &Listed, letters: Letters, block: &Arc<Block>) {
    if blocks.len() >= KEPT_BLOCKS {
        blocks.clear();
    }
    let kept = Some((game.version(), Arc::clone(block)));
    blocks.entry(Arc::clone(&game.at().game)).or_default()[letters as usize] = kept;
}

/// When the games of a file, or their choice, last changed.
fn changed_at(selected: &Selected) -> UtcMs {
    let live = selected.games.iter().filter_map(Listed::live);
    live.map(|game| game.changed_at).fold(selected.chosen_at, UtcMs::max)
}

impl Kept {
    fn keep(&mut self, key: Key, kept: KeptBody) {
        let cost = kept.body.cost();
        self.bytes += cost;
        if self.bytes > KEPT_BYTES {
            self.bodies.clear();
            self.bytes = cost;
        }
        self.bodies.insert(key, kept);
    }

    /// Removes the files that were not asked for in a while before `now_ms`.
    fn forget_unused(&mut self, now_ms: u64) -> Vec<KeptBody> {
        let is_unused = |kept: &KeptBody| kept.asked_ms.load(Ordering::Relaxed) + UNUSED_MS < now_ms;
        let unused: Vec<_> =
            self.bodies.iter().filter(|(_, kept)| is_unused(kept)).map(|(key, _)| key.clone()).collect();
        unused.iter().filter_map(|key| self.forget(key)).collect()
    }

    fn forget(&mut self, key: &Key) -> Option<KeptBody> {
        let kept = self.bodies.remove(key)?;
        self.bytes -= kept.body.cost();
        Some(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_hall::Hall;

    #[test]
    fn the_cache_of_bodies_is_bounded() {
        let block = Arc::new(Block::new("x".repeat(KEPT_BYTES / 8)));
        let mut kept = Kept::default();
        for round in 1..=100 {
            let group = Arc::new(Group::join(vec![(("game".into(), round.into()), Arc::clone(&block))]));
            let body = Arc::new(Body::join(vec![group], 0));
            kept.keep(
                ("hall".into(), Selection::Round(round), Letters::Unicode),
                KeptBody { body, version: 0, until: None, asked_ms: 0.into() },
            );
            assert!(kept.bytes <= KEPT_BYTES && kept.bodies.len() <= 4);
            assert_eq!(kept.bytes, kept.bodies.values().map(|kept| kept.body.cost()).sum::<usize>());
        }
        assert!(kept.forget(&("hall".into(), Selection::Round(100), Letters::Unicode)).is_some());
        assert_eq!(kept.bytes, kept.bodies.values().map(|kept| kept.body.cost()).sum::<usize>());
    }

    #[test]
    fn a_move_makes_the_block_of_its_game_again_and_no_other() {
        let hall = Hall::open(1.0);
        for table in 1..=5 {
            hall.start_game(&format!("t{table}"), 1, table, &[]);
        }
        let bodies = Bodies::new(hall.public.clone(), hall.clock);
        let blocks = || {
            let blocks = bodies.shared.blocks.lock().unwrap();
            let unicode = |(game, of_game): (&Arc<str>, &GameBlocks)| {
                Some((Arc::clone(game), Arc::clone(&of_game[Letters::Unicode as usize].as_ref()?.1)))
            };
            blocks.iter().filter_map(unicode).collect::<HashMap<_, _>>()
        };
        let round = Selection::Round(1);
        let first = bodies.get("hall", &round, Letters::Unicode).unwrap();
        let before = blocks();
        hall.play("t3", 1);
        let second = bodies.get("hall", &round, Letters::Unicode).unwrap();
        let after = blocks();
        let changed: Vec<_> = before.iter().filter(|(id, block)| !Arc::ptr_eq(block, &after[*id])).collect();
        assert_eq!(changed.len(), 1);
        assert_eq!(&**changed[0].0, "t3");
        assert_ne!(first.etag(Form::Gzip), second.etag(Form::Gzip));
        assert!(Arc::ptr_eq(&second, &bodies.get("hall", &round, Letters::Unicode).unwrap()));
    }

    #[test]
    fn files_that_are_not_asked_for_any_more_are_dropped_with_their_blocks() {
        let hall = Hall::open(1.0);
        for table in 1..=4 {
            hall.start_game(&format!("t{table}"), 1, table, &[]);
        }
        let bodies = Bodies::new(hall.public.clone(), hall.clock);
        let ask = |selection: &Selection| bodies.get("hall", selection, Letters::Unicode).unwrap();
        let kept = || {
            let files = bodies.shared.kept.read().unwrap();
            assert_eq!(files.bytes, files.bodies.values().map(|kept| kept.body.cost()).sum::<usize>());
            (files.bodies.len(), bodies.shared.blocks.lock().unwrap().len())
        };
        let (round, two) = (Selection::Round(1), Selection::Tables(1, 1, 2));
        let before = ask(&round).etag(Form::Plain).to_owned();
        ask(&two);
        bodies.shared.drop_unused(UNUSED_MS);
        assert_eq!(kept(), (2, 4));
        let asked_ms = |selection: &Selection, ms: u64| {
            let key = (Arc::<str>::from("hall"), selection.clone(), Letters::Unicode);
            bodies.shared.kept.read().unwrap().bodies[&key].asked_ms.store(ms, Ordering::Relaxed);
        };
        asked_ms(&two, 2 * UNUSED_MS);
        bodies.shared.drop_unused(2 * UNUSED_MS);
        assert_eq!(kept(), (1, 2), "the file of two games and their blocks stay");
        assert_eq!(ask(&round).etag(Form::Plain), before);
    }

    #[test]
    fn a_file_that_is_polled_is_there_before_its_next_request() {
        let hall = Hall::open(1.0);
        hall.start_game("a", 1, 1, &[]);
        hall.start_game("b", 1, 2, &[]);
        let bodies = Bodies::new(hall.public.clone(), hall.clock);
        let key = (Arc::<str>::from("hall"), Selection::Round(1), Letters::Unicode);
        let first = bodies.get("hall", &key.1, key.2).unwrap();
        hall.play("a", 1);
        let version = hall.view.version();
        let second = loop {
            match bodies.shared.known(&key, version, false) {
                Some(body) => break body,
                None => std::thread::yield_now(),
            }
        };
        assert_ne!(first.etag(Form::Plain), second.etag(Form::Plain));
    }

    #[test]
    fn a_large_file_that_is_polled_has_its_small_form_soon_after_a_move() {
        let hall = Hall::open(1.0);
        let annotator = "A name that takes place. ".repeat(80);
        for table in 1..=40 {
            hall.start_game(&format!("t{table}"), 1, table, &[("Annotator", &annotator)]);
        }
        let bodies = Bodies::new(hall.public.clone(), hall.clock);
        let polled = || bodies.get("hall", &Selection::Round(1), Letters::Unicode).unwrap();
        let small = |before: &str| loop {
            let body = polled();
            assert!(body.is_large());
            if bodies.gzip(&body) == Form::SmallGzip && body.etag(Form::Plain) != before {
                break body;
            }
            std::thread::yield_now();
        };
        let first = small("");
        hall.play("t3", 1);
        small(first.etag(Form::Plain));
    }
}
