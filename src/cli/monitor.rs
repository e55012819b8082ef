//! `boardcast monitor`: the hall in a terminal.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyModifiers};

use super::data_args::DataArgs;
use super::support_bundle::from_daemon;
use crate::monitor::{Scrape, Screen};
use notation_commands::Done;

/// How often the daemon is asked.
const EVERY: Duration = Duration::from_secs(2);

/// Watch the hall in a terminal: boards, games, what is wrong
///
/// Shows the metrics of the daemon that runs on this machine, without a login; nothing can be changed here. Arrow keys scroll, q
/// ends. For a screen in another room use the dashboard.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    let data = args.folder.folder()?;
    if !io::stdout().is_terminal() {
        bail!("this needs a terminal: for programs the daemon has /metrics and /health");
    }
    let mut terminal = ratatui::try_init().context("the terminal cannot be used")?;
    let mut screen = Screen::default();
    let mut asked: Option<Instant> = None;
    let ended = loop {
        if asked.is_none_or(|asked| asked.elapsed() >= EVERY) {
            let now = Scrape::read(&from_daemon(&data, "/metrics"));
            screen.health = from_daemon(&data, "/health");
            let earlier = std::mem::replace(&mut screen.now, now);
            screen.earlier = asked.filter(|_| earlier.is_complete()).map(|asked| (earlier, asked.elapsed()));
            asked = Some(Instant::now());
        }
        if let Err(error) = terminal.draw(|frame| screen.draw(frame)) {
            break Err(error.into());
        }
        match event::poll(Duration::from_millis(200))
            .and_then(|ready| if ready { event::read().map(Some) } else { Ok(None) })
        {
            Ok(Some(Event::Key(key))) => match key.code {
                KeyCode::Char('q') | KeyCode::Esc => break Ok(Done::Fully),
                KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => break Ok(Done::Fully),
                KeyCode::Down => screen.place.select_next(),
                KeyCode::Up => screen.place.select_previous(),
                KeyCode::PageDown => screen.place.scroll_down_by(20),
                KeyCode::PageUp => screen.place.scroll_up_by(20),
                _ => {}
            },
            Ok(_) => {}
            Err(error) => break Err(error.into()),
        }
    };
    ratatui::restore();
    ended
}
