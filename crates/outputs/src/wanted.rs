//! What a view shows of one section, as texts that outputs send.
//!
//! A round is read again only when something in it changed. Must not know consumers.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use hall_clock::HallClock;
use publish::bodies::{Bodies, Form, Letters, etag_of};
use publish::gate::{PublicView, RoundInfo, RoundView, SectionView, View, Wait};
use publish::livechess;
use publish::selection::Selection;

use crate::queue::GameLine;
use crate::sentence::OutputSentence;
use crate::settings::{Settings, Target};
use crate::site::SitePages;

/// A section as it is to be at consumers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Its slug.
    pub(crate) section: String,
    /// Its name.
    pub(crate) name: String,
    /// The rounds that are public, by number.
    pub(crate) rounds: Vec<Arc<WantedRound>>,
    /// The PGN of the running rounds, with its digest.
    pub(crate) live: Option<(Bytes, String)>,
    /// `tournament.json`.
    pub(crate) tournament: String,
    /// The files of a static site, in the order in which they are sent; empty where none is wanted.
    pub(crate) site: Vec<drawn::site::File>,
}

/// A round as it is to be at consumers.
#[derive(Debug)]
pub(crate) struct WantedRound {
    pub(crate) number: u32,
    /// All its games as one PGN.
    pub(crate) pgn: Bytes,
    pub(crate) digest: String,
    pub(crate) games: Vec<WantedGame>,
    /// `index.json`.
    pub(crate) index: String,
    /// Whether any game of it is being played.
    pub(crate) is_running: bool,
    /// Whether its games are held back.
    pub(crate) is_delayed: bool,
}

/// A game as it is to be at consumers.
#[derive(Debug)]
pub(crate) struct WantedGame {
    pub(crate) line: GameLine,
    pub(crate) pgn: Bytes,
    pub(crate) digest: String,
    /// `game-K.json`.
    pub(crate) json: String,
}

/// What a round was when it was read.
#[derive(Clone, PartialEq)]
pub(crate) struct Stamp {
    stream: Arc<str>,
    seq: u64,
    info: RoundInfo,
    ended: bool,
}

impl Stamp {
    pub(crate) fn of(round: &RoundView) -> Self {
        let (stream, seq, info, ended) = (Arc::clone(&round.stream), round.seq, round.info.clone(), round.ended());
        Self { stream, seq, info, ended }
    }
}

/// Reads a section of a view.
pub(crate) struct Source {
    view: PublicView,
    bodies: Bodies<PublicView>,
    section: Option<String>,
    read: BTreeMap<u32, (Stamp, Arc<WantedRound>)>,
    /// The pages of a static site, if one is wanted.
    pages: Option<SitePages>,
}

impl Source {
    /// What an output with these settings sends.
    pub(crate) fn new(view: PublicView, hall: HallClock, settings: &Settings) -> Self {
        let pages = match &settings.target {
            Target::Site(site) => Some(SitePages::new(&site.language)),
            _ => None,
        };
        let bodies = Bodies::new(view.clone(), hall);
        Self { bodies, view, section: settings.section.clone(), read: BTreeMap::new(), pages }
    }

    /// The section as it is now.
    ///
    /// # Errors
    /// When it is not known which section is meant.
    pub(crate) fn read(&mut self) -> Result<Wanted, OutputSentence> {
        let Some(section) = self.section()? else { return Ok(Wanted::default()) };
        let info = section.info();
        let known: Vec<_> = section.rounds().into_iter().filter(RoundView::is_known).collect();
        if let Some(pages) = &mut self.pages {
            let site = pages.read(&section, &known, &self.bodies);
            return Ok(Wanted { section: section.slug().to_string(), site, ..Wanted::default() });
        }
        let rounds: Vec<_> = known.iter().map(|round| self.round(&section, round)).collect();
        let live = self.bodies.get(section.slug(), &Selection::Live, Letters::Unicode);
        Ok(Wanted {
            section: section.slug().to_string(),
            name: info.map(|info| info.name.clone()).unwrap_or_default(),
            rounds,
            live: live.map(|body| (body.text(), body.etag(Form::Plain).to_owned())),
            tournament: livechess::tournament(&section).unwrap_or_default(),
            site: Vec::new(),
        })
    }

    fn section(&self) -> Result<Option<SectionView<PublicView>>, OutputSentence> {
        if let Some(slug) = &self.section {
            let missing = || OutputSentence::NoSection { section: slug.clone() };
            return self.view.section(slug).map(Some).ok_or_else(missing);
        }
        let mut sections = self.view.sections();
        match sections.len() {
            0 | 1 => Ok(sections.pop()),
            _ => Err(OutputSentence::Sections),
        }
    }

    fn round(&mut self, section: &SectionView<PublicView>, round: &RoundView) -> Arc<WantedRound> {
        let stamp = Stamp::of(round);
        if let Some((known, wanted)) = self.read.get(&round.number)
            && *known == stamp
        {
            return Arc::clone(wanted);
        }
        let views = livechess::games(section, round);
        let body = |selection: &Selection| self.bodies.get(section.slug(), selection, Letters::Unicode);
        let games = views.iter().filter_map(|view| {
            let pgn = body(&Selection::Game(view.at.game.to_string()))?;
            let tag = |name: &str| view.game.tags().get(name).cloned().unwrap_or_else(|| "?".to_owned());
            let line = GameLine {
                game: view.at.game.to_string(),
                board: view.at.table,
                white: tag("White"),
                black: tag("Black"),
                result: view.game.shown_result().to_owned(),
                plies: view.game.moves().len(),
            };
            Some(WantedGame {
                line,
                pgn: pgn.text(),
                digest: pgn.etag(Form::Plain).to_owned(),
                json: livechess::game(view),
            })
        });
        let games = games.collect();
        let all = body(&Selection::Round(round.number));
        let pgn = all.as_ref().map(|all| all.text()).unwrap_or_default();
        let wanted = Arc::new(WantedRound {
            number: round.number,
            digest: all.map_or_else(|| etag_of(&pgn), |all| all.etag(Form::Plain).to_owned()),
            pgn,
            games,
            index: livechess::index(round, &views),
            is_delayed: round.info.delay != Wait::default(),
            is_running: views.iter().any(|view| view.is_being_played()),
        });
        self.read.insert(round.number, (stamp, Arc::clone(&wanted)));
        wanted
    }
}
