//! The options `--config` and `--data`, which name the folders of a daemon, for all commands that use them.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::config::{Config, PAIRINGS_FOLDER, default_data_folder};

/// Options that name the data folder.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct DataArgs {
    /// The daemon's configuration file (TOML)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The daemon's data folder
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// The folders of a daemon.
pub(super) struct Folders {
    /// The data folder.
    pub(super) data: PathBuf,
    /// The folder from which pairings load by themselves.
    pub(super) pairings: PathBuf,
}

impl DataArgs {
    /// The configuration file, or what holds without one.
    pub(super) fn config(&self) -> anyhow::Result<Config> {
        Ok(self.config.as_deref().map(Config::read).transpose()?.unwrap_or_default())
    }

    /// Where the configuration file is; none without one.
    pub(super) fn config_file(&self) -> Option<&std::path::Path> {
        self.config.as_deref()
    }

    /// The options of `boardcast run` with the same file and folder, and this address of the pages.
    pub(super) fn of_run(self, listen: Option<SocketAddr>) -> super::run::Args {
        super::run::Args::of(self.config, self.data, listen)
    }

    /// The data folder.
    pub(super) fn folder(self) -> anyhow::Result<PathBuf> {
        Ok(self.folders()?.data)
    }

    /// All folders: by option, else by the configuration file, else the default.
    pub(super) fn folders(self) -> anyhow::Result<Folders> {
        let config = self.config()?;
        let data = match self.data.or(config.data) {
            Some(folder) => folder,
            None => default_data_folder()?,
        };
        let pairings = config.pairings_folder.unwrap_or_else(|| data.join(PAIRINGS_FOLDER));
        Ok(Folders { data, pairings })
    }
}
