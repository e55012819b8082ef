//! The initial tournament, made from the settings: a section, boards at their tables, files of pairings.
//!
//! It consists of orders like all others. What exists already is not ordered again, so that a restart keeps the operators'
//! changes.

use std::path::{Path, PathBuf};

use chrono_tz::Tz;
use game_core::event::Author;

use super::handle::DirectorHandle;
use crate::input_file::read_bytes;
use pairings::model::EventFacts;
use pairings::{self, Loaded, MAX_BYTES, Problem};
use tournament::slugify;
use tournament::{Delay, Hall, Order, PairingFile, Seat, Section, SectionSettings};

/// The name of an event without one.
const DEFAULT_NAME: &str = "Live games";

/// The initial tournament.
#[derive(Clone, Debug)]
pub struct InitialTournament {
    /// The section's short name in addresses.
    pub slug: String,
    /// The section.
    pub settings: SectionSettings,
    /// Boards and their tables; other boards get tables as they are found.
    pub seats: Vec<Seat>,
    /// Pairings.
    pub files: Vec<PairingFile>,
}

/// The event in the settings.
#[derive(Clone, Debug, Default)]
pub struct EventSettings {
    /// Its name; without, the name in the pairings.
    pub name: Option<String>,
    /// Its place.
    pub site: Option<String>,
    /// Its short name in addresses; without, made from the name.
    pub slug: Option<String>,
    /// Its files of pairings.
    pub pairings: Vec<PathBuf>,
    /// By how much the public sees its games later; none for no delay.
    pub delay: Option<Delay>,
}

/// The settings of a section whose rounds come from files: they are public and armed at once, each after the first game
/// of the one before ended.
pub(super) fn section_of_files(name: &str, site: Option<String>) -> SectionSettings {
    SectionSettings {
        site: site.unwrap_or_else(|| "?".into()),
        zone: machine_zone(),
        auto_publish: true,
        ..SectionSettings::named(name)
    }
}

impl InitialTournament {
    /// Fills in what the organiser left out. Without pairings each day is a round and each start position a game; with
    /// them their rounds are public and armed at once.
    ///
    /// # Errors
    /// When a file cannot be read or understood; it is named.
    pub fn of(wanted: EventSettings) -> anyhow::Result<Self> {
        let files = read_pairing_files(&wanted.pairings)?;
        let paired = if files.is_empty() { EventFacts::default() } else { understood(&files)?.pairings.event };
        let name = wanted.name.or(paired.name).unwrap_or_else(|| DEFAULT_NAME.into());
        let site = wanted.site.or(paired.site);
        let settings = SectionSettings {
            open_play: files.is_empty(),
            auto_publish: !files.is_empty(),
            delay: wanted.delay,
            ..section_of_files(&name, site)
        };
        let slug = slugify(wanted.slug.as_deref().unwrap_or(&name));
        Ok(Self { slug, settings, seats: Vec::new(), files })
    }

    /// The orders that are still missing in a hall.
    pub(crate) fn orders(self, hall: &Hall) -> Vec<Order> {
        let Self { slug, settings, seats, files } = self;
        let mut orders = Vec::new();
        // One that an operator took away stays away, with its pairings.
        let files = if hall.removed.contains_key(slug.as_str()) { Vec::new() } else { files };
        let needed = hall.sections.is_empty() || !files.is_empty();
        match hall.section(&slug) {
            None if needed => orders.push(Order::SetSection { section: slug.clone(), settings, confirm: true }),
            Some(known) => orders.extend(missing_delay(known, settings.delay)),
            None => {}
        }
        if !seats.is_empty() {
            orders.push(Order::SeatBoards { seats });
        }
        if !files.is_empty() {
            orders.push(Order::LoadPairings { section: slug, files, round: None, confirm: true });
        }
        orders
    }

    /// Gives the orders that are missing.
    ///
    /// # Errors
    /// When one is refused.
    pub async fn order(self, director: &DirectorHandle) -> anyhow::Result<()> {
        for order in self.orders(&director.hall()) {
            let receipt = director.order(Author::Rule("settings".into()), None, None, order).await?;
            for note in receipt.notes {
                tracing::debug!("{note}");
            }
        }
        Ok(())
    }
}

/// Sets the delay of the settings in a section that has none. One that an operator set stays.
fn missing_delay(section: &Section, wanted: Option<Delay>) -> Option<Order> {
    let (known, delay) = (section.settings.delay, wanted?);
    if let Some(known) = known {
        if known != delay {
            tracing::warn!(
                "the configuration has a delay of {delay} for \"{}\", which has {known} already: change it on the dashboard",
                section.slug
            );
        }
        return None;
    }
    let settings = SectionSettings { delay: Some(delay), ..section.settings.clone() };
    Some(Order::SetSection { section: section.slug.to_string(), settings, confirm: true })
}

fn read_pairing_files(paths: &[PathBuf]) -> anyhow::Result<Vec<PairingFile>> {
    paths.iter().map(|path| read_pairing_file(path)).collect()
}

fn read_pairing_file(path: &Path) -> anyhow::Result<PairingFile> {
    Ok(PairingFile::read(&path.to_string_lossy(), &read_bytes_of(path)?)?)
}

fn read_bytes_of(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = path.to_string_lossy();
    read_bytes(path, MAX_BYTES).map_err(|error| match error.kind() {
        std::io::ErrorKind::FileTooLarge => anyhow::Error::from(pairings::too_large().in_file(&name)),
        _ => anyhow::Error::new(error)
            .context(format!("the pairings in {name} cannot be read: check its name and permissions")),
    })
}

/// Reads files of pairings that belong together, in any form (see [`pairings::load`]).
///
/// # Errors
/// When one cannot be read or understood; it is named, with the place.
pub fn read_pairings(paths: &[PathBuf]) -> anyhow::Result<Loaded> {
    let files = paths.iter().map(|path| Ok((path.to_string_lossy(), read_bytes_of(path)?)));
    let files = files.collect::<anyhow::Result<Vec<_>>>()?;
    let files: Vec<_> = files.iter().map(|(name, bytes)| (&**name, &bytes[..])).collect();
    Ok(pairings::load(&files)?)
}

pub(super) fn understood(files: &[PairingFile]) -> Result<Loaded, Problem> {
    let texts: Vec<_> = files.iter().map(|file| (file.name.as_str(), file.text.as_bytes())).collect();
    pairings::load(&texts)
}

/// The machine's time zone; UTC when it has none.
fn machine_zone() -> Tz {
    let zone = iana_time_zone::get_timezone().ok().and_then(|name| name.parse().ok());
    zone.unwrap_or_else(|| {
        tracing::warn!(
            "this computer has no time zone set: dates are in UTC; set the time zone of the computer or of the section"
        );
        Tz::UTC
    })
}
