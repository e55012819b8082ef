//! Finds the names of persons in texts that people wrote (reasons, tags), so that a forgotten person can be removed there.

use super::person::PersonRecord;
use pairings::player::folded;

/// Fewest letters of a family name that identifies a person by itself.
const DISTINCTIVE: usize = 3;

/// The present and earlier names of persons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// As tags show them: names and initials.
    shown: Vec<String>,
    /// In ASCII lower case: family name first, family name last, family name alone; and the FIDE id.
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
            self.words.extend(Some(family).filter(|family| family.len() >= DISTINCTIVE));
            self.words.extend(person.fide_id.map(|id| id.to_string()));
        }
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Whether a tag shows one of them.
    pub fn are_shown_as(&self, value: &str) -> bool {
        self.shown.iter().any(|shown| shown == value)
    }

    /// Whether a text has one of them, in any spelling. Finds namesakes too.
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
