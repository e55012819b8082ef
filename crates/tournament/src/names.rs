//! What a person is called, to be found in texts that people wrote: reasons, tags of games.
//!
//! Whoever is forgotten has to go from these, too. Knows how names are written. Must not know where texts stand.

use super::person::PersonRecord;
use pairings::player::folded;

/// The fewest letters of a family name that says by itself who is meant.
const TELLING: usize = 3;

/// What persons are called, and were called before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// As tags show them: the names, and their initials.
    shown: Vec<String>,
    /// In small plain letters: with the family name first or last, the family name alone, the FIDE id.
    words: Vec<String>,
}

impl Names {
    /// Those of a person.
    pub fn of(record: &PersonRecord) -> Self {
        let mut names = Self::default();
        names.add(record);
        names
    }

    /// Those of one more person.
    pub fn add(&mut self, record: &PersonRecord) {
        for person in record.earlier.iter().chain([&record.person]) {
            self.shown.extend([person.name.clone(), person.initials()]);
            let (family, given) = match person.name.split_once(',') {
                Some((family, given)) => (folded(family), folded(given)),
                None => (folded(person.name.rsplit(' ').next().unwrap_or_default()), String::new()),
            };
            let together = [folded(&person.name), format!("{given} {family}").trim().to_owned()];
            self.words.extend(together.into_iter().filter(|words| !words.is_empty()));
            self.words.extend(Some(family).filter(|family| family.len() >= TELLING));
            self.words.extend(person.fide_id.map(|id| id.to_string()));
        }
    }

    /// Whether nobody is meant.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Whether a tag shows one of them.
    pub fn are_shown_as(&self, value: &str) -> bool {
        self.shown.iter().any(|shown| shown == value)
    }

    /// Whether one of them stands in a text, however it is written; also a namesake's.
    pub fn stand_in(&self, text: &str) -> bool {
        let text = format!(" {} ", folded(text));
        self.words.iter().any(|words| text.contains(&format!(" {words} ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Person;

    #[test]
    fn a_name_is_found_however_it_is_written() {
        let person = |name: &str| Person { name: name.into(), fide_id: Some(400_041), ..Person::default() };
        let record = PersonRecord::new(person("Müller-Lüdenscheidt, Jörg")).changed(person("Ng, Jörg"));
        let names = Names::of(&record);
        for text in
            ["JORG MULLER-LUDENSCHEIDT was late", "Müller-Lüdenscheidt", "see Ng, Jörg", "Jörg Ng!", "FIDE id 400041"]
        {
            assert!(names.stand_in(text), "{text}");
        }
        for text in ["Müller was late", "Jörg", "ng", "playing", "4000412", ""] {
            assert!(!names.stand_in(text), "{text}");
        }
        assert!(Names::of(&PersonRecord::new(person("Jan Bos"))).stand_in("Bos was late"));
        assert!(names.are_shown_as("N., J.") && !names.are_shown_as("?"));
    }
}
