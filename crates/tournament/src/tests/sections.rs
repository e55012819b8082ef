//! Sections that are taken away, and come back.

use super::*;

fn remove(slug: &str) -> Order {
    Order::RemoveSection { section: slug.into() }
}

#[track_caller]
fn code(director: &Director, order: &Order) -> String {
    director.ask(order).unwrap_err().coded().code.into_owned()
}

#[test]
fn a_section_that_was_made_by_mistake_is_taken_away_and_back_by_undo() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    director.section("mistake", 11);
    director.load("mistake", "1;1;Clark;Davis;");
    let before = director.hall.section("mistake").unwrap().clone();
    let number = director.hall.next_correction();
    director.order(remove("mistake"));
    assert!(director.hall.section("mistake").is_none() && director.hall.game("mistake-1-1").is_none());
    assert_eq!(director.hall.games().count(), 1);
    assert_eq!(code(&director, &remove("mistake")), "no_section");
    director.order(Order::Undo { number });
    assert_eq!(director.hall.section("mistake"), Some(&before));
    assert_eq!(code(&director, &Order::RestoreSection { section: "mistake".into() }), "section_there");
    director.order(remove("mistake"));
    let said = said(&director.order(set_section("mistake")).notes);
    assert!(said[0].contains("is back with the players and the rounds"), "{said:?}");
    assert_eq!(director.hall.game("mistake-1-1").unwrap().section.settings.name, "Again");
    assert_eq!(Hall::of(&director.facts), director.hall);
}

fn set_section(slug: &str) -> Order {
    Order::SetSection { section: slug.into(), settings: SectionSettings::named("Again"), confirm: false }
}

#[test]
fn a_section_with_play_or_a_public_round_stays_and_so_does_the_only_one() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    assert_eq!(code(&director, &remove("open")), "section_only");
    director.section("other", 11);
    director.order(publish("open", 1));
    assert_eq!(code(&director, &remove("open")), "section_public");
    director.start(1);
    director.play(1, "e4");
    assert_eq!(code(&director, &remove("open")), "section_played");
}

#[test]
fn start_positions_that_stand_on_boards_keep_no_section_of_open_play() {
    let mut director = Director::new();
    let settings = SectionSettings { open_play: true, ..SectionSettings::named("Live games") };
    director.order(Order::SetSection { section: "live".into(), settings, confirm: false });
    director.seat(1);
    let stands = director.start(1).unwrap();
    director.section("open", 1);
    director.load("open", "1;1;Adams;Baker;");
    director.order(remove("live"));
    assert!(director.hall.unassigned.contains_key(&*stands), "its board keeps it");
    director.order(publish("open", 1));
    assert_eq!(director.state("open-1-1"), PairingState::Playing, "its start counts for the pairing");
    assert_eq!(director.hall.playing(&serial(1)).map(|game| &**game), Some("open-1-1"));
}

#[test]
fn a_person_of_a_section_that_was_taken_away_can_be_forgotten() {
    let mut director = Director::with_round("1;1;Adams;Baker;");
    director.section("mistake", 11);
    director.load("mistake", "1;1;Clark;Davis;");
    let clark = director.player("Clark");
    director.order(remove("mistake"));
    director.order(Order::Forget { player: clark });
    assert!(director.persons.get(clark).is_none());
    director.order(Order::RestoreSection { section: "mistake".into() });
    assert!(director.hall.section("mistake").unwrap().players[&clark].forgotten);
}
