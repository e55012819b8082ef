//! The settings of one source, as the API takes them and the file of sources keeps them.

use std::path::PathBuf;

use coded_text::CodedText;
use outputs::address::{MOST_NAME, host, is_name, web_address};
use outputs::{OutputRefusal, Secret};
use serde::{Deserialize, Serialize};

use super::refusal::SourceRefusal;

/// Between two requests to an address, in seconds.
pub(super) const EVERY_S: std::ops::RangeInclusive<u32> = 2..=600;

/// Where the games of a source come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum From {
    /// A PGN file at a web address.
    Url {
        /// The address.
        url: String,
        /// Seconds between two requests.
        every_s: u32,
        /// Sent as `Authorization: Bearer`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<Secret>,
    },
    /// The PGN files of a folder, and of the folders in it.
    Folder {
        /// Its path.
        path: PathBuf,
    },
    /// What programs post with a key.
    Post,
}

/// One source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Its name in addresses and in the record: small letters, digits and `-`.
    pub name: String,
    /// The slug of the section that its games belong to; may be missing where there is one section with pairings only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The round that all its games belong to; without it that of their tag `Round`, else the latest public one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// The board that board 1 of the source is here.
    pub first_board: u32,
    /// Where its games come from.
    pub from: From,
}

impl Settings {
    /// Checks that a source could work with these.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), Box<CodedText>> {
        if !is_name(&self.name) {
            return Err(SourceRefusal::Name { name: self.name.clone(), most: MOST_NAME }.into());
        }
        if self.first_board == 0 {
            return Err(SourceRefusal::FirstBoard.into());
        }
        match &self.from {
            From::Url { url, every_s, .. } => {
                if !EVERY_S.contains(every_s) {
                    return Err(SourceRefusal::Every { least: *EVERY_S.start(), most: *EVERY_S.end() }.into());
                }
                Ok(web_address(url)?)
            }
            From::Folder { path } if !path.is_absolute() => {
                Err(OutputRefusal::FolderNotFull { path: path.display().to_string() }.into())
            }
            From::Folder { .. } | From::Post => Ok(()),
        }
    }

    /// `url`, `folder` or `post`.
    pub fn kind(&self) -> &'static str {
        match self.from {
            From::Url { .. } => "url",
            From::Folder { .. } => "folder",
            From::Post => "post",
        }
    }

    /// Where its games come from, for people, without secrets.
    pub fn place(&self) -> String {
        match &self.from {
            From::Url { url, .. } => host(url),
            From::Folder { path } => path.display().to_string(),
            From::Post => String::new(),
        }
    }
}
