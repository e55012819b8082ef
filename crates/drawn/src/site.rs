//! A section as a site of small files that any web server can hand out, or a browser can open from a folder.
//!
//! A move changes the picture, the page and the PGN of its game, and the state of its round; a page of a round changes with
//! pairings and results alone, since it shows the pictures. All links are relative. Without a script pages reload themselves;
//! `site.js` asks for the state of the round, and replaces what has changed.
//!
//! Must not know how files get to where they are, nor which view they are drawn from.

mod page;
mod standings;
mod state;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::sync::Arc;

use bytes::Bytes;
use publish::bodies::etag_of;
use publish::gate::{GameView, RoundView, SectionInfo};
use publish::standings::Standings;

use self::page::{game_page, results_page, round_page};
use self::standings::standings_page;
use self::state::state;
use crate::board::{Look, definitions, picture};
use crate::words::Words;
use crate::{escaped, names};

/// The first page. It is sent last, so that it never names a file that is not there yet.
pub const INDEX: &str = "index.html";

/// The page of the standings.
const STANDINGS: &str = "standings.html";

/// The standings for spreadsheets.
const STANDINGS_FILE: &str = "standings.csv";

/// The style sheet of all pages.
const STYLE: &str = include_str!("site/site.css");

/// The script of all pages. The pieces stand before it.
const SCRIPT: &str = include_str!("site/site.js");

/// A file of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it belongs, below the folder of the site; `/` between folders.
    pub path: String,
    /// The round that it is about; 0 for none.
    pub round: u32,
    /// Its bytes.
    pub bytes: Bytes,
    /// Differs when the bytes differ.
    pub digest: String,
}

/// What all pages of a section have in common.
#[derive(Clone, Debug)]
pub struct Site {
    words: &'static Words,
    info: Arc<SectionInfo>,
    /// Number and name of each round that is shown.
    rounds: Vec<(u32, String)>,
    /// The round of the first page.
    current: u32,
    /// Whether there is a file with all games.
    has_all_games: bool,
    /// Whether there are standings.
    has_standings: bool,
}

impl Site {
    /// A site in the language of these words. `rounds` are those that are shown, `current` is the round of the first page.
    pub fn new(words: &'static Words, info: Arc<SectionInfo>, rounds: &[RoundView], current: u32) -> Self {
        let rounds: Vec<_> = rounds.iter().map(|round| (round.number, round.info.name.clone())).collect();
        // Before the first pairings the current round is not shown.
        let known = rounds.iter().any(|(number, _)| *number == current);
        let current = if known { current } else { rounds.last().map_or(current, |(number, _)| *number) };
        Self { words, info, rounds, current, has_all_games: false, has_standings: false }
    }

    /// The same with a link to [`Site::all_games`].
    #[must_use]
    pub fn with_all_games(self) -> Self {
        Self { has_all_games: true, ..self }
    }

    /// The same with links to [`Site::standings`], where they say anything.
    #[must_use]
    pub fn with_standings(self, standings: &Standings) -> Self {
        Self { has_standings: !standings.is_empty(), ..self }
    }

    /// Whether pages of another site would look the same around the games.
    pub fn is_like(&self, other: &Self) -> bool {
        let of = |site: &Self| (site.words.code, site.has_all_games, site.has_standings, site.current);
        of(self) == of(other) && self.rounds == other.rounds && self.info == other.info
    }

    /// Picture, page and PGN of a game.
    pub fn game(&self, round: &RoundView, game: &GameView, pgn: Bytes) -> Vec<File> {
        let name = file_name(&game.at.game);
        let path = |ending: &str| format!("game/{name}.{ending}");
        let number = round.number;
        vec![
            file(path("svg"), number, picture_of(game).into()),
            file(path("pgn"), number, pgn),
            file(path("html"), number, game_page(self, round, game).into()),
        ]
    }

    /// State, results and page of a round with these games, and with the PGN of those that are over.
    pub fn round(&self, round: &RoundView, games: &[Arc<GameView>], finished: Bytes) -> Vec<File> {
        let number = round.number;
        vec![
            file(format!("round-{number}.pgn"), number, finished),
            file(format!("round-{number}-results.html"), number, results_page(self, round, games).into()),
            file(format!("round-{number}.json"), number, state(self, round, games).into()),
            file(round_file(number), number, round_page(self, round, games).into()),
        ]
    }

    /// Page and file of the standings; none where they say nothing.
    pub fn standings(&self, standings: &Standings) -> Vec<File> {
        if standings.is_empty() {
            return Vec::new();
        }
        vec![
            file(STANDINGS_FILE.into(), 0, standings.to_csv().into()),
            file(STANDINGS.into(), 0, standings_page(self, standings).into()),
        ]
    }

    /// Style and script, which never change. They are sent first.
    pub fn parts() -> [File; 2] {
        let script = format!("const PIECES = `{}`;\n{SCRIPT}", definitions());
        [file("site.css".into(), 0, STYLE.into()), file("site.js".into(), 0, script.into())]
    }

    /// The PGN of all games, as a file.
    pub fn all_games(pgn: Bytes) -> File {
        file("games.pgn".into(), 0, pgn)
    }

    /// The first page: the page of the current round among these files. To be sent last.
    pub fn index(&self, files: &[File]) -> File {
        let current = round_file(self.current);
        match files.iter().find(|file| file.path == current) {
            Some(page) => File { path: INDEX.to_owned(), round: 0, ..page.clone() },
            None => file(INDEX.to_owned(), 0, page::empty(self).into()),
        }
    }

    /// Changes when a page of the round has other games or names in it.
    fn version(&self, round: &RoundView, games: &[Arc<GameView>]) -> String {
        let mut text = format!("{:?} {:?} {}", self.info, self.rounds, round.number);
        for game in games {
            let _ = write!(text, "\n{} {} {}", game.at.game, game.at.table, names(game));
        }
        digest_of(text.as_bytes())
    }
}

fn file(path: String, round: u32, bytes: Bytes) -> File {
    File { digest: etag_of(&bytes), path, round, bytes }
}

fn picture_of(game: &GameView) -> String {
    let last = game.game.moves().last().map(|last| &*last.uci);
    picture(game.game.fen_shown(), last, Look::default(), 360, &escaped(&names(game)))
}

fn round_file(number: u32) -> String {
    format!("round-{number}.html")
}

/// A short digest, for attributes and states.
fn digest_of(bytes: &[u8]) -> String {
    etag_of(bytes).trim_matches('"').chars().take(10).collect()
}

/// The id of a game as the name of a file on any system and in any address: as it is, or its digest.
fn file_name(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !id.is_empty() && id.len() <= 80 && id.bytes().all(plain) {
        return id.to_owned();
    }
    format!(
        "game_{}",
        etag_of(id.as_bytes())
            .trim_matches('"')
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .take(20)
            .collect::<String>()
    )
}
