//! What a daemon begins with: a section, boards at their tables, files of pairings.
//!
//! Knows what the settings say. All of it is ordered like anything else, and what is so already is not ordered again: later
//! changes belong to the operators.

use std::path::{Path, PathBuf};

use chrono_tz::Tz;
use game_core::event::Author;

use crate::director::Director;
use crate::input_file::read_bytes;
use pairings::model::EventFacts;
use pairings::{self, Loaded, MAX_BYTES};
use tournament::slugify;
use tournament::{Hall, Order, PairingFile, Seat, SectionSettings};

/// The name of an event that nobody named.
const DEFAULT_NAME: &str = "Live games";

/// What is founded.
#[derive(Clone, Debug)]
pub struct Founding {
    /// The section's part of addresses.
    pub slug: String,
    /// The section.
    pub settings: SectionSettings,
    /// Which boards stand at which tables; others are seated as they are found.
    pub seats: Vec<Seat>,
    /// Pairings.
    pub files: Vec<PairingFile>,
}

/// What the settings say of the event.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Its name; that in the pairings when missing.
    pub name: Option<String>,
    /// Its place.
    pub site: Option<String>,
    /// Its part of addresses; made of the name when missing.
    pub slug: Option<String>,
    /// Files of pairings that belong together.
    pub pairings: Vec<PathBuf>,
}

impl Founding {
    /// Fills in what the organiser left out. Without pairings each day is a round and each start position a game; with
    /// them their rounds are public and armed at once.
    ///
    /// # Errors
    /// When a file cannot be read or understood; it is named.
    pub fn of(wanted: Wanted) -> anyhow::Result<Self> {
        let files = read_pairing_files(&wanted.pairings)?;
        let paired = if files.is_empty() { EventFacts::default() } else { understood(&files)?.pairings.event };
        let name = wanted.name.or(paired.name).unwrap_or_else(|| DEFAULT_NAME.into());
        let settings = SectionSettings {
            site: wanted.site.or(paired.site).unwrap_or_else(|| "?".into()),
            zone: machine_zone(),
            open_play: files.is_empty(),
            auto_publish: !files.is_empty(),
            ..SectionSettings::named(&name)
        };
        let slug = slugify(wanted.slug.as_deref().unwrap_or(&name));
        Ok(Self { slug, settings, seats: Vec::new(), files })
    }

    /// What is still to be ordered in a hall.
    pub(crate) fn orders(self, hall: &Hall) -> Vec<Order> {
        let Self { slug, settings, seats, files } = self;
        let mut orders = Vec::new();
        let needed = hall.sections.is_empty() || !files.is_empty();
        if needed && hall.section(&slug).is_none() {
            orders.push(Order::SetSection { section: slug.clone(), settings });
        }
        if !seats.is_empty() {
            orders.push(Order::SeatBoards { seats });
        }
        if !files.is_empty() {
            orders.push(Order::LoadPairings { section: slug, files, confirm: true });
        }
        orders
    }

    /// Orders it.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn carry_out(self, director: &Director) -> anyhow::Result<()> {
        for order in self.orders(&director.hall()) {
            let receipt = director.order(Author::Rule("settings".into()), None, None, order).await?;
            for note in receipt.notes {
                tracing::debug!("{note}");
            }
        }
        Ok(())
    }
}

fn read_pairing_files(paths: &[PathBuf]) -> anyhow::Result<Vec<PairingFile>> {
    paths.iter().map(|path| read_pairing_file(path)).collect()
}

fn read_pairing_file(path: &Path) -> anyhow::Result<PairingFile> {
    let name = path.to_string_lossy();
    let bytes = read_bytes(path, MAX_BYTES).map_err(|error| match error.kind() {
        std::io::ErrorKind::FileTooLarge => anyhow::Error::from(pairings::too_large().in_file(&name)),
        _ => anyhow::Error::new(error)
            .context(format!("the pairings in {name} cannot be read: check its name and permissions")),
    })?;
    Ok(PairingFile::read(&name, &bytes)?)
}

/// Reads files of pairings that belong together, in any form (see [`pairings::load`]).
///
/// # Errors
/// When one cannot be read or understood; it is named, with the place.
pub fn read_pairings(paths: &[PathBuf]) -> anyhow::Result<Loaded> {
    understood(&read_pairing_files(paths)?)
}

fn understood(files: &[PairingFile]) -> anyhow::Result<Loaded> {
    let texts: Vec<_> = files.iter().map(|file| (file.name.as_str(), file.text.as_bytes())).collect();
    Ok(pairings::load(&texts)?)
}

/// The machine's time zone; UTC when it tells none.
fn machine_zone() -> Tz {
    let zone = iana_time_zone::get_timezone().ok().and_then(|name| name.parse().ok());
    zone.unwrap_or_else(|| {
        tracing::warn!("the machine tells no time zone: dates are those of UTC until a section says another");
        Tz::UTC
    })
}
