//! What settings of an output can be refused for before anything is sent: one sentence each.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use sha2::{Digest as _, Sha256};

use super::target::{
    CommandTarget, FtpTarget, LichessTarget, SitePlace, SiteTarget, WebHookTarget, fingerprint, round_id,
};
use crate::address::{host, web_address};
use crate::refusal::OutputRefusal;

/// Rounds of one broadcast at Lichess.
pub(crate) const MOST_ROUNDS: usize = 64;

/// Longest time that a command may be given, in seconds.
const MOST_COMMAND_S: u32 = 600;

impl SiteTarget {
    pub(super) fn check(&self) -> Result<(), OutputRefusal> {
        if !drawn::words::codes().any(|code| code == self.language) {
            let known: Vec<_> = drawn::words::codes().collect();
            return Err(OutputRefusal::Language { language: self.language.clone(), known: known.join(", ") });
        }
        match &self.to {
            SitePlace::Folder(folder) if folder.path.as_os_str().is_empty() => Err(OutputRefusal::FolderEmpty),
            SitePlace::Folder(_) => Ok(()),
            SitePlace::Http(http) if http.url.contains(['{', '?', '#']) => Err(OutputRefusal::SiteAddress),
            SitePlace::Http(http) => web_address(&http.url),
            SitePlace::Ftp(server) => server.as_ftp().check(),
        }
    }
}

impl WebHookTarget {
    pub(super) fn check(&self) -> Result<(), OutputRefusal> {
        if self.secret.is_empty() {
            return Err(OutputRefusal::NoSecret);
        }
        web_address(&self.url)
    }
}

impl LichessTarget {
    pub(super) fn check(&self) -> Result<(), OutputRefusal> {
        web_address(&self.site)?;
        if self.token.is_empty() {
            return Err(OutputRefusal::NoToken);
        }
        if self.rounds.len() > MOST_ROUNDS {
            return Err(OutputRefusal::Rounds { most: MOST_ROUNDS });
        }
        if let Some(wrong) = self.rounds.iter().find(|round| !round.is_empty() && round_id(round).is_none()) {
            return Err(OutputRefusal::LichessRound { address: wrong.clone() });
        }
        let ids: Vec<_> = self.rounds.iter().filter_map(|round| round_id(round)).collect();
        if ids.iter().enumerate().any(|(index, id)| ids[..index].contains(id)) {
            return Err(OutputRefusal::SameRound);
        }
        if self.tables.is_some_and(|(first, last)| first == 0 || first > last) {
            return Err(OutputRefusal::Tables);
        }
        Ok(())
    }
}

impl CommandTarget {
    pub(super) fn check(&self) -> Result<(), OutputRefusal> {
        if !self.program.is_absolute() {
            return Err(OutputRefusal::ProgramNotFull { path: self.program.display().to_string() });
        }
        if self.timeout_s == 0 || self.timeout_s > MOST_COMMAND_S {
            return Err(OutputRefusal::CommandTime { most: MOST_COMMAND_S });
        }
        Ok(())
    }
}

impl FtpTarget {
    pub(super) fn check(&self) -> Result<(), OutputRefusal> {
        let known = ["ftp://", "ftps://", "sftp://"].iter().any(|scheme| self.url.starts_with(scheme));
        let shown = host(&self.url);
        let texts = [Some(&self.url), Some(&self.file), Some(&self.user), self.host_key.as_ref()];
        if texts.into_iter().flatten().any(|text| text.chars().any(char::is_control)) {
            return Err(OutputRefusal::ControlCharacters);
        }
        let host = self.url.split_once("://").map_or("", |(_, rest)| rest);
        if !known || host.is_empty() || host.starts_with('/') {
            return Err(OutputRefusal::Server { address: shown });
        }
        if host.split('/').next().is_some_and(|host| host.contains('@')) {
            return Err(OutputRefusal::UserInAddress);
        }
        if self.file.is_empty() || self.file.contains('/') || self.file.contains('\\') {
            return Err(OutputRefusal::FileNotPlain);
        }
        if self.host_key.as_deref().is_some_and(|key| !is_sha256(fingerprint(key))) {
            return Err(OutputRefusal::HostKey);
        }
        Ok(())
    }
}

