//! Every sentence of the daemon that the dashboard may show (refusals, notes, alarms, lines of the history, states of outputs and
//! sources), compared with its translations.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use accounts::AccountsRefusal;
use coded_text::Entry;
use game_core::alarm::AlarmSentence;

use crate::admin::health::HealthSentence;
use crate::admin::history_note::HistoryNote;
use crate::admin::problem::AdminRefusal;
use crate::alarms::HallSentence;
use crate::director::{Failure, FolderText};
use crate::sources::SourceRefusal;
use crate::sources::note::GameNote;
use crate::time_offer::NotTaken;

/// Every sentence with a code that a person at the dashboard may meet.
fn entries() -> impl Iterator<Item = &'static Entry> {
    tournament::entries()
        .chain(pairings::entries())
        .chain(coded_text::Placed::ENTRIES)
        .chain(coded_text::InWords::ENTRIES)
        .chain(journal::loss_entries())
        .chain(public_web::problem::problem_entries())
        .chain(Failure::ENTRIES)
        .chain(FolderText::ENTRIES)
        .chain(AlarmSentence::ENTRIES)
        .chain(HallSentence::ENTRIES)
        .chain(AdminRefusal::ENTRIES)
        .chain(HistoryNote::ENTRIES)
        .chain(AccountsRefusal::ENTRIES)
        .chain(outputs::entries())
        .chain(SourceRefusal::ENTRIES)
        .chain(GameNote::ENTRIES)
        .chain(HealthSentence::ENTRIES)
        .chain(NotTaken::ENTRIES)
}

const LANGUAGES: [&str; 6] = ["en", "de", "es", "fr", "it", "pl"];

fn file(language: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("web/src/admin/refusals/{language}.json"))
}

fn sentences(language: &str) -> BTreeMap<String, String> {
    serde_json::from_str(&std::fs::read_to_string(file(language)).unwrap()).unwrap()
}

/// The names in braces.
fn gaps(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

#[test]
fn a_code_means_one_sentence() {
    let mut known = BTreeSet::new();
    for entry in entries() {
        assert!(known.insert(entry.code), "two sentences have the code {}", entry.code);
        let plain = entry.code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        assert!(plain, "{}: a code has small letters, digits and underscores", entry.code);
        assert_eq!(gaps(entry.english), entry.params.iter().copied().collect(), "{}", entry.code);
    }
}

/// With `BOARDCAST_RENEW=1` the file is written.
#[test]
fn the_english_file_has_the_sentences_of_the_daemon() {
    let own: BTreeMap<_, _> = entries().map(|entry| (entry.code, entry.english)).collect();
    let text = serde_json::to_string_pretty(&own).unwrap() + "\n";
    if std::env::var_os("BOARDCAST_RENEW").is_some() {
        std::fs::write(file("en"), &text).unwrap();
    }
    let kept = std::fs::read_to_string(file("en")).unwrap();
    assert!(kept == text, "web/src/admin/refusals/en.json is old: run this test with BOARDCAST_RENEW=1");
}

#[test]
fn the_headers_that_a_refusal_recommends_are_understood_in_every_language() {
    for language in LANGUAGES {
        let sentences = sentences(language);
        let quoted = |code: &str| -> Vec<String> {
            let parts = sentences[code].split(['«', '»', '„', '“', '”']);
            parts.skip(1).step_by(2).map(|part| part.trim().to_owned()).collect()
        };
        let headers = quoted("file_form_unknown");
        let [pairings, players] = &headers[..] else { panic!("{language}: {headers:?}") };
        assert_eq!([quoted("table_pairings_without_header"), quoted("table_players_without_header")].concat(), headers);
        let title = quoted("table_round_not_named").concat();
        let table = format!("{title}\n{}\n7;Adler, Ida;Bos, Jan;1-0\n", pairings.replace(", ", ";"));
        let read = pairings::load(&[("table", table.as_bytes())]).unwrap().pairings;
        let (round, game) = (&read.rounds[0], &read.rounds[0].games[0]);
        assert_eq!((round.number, game.table, &*game.black.name), (3, 7, "Bos, Jan"), "{language}: {table}");
        assert!(game.score.is_some() && read.warnings.is_empty(), "{language}: {:?}", read.warnings);
        let list = format!("{}\n7;Adler, Ida;2500\n", players.replace(", ", ";"));
        let player = pairings::load(&[("list", list.as_bytes())]).unwrap().pairings.players.remove(0);
        assert_eq!((player.number, &*player.name, player.rating), (Some(7), "Adler, Ida", Some(2500)), "{language}");
    }
}

#[test]
fn every_code_is_translated_with_its_parameters_and_no_others() {
    let mut faults = Vec::new();
    for language in LANGUAGES {
        let sentences = sentences(language);
        for entry in entries() {
            let Some(sentence) = sentences.get(entry.code).filter(|sentence| !sentence.trim().is_empty()) else {
                faults.push(format!("{language}: {} has no translation", entry.code));
                continue;
            };
            let (own, params) = (gaps(sentence), entry.params.iter().copied().collect::<BTreeSet<_>>());
            for unknown in own.difference(&params) {
                faults.push(format!("{language}: {} names the unknown parameter {unknown}", entry.code));
            }
            for missing in params.difference(&own) {
                faults.push(format!("{language}: {} leaves out the parameter {missing}", entry.code));
            }
        }
        let codes: BTreeSet<_> = entries().map(|entry| entry.code).collect();
        let gone = sentences.keys().filter(|code| !codes.contains(code.as_str()));
        faults.extend(gone.map(|code| format!("{language}: there is no code {code}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
