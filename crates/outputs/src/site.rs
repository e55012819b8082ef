//! The files of a static site as a view shows its section. A file is drawn again only when what it shows has changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::BytesMut;
use drawn::site::{File, Site};
use drawn::words::{Words, words};
use publish::bodies::{Bodies, Form, Letters};
use publish::gate::{GameView, PublicView, RoundView, SectionView};
use publish::livechess;
use publish::selection::Selection;
use publish::standings::{RoundResults, Standings};

use crate::wanted::Stamp;

/// What the files of a game were drawn from.
#[derive(PartialEq)]
struct Drawn {
    pgn: String,
    /// Moves after a gap are in no PGN.
    plies: usize,
    position: String,
    unexplained: bool,
    round: (publish::gate::RoundInfo, bool),
}

/// The files of a static site.
pub(crate) struct SitePages {
    words: &'static Words,
    site: Option<Site>,
    rounds: BTreeMap<u32, (Stamp, Vec<File>)>,
    games: BTreeMap<Arc<str>, (Drawn, Vec<File>)>,
    results: BTreeMap<u32, (Stamp, RoundResults)>,
}

impl SitePages {
    pub(crate) fn new(language: &str) -> Self {
        Self {
            words: words(language),
            site: None,
            rounds: BTreeMap::new(),
            games: BTreeMap::new(),
            results: BTreeMap::new(),
        }
    }

    /// All files, in the order in which they are to be sent.
    pub(crate) fn read(
        &mut self,
        section: &SectionView<PublicView>,
        rounds: &[RoundView],
        bodies: &Bodies<PublicView>,
    ) -> Vec<File> {
        let Some(info) = section.info() else { return Vec::new() };
        let standings = self.standings(section, rounds);
        let site = Site::new(self.words, info, rounds, section.current_round()).with_standings(&standings);
        if self.site.as_ref().is_none_or(|before| !before.is_like(&site)) {
            self.rounds.clear();
            self.games.clear();
        }
        let mut files: Vec<_> = Site::parts().into();
        for round in rounds {
            let stamp = Stamp::of(round);
            if self.rounds.get(&round.number).is_none_or(|(known, _)| *known != stamp) {
                let drawn = self.round(&site, section, round, bodies);
                self.rounds.insert(round.number, (stamp, drawn));
            }
            files.extend(self.rounds.get(&round.number).into_iter().flat_map(|(_, drawn)| drawn.iter().cloned()));
        }
        files.extend(site.standings(&standings));
        files.push(site.index(&files));
        self.site = Some(site);
        files
    }

    /// The standings; a round is read again only when something in it has changed.
    fn standings(&mut self, section: &SectionView<PublicView>, rounds: &[RoundView]) -> Standings {
        self.results.retain(|number, _| rounds.iter().any(|round| round.number == *number));
        for round in rounds {
            let stamp = Stamp::of(round);
            if self.results.get(&round.number).is_none_or(|(known, _)| *known != stamp) {
                self.results.insert(round.number, (stamp, RoundResults::of(section, round)));
            }
        }
        Standings::new(self.results.values().map(|(_, results)| results), section.standings().as_ref())
    }

    fn round(
        &mut self,
        site: &Site,
        section: &SectionView<PublicView>,
        round: &RoundView,
        bodies: &Bodies<PublicView>,
    ) -> Vec<File> {
        let games = livechess::games(section, round);
        let (mut files, mut finished) = (Vec::new(), BytesMut::new());
        for game in &games {
            let body = bodies.get(section.slug(), &Selection::Game(game.at.game.to_string()), Letters::Unicode);
            let Some(body) = body else { continue };
            if game.has_begun() && !game.is_under_way() {
                finished.extend_from_slice(&body.text());
            }
            files.extend_from_slice(self.game(site, round, game, (&body.text(), body.etag(Form::Plain))));
        }
        files.extend(site.round(round, &games, finished.freeze()));
        files
    }

    fn game(&mut self, site: &Site, round: &RoundView, view: &GameView, pgn: (&bytes::Bytes, &str)) -> &[File] {
        let (text, etag) = pgn;
        let game = &view.game;
        let from = Drawn {
            pgn: etag.to_owned(),
            plies: game.moves().len(),
            position: game.fen_shown().to_owned(),
            unexplained: game.unexplained(),
            round: (round.info.clone(), round.ended()),
        };
        if self.games.get(&view.at.game).is_none_or(|(known, _)| *known != from) {
            let drawn = site.game(round, view, text.clone());
            self.games.insert(Arc::clone(&view.at.game), (from, drawn));
        }
        self.games.get(&view.at.game).map_or(&[], |(_, files)| files)
    }
}
