//! Writes or extends the folder tree of PGN files that the PGN standard suggests.
//!
//! Everything is written to a folder of its own inside the archive first and then moved into place file by file, so that an
//! interrupted export leaves every file of the archive whole.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use notation::archive::{places, read_me};
use notation::pgn::{Game, Kind, Reader, read_games};
use notation_commands::{NewFiles, PgnFiles, SortedGames, unfinished_folder};

/// Collects games for the tree.
pub(super) struct Archive {
    sorted: SortedGames,
    /// The values of their tag `GameId`.
    ids: BTreeSet<String>,
}

impl Archive {
    /// An empty collection.
    ///
    /// # Errors
    /// When a temporary file cannot be created.
    pub(super) fn new() -> anyhow::Result<Self> {
        Ok(Self { sorted: SortedGames::new()?, ids: BTreeSet::new() })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the temporary file cannot be written.
    pub(super) fn add(&mut self, game: &Game) -> anyhow::Result<()> {
        self.ids.extend(id_of(game));
        self.sorted.add(game)
    }

    /// Writes the files: one for each event, each player and each day, the games of each in the standard's order. Games of
    /// files that are there stay, unless a game with their `GameId` is added.
    ///
    /// # Errors
    /// When a file cannot be written, or one that is there cannot be read completely. The archive is then as it was.
    pub(super) fn write(self, archive: &Path) -> anyhow::Result<()> {
        let Self { sorted, ids } = self;
        let unfinished = unfinished_folder(archive)?;
        let (added, merged) = (unfinished.path().join("added"), unfinished.path().join("merged"));
        let mut files = NewFiles::below(&added);
        sorted.each(true, |text| {
            let game = read_games(text).next().context("an exported game cannot be read back")??;
            for place in places(&game) {
                files.add(&place, text)?;
            }
            Ok(())
        })?;
        files.close_all()?;
        let mut whole = NewFiles::below(&merged);
        let mut moves = Vec::new();
        for name in files.names() {
            let there = existing(archive, name)?;
            let mut games = SortedGames::new()?;
            if let Some(there) = &there {
                read(
                    there,
                    |game| if id_of(&game).is_some_and(|id| ids.contains(&id)) { Ok(()) } else { games.add(&game) },
                )?;
            }
            read(&added.join(name), |game| games.add(&game))?;
            games.each(true, |text| whole.add(name, text))?;
            moves.push((merged.join(name), there.unwrap_or_else(|| archive.join(name))));
        }
        let folders: BTreeSet<String> = files.names().flat_map(folders_of).collect();
        for folder in folders {
            let name = if folder.is_empty() { "ReadMe".to_owned() } else { format!("{folder}/ReadMe") };
            if let Some(text) = read_me(&folder).filter(|_| !archive.join(&name).exists()) {
                whole.add(&name, text.as_bytes())?;
                moves.push((merged.join(&name), archive.join(&name)));
            }
        }
        whole.close_all()?;
        for (from, to) in &moves {
            put(from, to).with_context(|| format!("{} cannot be written", to.display()))?;
        }
        Ok(())
    }
}

/// The game's `GameId`, if it has one.
fn id_of(game: &Game) -> Option<String> {
    game.tags.get("GameId").filter(|id| !matches!(*id, "" | "?")).map(str::to_owned)
}

/// Reads all games of a file of the archive.
fn read(path: &Path, mut take: impl FnMut(Game) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut whole = true;
    let tally = PgnFiles::new(vec![path.to_owned()]).each_game(
        || Reader::new().check_moves().keep_null_moves(),
        |game, place| {
            let kinds = place.notices.iter().map(|notice| notice.reason.kind());
            whole &= kinds.into_iter().all(|kind| kind == Kind::NullMove || kind.is_contradiction());
            take(game)
        },
    )?;
    if tally.damaged > 0 || !whole {
        bail!(
            "{} cannot be extended, because not all of it can be read: correct it, or export to a new folder",
            path.display()
        );
    }
    Ok(())
}

/// The file of the archive with this name, in whatever case it is written: on some file systems `ABEL` and `Abel` are one
/// file.
fn existing(archive: &Path, name: &str) -> anyhow::Result<Option<PathBuf>> {
    let path = archive.join(name);
    if path.exists() {
        return Ok(Some(path));
    }
    let (Some(folder), Some(file)) = (path.parent(), path.file_name().and_then(|file| file.to_str())) else {
        return Ok(None);
    };
    if !folder.exists() {
        return Ok(None);
    }
    let cannot = || format!("{} cannot be read", folder.display());
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let there = entry.with_context(cannot)?.path();
        let same = there.file_name().and_then(|name| name.to_str()).map(str::to_lowercase) == Some(file.to_lowercase());
        if same {
            return Ok(Some(there));
        }
    }
    Ok(None)
}

/// Moves a complete file into place, over an older one.
fn put(from: &Path, to: &Path) -> std::io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::File::open(from)?.sync_all()?;
    fs::rename(from, to)
}

/// The folders of a path, outermost first.
fn folders_of(path: &str) -> Vec<String> {
    let inner = path.match_indices('/').map(|(end, _)| path.get(..end).unwrap_or_default());
    std::iter::once("").chain(inner).map(str::to_owned).collect()
}
