//! What a support bundle has, without secrets and names: the pure part of `boardcast support-bundle`.
//!
//! Must not know where files are.

use std::collections::BTreeSet;

use serde_json::Value;

/// Settings whose values go into a bundle; of all others only that they are set. A new setting is left out until it is here.
const HARMLESS: [&str; 16] = [
    "arbiters",
    "assign_by_serial",
    "capture_megabytes",
    "data",
    "delay_s",
    "eboard_shows_delayed",
    "eboard_socket",
    "email_protection",
    "listen",
    "pairings_folder",
    "pause_s",
    "ports",
    "tls_certificate",
    "tls_key",
    "tls_listen",
    "event",
];

/// Shortest word of a name that is removed from texts by itself; shorter ones are parts of too many words.
const SHORTEST_WORD: usize = 3;

/// What stands for a name.
const SOMEONE: &str = "(name)";

/// What stands for a value.
const SET: &str = "(set)";

/// The configuration without what could be a secret or a name.
///
/// # Errors
/// One sentence when it is no TOML.
pub(crate) fn bare_config(text: &str) -> anyhow::Result<String> {
    let mut table: toml::Table = toml::from_str(text)?;
    strip(&mut table);
    Ok(toml::to_string(&table)?)
}

fn strip(table: &mut toml::Table) {
    for (key, value) in table.iter_mut() {
        match value {
            toml::Value::Table(inner) => strip(inner),
            _ if HARMLESS.contains(&key.as_str()) => {}
            _ => *value = SET.into(),
        }
    }
}

/// A file of settings in JSON in the same way. Ports and lines are those of this machine.
///
/// # Errors
/// One sentence when it is no JSON.
pub(crate) fn bare_json(text: &str) -> anyhow::Result<String> {
    let mut value: Value = serde_json::from_str(text)?;
    strip_json(&mut value);
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

fn strip_json(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields
                .iter_mut()
                .filter(|(key, _)| !HARMLESS.contains(&key.as_str()))
                .for_each(|(_, value)| strip_json(value));
        }
        Value::Array(values) => values.iter_mut().for_each(strip_json),
        Value::String(text) => SET.clone_into(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Replaces names and long random values in texts.
#[derive(Debug, Default)]
pub(crate) struct Scrubber {
    /// Whole names and their words, in lower case.
    names: BTreeSet<String>,
}

impl Scrubber {
    /// For the names of players and accounts.
    pub(crate) fn of(names: impl IntoIterator<Item = String>) -> Self {
        let words = names.into_iter().flat_map(|name| {
            let words = name.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect::<Vec<_>>();
            words.into_iter().filter(|word| word.chars().count() >= SHORTEST_WORD)
        });
        Self { names: words.collect() }
    }

    /// The text without them: every word of a name, in any letter case, and every run of 24 or more hexadecimal digits.
    pub(crate) fn scrub(&self, text: &str) -> String {
        let mut clean = String::with_capacity(text.len());
        let mut word = String::new();
        for character in text.chars() {
            if character.is_alphanumeric() {
                word.push(character);
            } else {
                self.put(&mut clean, &mut word);
                clean.push(character);
            }
        }
        self.put(&mut clean, &mut word);
        clean
    }

    fn put(&self, clean: &mut String, word: &mut String) {
        let is_secret = word.len() >= 24 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_secret || self.names.contains(&word.to_lowercase()) {
            clean.push_str(SOMEONE);
        } else {
            clean.push_str(word);
        }
        word.clear();
    }

    /// A capture: what came from the board and went to it stays as it is, the rest is scrubbed.
    pub(crate) fn scrub_capture(&self, text: &str) -> String {
        let mut clean = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let is_bytes = line.split(' ').nth(1).is_some_and(|direction| matches!(direction, "<" | ">"));
            if is_bytes && line.bytes().all(|byte| byte.is_ascii_hexdigit() || b" <>\n".contains(&byte)) {
                clean.push_str(line);
            } else {
                clean.push_str(&self.scrub(line));
            }
        }
        clean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_secrets_are_gone_and_the_bytes_of_a_board_stay() {
        let scrubber = Scrubber::of(["Müller, Anna-Lena".to_owned(), "otto".to_owned(), "Li, Bo".to_owned()]);
        let log = "login of Otto failed; MÜLLER plays Lena's board; key 0123456789abcdef0123456789abcdef; Bologna";
        assert_eq!(scrubber.scrub(log), "login of (name) failed; (name) plays (name)'s board; key (name); Bologna");
        let capture = "# boardcast-capture 1\n# note: board of Otto\n12 < 8e000503\n13 ! {\"command\":{\"by\":\"otto\"}}\n14 < otto\n";
        assert_eq!(
            scrubber.scrub_capture(capture),
            "# boardcast-capture 1\n# note: board of (name)\n12 < 8e000503\n13 ! {\"command\":{\"by\":\"(name)\"}}\n14 < (name)\n"
        );
    }

    #[test]
    fn of_settings_in_json_the_kinds_are_told_and_no_text() {
        let outputs =
            r#"[{"name":"site","delay":"15 min","target":{"lichess":{"token":"lip_secret","tables":[1,8]}}}]"#;
        let bare = bare_json(outputs).unwrap();
        assert!(["lichess", "token", "8"].iter().all(|told| bare.contains(told)), "{bare}");
        assert!(["lip_secret", "site"].iter().all(|hidden| !bare.contains(hidden)), "{bare}");
        assert!(bare_json("{").is_err());
    }

    #[test]
    fn of_settings_only_harmless_values_are_told() {
        let example = include_str!("../systemd/example.toml");
        let all: String = example
            .lines()
            .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line).to_owned() + "\n")
            .collect();
        let bare = bare_config(&all).unwrap();
        for secret in ["example.org", "smtp-password", "Spring Open", "Utrecht", "spring-open", "technician"] {
            assert!(!bare.contains(secret), "{secret}: {bare}");
        }
        assert!(bare.contains("listen = \"0.0.0.0:8080\"") && bare.contains("alarm_hook = \"(set)\""), "{bare}");
        assert!(bare_config("no toml").is_err());
    }
}
