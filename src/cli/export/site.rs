//! Writes a section as a static site, as the output of the kind «site» sends it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use drawn::site::{File, Site};
use drawn::words::{codes, words};
use hall_clock::HallClock;
use journal::Reader;
use notation::pgn::write_game;
use notation_commands::{Done, unfinished_folder};
use publish::gate::{History, RoundView, SectionView, View as _};
use publish::keys::KeyView;
use publish::livechess;
use publish::standings::{RoundResults, Standings};

use super::record::{Wanted, no_section};
use crate::cli::data_args::DataArgs;

/// Writes the site of a section into a folder that is new or empty.
pub(super) fn write(wanted: &Wanted, data: DataArgs, language: &str, folder: &Path) -> anyhow::Result<Done> {
    if wanted.round.is_some() || !wanted.game.is_empty() {
        bail!("a site has all rounds of a section: select with --section instead of --round and --game");
    }
    if !codes().any(|code| code == language) {
        let known: Vec<_> = codes().collect();
        bail!("«{language}» is no language of the pages: use {}", known.join(", "));
    }
    if folder.exists() && fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_some()) {
        bail!(
            "{} is not an empty folder: name a new one, and let it replace the old one when it is complete",
            folder.display()
        );
    }
    let view = record(&data.folder()?)?;
    let section = section(&view, wanted.section.as_deref())?;
    let files = files(&section, language)?;
    let parent = match folder.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let unfinished = unfinished_folder(&parent)?;
    let whole = unfinished.path().join("site");
    for file in &files {
        let path = whole.join(&file.path);
        let cannot = || format!("{} cannot be written", path.display());
        fs::create_dir_all(path.parent().unwrap_or(&whole)).with_context(cannot)?;
        fs::write(&path, &file.bytes).with_context(cannot)?;
    }
    // In one step: a folder that is there is empty.
    fs::rename(&whole, folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    if section.rounds().iter().any(|round| round.is_known() && !round.ended()) {
        eprintln!("boardcast: not all rounds are over; the pages show them as they are now, without delay");
    }
    Ok(Done::Fully)
}

/// Everything that was recorded, without delay: withdrawn games and hidden names are not in it.
fn record(data: &Path) -> anyhow::Result<KeyView> {
    let reader = Reader::open_in(data)?;
    let past = reader.past()?;
    let history = History { rounds: past.rounds, reader: Some(Arc::new(reader)), ..History::none("export".into()) };
    Ok(KeyView::of_record(past.entries, &history, HallClock::start(1.0)))
}

/// The section with this slug, or the only one with rounds.
fn section(view: &KeyView, slug: Option<&str>) -> anyhow::Result<SectionView<KeyView>> {
    if let Some(slug) = slug {
        return view.section(slug).with_context(|| no_section(slug));
    }
    let mut sections = view.sections();
    sections.retain(|section| section.rounds().iter().any(RoundView::is_known));
    if sections.len() > 1 {
        let slugs: Vec<_> = sections.iter().map(|section| section.slug().to_string()).collect();
        bail!("there are several sections ({}): select one with --section", slugs.join(", "));
    }
    sections.pop().context("nothing was recorded: there is no round to show")
}

fn files(section: &SectionView<KeyView>, language: &str) -> anyhow::Result<Vec<File>> {
    let info = section.info().context("the section was removed")?;
    let rounds: Vec<_> = section.rounds().into_iter().filter(RoundView::is_known).collect();
    let results: Vec<_> = rounds.iter().map(|round| RoundResults::of(section, round)).collect();
    let standings = Standings::new(&results, section.standings().as_ref());
    let site = Site::new(words(language), info, &rounds, section.current_round()).with_all_games();
    let site = site.with_standings(&standings);
    let (mut files, mut all): (Vec<_>, _) = (Site::parts().into(), Vec::new());
    for round in &rounds {
        let (games, mut finished) = (livechess::games(section, round), Vec::new());
        for game in &games {
            let pgn = write_game(&game.game.to_pgn()).into_bytes();
            all.extend_from_slice(&pgn);
            if game.has_begun() && !game.is_under_way() {
                finished.extend_from_slice(&pgn);
            }
            files.extend(site.game(round, game, pgn.into()));
        }
        files.extend(site.round(round, &games, finished.into()));
    }
    files.push(Site::all_games(all.into()));
    files.extend(site.standings(&standings));
    files.push(site.index(&files));
    Ok(files)
}