/// Whether a text is a SHA-256 in Base64, with or without padding.
fn is_sha256(text: &str) -> bool {
    let decoded = STANDARD_NO_PAD.decode(text).or_else(|_| STANDARD.decode(text));
    decoded.is_ok_and(|bytes| bytes.len() == Sha256::output_size())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use publish::gate::Delay;

    use super::super::target::file_of_round;
    use super::*;
    use crate::secret::Secret;
    use crate::settings::{Settings, Target};

    #[test]
    fn rounds_of_lichess_are_found_in_their_addresses() {
        let id = Some("aB3dE6gH");
        for address in [
            "aB3dE6gH",
            "https://lichess.org/broadcast/spring-open/round-1/aB3dE6gH",
            "https://lichess.org/broadcast/spring-open/round-1/aB3dE6gH/",
            "https://lichess.org/broadcast/spring-open/round-1/aB3dE6gH#boards",
            "https://lichess.org/broadcast/spring-open/round-1/aB3dE6gH/xYzzyX12",
            " https://lichess.org/api/broadcast/round/aB3dE6gH ",
        ] {
            assert_eq!(round_id(address), id, "{address}");
        }
        for wrong in ["", "https://lichess.org/broadcast/spring-open/round-1", "aB3dE6g", "aB3dE6gH.pgn", "../aB3d6gH"]
        {
            assert_eq!(round_id(wrong), None, "{wrong}");
        }
    }

    fn ftp_target(url: &str) -> FtpTarget {
        FtpTarget {
            url: url.into(),
            file: file_of_round(),
            user: "hall".into(),
            password: None,
            key_file: None,
            host_key: None,
        }
    }

    fn ftp(url: &str) -> Result<(), OutputRefusal> {
        let target = Target::Ftp(ftp_target(url));
        Settings { name: "x".into(), section: None, delay: Delay::NONE, target }.check()
    }

    #[test]
    fn what_cannot_work_is_refused_with_a_sentence() {
        assert_eq!(ftp("sftp://files.example.org/games/"), Ok(()));
        for wrong in ["http://x/", "ftp:///", "ftp://me:secret@host/", "ftp://host/\nuser = x"] {
            let refused = ftp(wrong).unwrap_err().to_string();
            assert!(refused.ends_with('.') && !refused.contains("secret"), "{refused}");
        }
        for wrong in ["", "ftp://host/", "http://", "https:///x", "/games", "http://ho st/"] {
            assert!(web_address(wrong).is_err(), "{wrong}");
        }
        assert_eq!(web_address("http://host/{section}/{round}.pgn"), Ok(()));
    }

    #[test]
    fn a_web_hook_without_a_secret_and_lichess_without_a_token_are_refused() {
        let check = |target| Settings { name: "x".into(), section: None, delay: Delay::NONE, target }.check();
        let hook = |secret| Target::WebHook(WebHookTarget { url: "http://host/".into(), secret });
        let lichess = |token| {
            let (rounds, site, starts) = (Vec::new(), "http://lichess.test".into(), BTreeMap::new());
            Target::Lichess(LichessTarget { rounds, token, tables: None, broadcast: None, starts, site })
        };
        for empty in ["", " \n"] {
            assert_eq!(check(hook(Secret::Text(empty.into()))), Err(OutputRefusal::NoSecret));
            assert_eq!(check(lichess(Secret::Text(empty.into()))), Err(OutputRefusal::NoToken));
        }
        for given in [Secret::Text("key".into()), Secret::Environment { env: "KEY".into() }] {
            assert_eq!((check(hook(given.clone())), check(lichess(given))), (Ok(()), Ok(())));
        }
    }

    #[test]
    fn a_host_key_is_a_sha256_as_ssh_keygen_prints_it_or_without_its_prefix() {
        let key = "+4u5zbkOtVpb6Oq7mDRUkDsxL0hmBwHYYzCcPdEGJvA";
        let check = |host_key: &str| {
            let target = FtpTarget { host_key: Some(host_key.to_owned()), ..ftp_target("sftp://host/games/") };
            target.check()
        };
        for right in [key.to_owned(), format!("{key}="), format!("SHA256:{key}"), format!("SHA256:{key}=")] {
            assert_eq!(check(&right), Ok(()), "{right}");
        }
        for wrong in [
            "",
            "AAAA",
            "SHA256:",
            &key[1..],
            &format!("sha256:{key}"),
            &format!("256 SHA256:{key} root@hall (ED25519)"),
            "MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48",
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
        ] {
            assert_eq!(check(wrong), Err(OutputRefusal::HostKey), "{wrong}");
        }
    }

    #[test]
    fn no_secret_is_shown() {
        let hook = WebHookTarget { url: "http://host/secret".into(), secret: Secret::Text("secret".into()) };
        assert_eq!(Target::WebHook(hook.clone()).place(), "http://host");
        assert!(!format!("{:?}", hook.secret).contains("secret"));
        assert_eq!(host("https://me:secret@host:1/x"), "https://host:1");
    }
}
