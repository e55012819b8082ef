//! `boardcast test-alarms`: sends a test message over every channel for alarms.

use std::path::{Path, PathBuf};

use super::output;
use crate::alarms::messages::Message;
use crate::config::Config;
use notation_commands::Done;

/// Send a test message over every channel for alarms: e-mail and ntfy
///
/// Says for each channel whether its server took the message. The daemon may be running; nothing of it changes. Passwords and
/// tokens in the folder /etc/boardcast/credentials are readable by root alone: run this with sudo. The exit code is 1 when a
/// message could not be sent.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The daemon's configuration file (TOML)
    #[arg(long, value_name = "FILE", default_value = "/etc/boardcast/boardcast.toml")]
    config: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    let folder = args.config.parent().unwrap_or(Path::new(""));
    let messages = Config::read(&args.config)?.alarms.messages(folder)?;
    if messages.channels.is_empty() {
        anyhow::bail!("{} has no channel for alarms: set ntfy or email_server in [alarms]", args.config.display());
    }
    let mut done = Done::Fully;
    for channel in &messages.channels {
        match channel.send(&Message::trial()) {
            Ok(()) => {
                output::print(&format!("{}: the server took the message; look whether it arrives\n", channel.name()))?;
            }
            Err(error) => {
                eprintln!("boardcast: {}: not sent: {error}", channel.name());
                done = Done::Partly;
            }
        }
    }
    Ok(done)
}
