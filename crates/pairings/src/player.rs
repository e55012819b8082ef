//! Players, and how files write their names, titles, ratings, federations and FIDE ids.
//!
//! What cannot be read with certainty stays empty. Birth dates and sex are never kept.

use std::ops::RangeInclusive;

use deunicode::deunicode;
use notation::presentation::is_fide_federation;

/// A player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Starting number in the tournament, if known.
    pub number: Option<u32>,
    /// Usually `Last, First`; as in the file, with single spaces.
    pub name: String,
    /// `GM`, `IM`, `FM`, `CM` or the women's of these.
    pub title: Option<&'static str>,
    /// 1 to 4000.
    pub rating: Option<u32>,
    /// FIDE's code of the federation.
    pub federation: Option<String>,
    /// FIDE id.
    pub fide_id: Option<u32>,
    /// A team's name; never a federation's code.
    pub team: Option<String>,
    /// Points before the round, in tenths of a point.
    pub points: Option<u32>,
}

impl Player {
    /// A player with a name and nothing else.
    pub fn named(text: &str) -> Self {
        Self { name: name(text), ..Self::default() }
    }

    /// Whether both are the same person: the same FIDE id; or, when one has none, the same name without accents and case and
    /// no different starting numbers.
    pub fn is(&self, other: &Self) -> bool {
        let same_id = self.fide_id.is_some() && self.fide_id == other.fide_id;
        same_id || !self.contradicts(other) && folded(&self.name) == folded(&other.name)
    }

    /// Whether different FIDE ids, or different starting numbers when an id is missing, prove two persons.
    pub(super) fn contradicts(&self, other: &Self) -> bool {
        let own = self.fide_id.zip(other.fide_id).or(self.number.zip(other.number));
        own.is_some_and(|(own, others)| own != others)
    }

    /// Fills what is unknown from `other`.
    pub fn complete(&mut self, other: &Self) {
        fn fill<T: Clone>(own: &mut Option<T>, others: Option<&T>) {
            if own.is_none() {
                *own = others.cloned();
            }
        }
        fill(&mut self.number, other.number.as_ref());
        fill(&mut self.title, other.title.as_ref());
        fill(&mut self.rating, other.rating.as_ref());
        fill(&mut self.federation, other.federation.as_ref());
        fill(&mut self.fide_id, other.fide_id.as_ref());
        fill(&mut self.team, other.team.as_ref());
        fill(&mut self.points, other.points.as_ref());
    }
}

/// A text in ASCII lower-case letters and digits with single spaces, for comparison.
pub fn folded(text: &str) -> String {
    let plain = deunicode(text).to_ascii_lowercase();
    plain
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether two names differ in accents, capitals and punctuation at most. `Mueller` is `Müller` too.
pub fn is_spelling_of(one: &str, other: &str) -> bool {
    folded(one) == folded(other) || folded(&written_out(one)) == folded(&written_out(other))
}

/// A name whose umlauts and Scandinavian letters are two letters, as files without them have it.
fn written_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.to_lowercase().next().unwrap_or(letter) {
            'ä' | 'æ' => out.push_str("ae"),
            'ö' | 'ø' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'å' => out.push_str("aa"),
            _ => out.push(letter),
        }
    }
    out
}

/// Whether a spelling of a name has all that another one has, and more: accents, small letters beside capitals, the comma.
pub fn is_fuller_spelling(new: &str, known: &str) -> bool {
    let has = |name: &str| {
        let accents = name.chars().filter(|letter| letter.is_alphabetic() && !letter.is_ascii()).count();
        let mixed = name.chars().any(char::is_lowercase) && name.chars().any(char::is_uppercase);
        [accents, usize::from(mixed), usize::from(name.contains(','))]
    };
    let (new, known) = (has(new), has(known));
    new != known && new.iter().zip(known).all(|(new, known)| *new >= known)
}

/// A name with single spaces and one space after its comma.
pub fn name(text: &str) -> String {
    let spaced = text.replace(',', ", ");
    let words: Vec<_> = spaced.split_whitespace().collect();
    let joined = words.join(" ").replace(" ,", ",");
    joined.trim_end_matches([',', ' ']).to_owned()
}

/// Longest name of a person or a team, in characters.
pub const MAX_NAME: usize = 120;

/// Whether a name has at most [`MAX_NAME`] characters, and no control characters among them.
pub fn fits(name: &str) -> bool {
    name.chars().count() <= MAX_NAME && !name.chars().any(char::is_control)
}

/// Whether a name means that there is no player.
pub fn is_nobody(text: &str) -> bool {
    matches!(text.trim(), "" | "?" | "-" | "--" | "---" | "*" | "N.N." | "NN" | "N N")
}

/// Names of placeholders for a missing opponent, as [`folded`] writes them: without accents, in lower case, other scripts in
/// Latin letters. Words that are also family names are left out.
const PLACEHOLDERS: &[&str] = &[
    // English.
    "bye",
    "the bye",
    "half point bye",
    "full point bye",
    "zero point bye",
    "requested bye",
    "bye player",
    "not paired",
    "unpaired",
    "no opponent",
    "no player",
    "dummy",
    "dummy player",
    "sits out",
    "sitting out",
    // German, Dutch.
    "spielfrei",
    "spiel frei",
    "freilos",
    "kein gegner",
    "nicht ausgelost",
    "nicht gelost",
    "vrij",
    "vrijgeloot",
    "oneven",
    // French, Spanish, Catalan, Portuguese, Italian, Romanian.
    "exempt",
    "exempte",
    "non apparie",
    "sans adversaire",
    "libre",
    "descansa",
    "descanso",
    "sin emparejar",
    "no emparejado",
    "folga",
    "isento",
    "nao emparceirado",
    "sem adversario",
    "riposo",
    "riposa",
    "turno di riposo",
    "non abbinato",
    // Polish, Czech, Slovak, Hungarian, Slovenian, Croatian, Serbian.
    "pauza",
    "pauzuje",
    "wolny los",
    "bez pary",
    "volno",
    "volny los",
    "nenasazen",
    "szabadnapos",
    "eronyero",
    "prost krog",
    "slobodan",
    "slobodno",
    // Danish, Norwegian, Swedish, Icelandic, Finnish, Estonian, Latvian, Lithuanian.
    "frirunde",
    "frirond",
    "oversidder",
    "sidder over",
    "sitter over",
    "star over",
    "walk over",
    "situr hja",
    "yfirseta",
    "vapaakierros",
    "vapaa",
    "vaba voor",
    "brivs",
    "brivais",
    "laisvas",
    // Russian, Ukrainian, Bulgarian, Turkish, Greek, Chinese.
    "svoboden",
    "vykhodnoi",
    "propuskaet",
    "bez sopernika",
    "vilnii",
    "vil nii",
    "pochivka",
    "bay gecti",
    "bye gecti",
    "lun kong",
];

/// Whether a name is a placeholder for a missing opponent, in the languages of pairing programs: `bye`, `Spielfrei 2`,
/// `-- exempt --`, `BYE, BYE`.
pub fn is_bye(text: &str) -> bool {
    let plain = folded(text);
    let words: Vec<_> = plain.split(' ').filter(|word| digits(word).is_none()).collect();
    let known = |words: &[&str]| PLACEHOLDERS.contains(&words.join(" ").as_str());
    let repeated = words.split_first().is_some_and(|(first, rest)| rest.iter().all(|word| word == first));
    known(&words) || repeated && words.get(..1).is_some_and(known)
}

/// A title in the spelling of FIDE. Files also write one letter or lower case, and `-` for none.
pub fn title(text: &str) -> Option<&'static str> {
    Some(match text.trim().to_ascii_uppercase().as_str() {
        "GM" | "G" => "GM",
        "IM" | "M" => "IM",
        "FM" | "F" => "FM",
        "CM" | "C" => "CM",
        "WGM" | "WG" => "WGM",
        "WIM" | "WM" => "WIM",
        "WFM" | "WF" => "WFM",
        "WCM" | "WC" => "WCM",
        _ => return None,
    })
}

/// Splits a name into a title in capitals at its beginning, if any, and the rest.
pub(crate) fn titled_name(text: &str) -> (Option<&'static str>, &str) {
    let text = text.trim();
    if let Some((first, rest)) = text.split_once(' ')
        && first.len() >= 2
        && first.bytes().all(|letter| letter.is_ascii_uppercase())
        && let Some(title) = title(first)
    {
        return (Some(title), rest.trim());
    }
    (None, text)
}

/// Valid ratings.
pub const RATINGS: RangeInclusive<u32> = 1..=4000;

/// A rating; `0` and `-` are none. «2100 F» is how Papi marks FIDE's ratings; its national and estimated ones are not taken for
/// them.
pub(crate) fn rating(text: &str) -> Option<u32> {
    let text = text.trim();
    digits(text.strip_suffix(['F', 'f']).unwrap_or(text)).filter(|rating| RATINGS.contains(rating))
}

/// A FIDE id; `0` and `-` are none.
pub(crate) fn fide_id(text: &str) -> Option<u32> {
    digits(text).filter(|id| *id > 0)
}

/// A number of digits only; `parse` alone accepts a plus sign too.
pub(crate) fn digits(text: &str) -> Option<u32> {
    let text = text.trim();
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// A federation code of FIDE in upper case; none when FIDE has no such code.
pub fn federation(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_uppercase();
    is_fide_federation(&code).then_some(code)
}

/// A number of points in tenths: `4.5`, `4,5`, `4½`, `½`, `4`.
pub(crate) fn points(text: &str) -> Option<u32> {
    let text = text.trim();
    if let Some(whole) = text.strip_suffix('½') {
        let whole = if whole.trim().is_empty() { 0 } else { digits(whole)? };
        return whole.checked_mul(10)?.checked_add(5);
    }
    let (whole, tenths) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let tenths = digits(tenths).filter(|_| tenths.trim().len() == 1)?;
    let whole = if whole.trim().is_empty() { 0 } else { digits(whole)? };
    if text.is_empty() { None } else { whole.checked_mul(10)?.checked_add(tenths) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_certain_stays_empty() {
        assert_eq!(
            [" gm", "m", "wf", "-", "NM", ""].map(title),
            [Some("GM"), Some("IM"), Some("WFM"), None, None, None]
        );
        assert_eq!(["2345", "0", "-", "", "+12", "99999"].map(rating), [Some(2345), None, None, None, None, None]);
        assert_eq!(["0", "1503014", " "].map(fide_id), [None, Some(1_503_014), None]);
        assert_eq!(federation(" ned").as_deref(), Some("NED"));
        assert_eq!(federation("XYZ"), None);
        assert_eq!(
            ["4.5", "4,5", "4½", "½", "3", ".5", "", "4.55", "x"].map(points),
            [Some(45), Some(45), Some(45), Some(5), Some(30), Some(5), None, None, None]
        );
    }

    #[test]
    fn a_player_is_known_again_whatever_the_file_writes() {
        let full = Player { fide_id: Some(7), number: Some(1), ..Player::named("Müller,Åsa ") };
        assert_eq!(full.name, "Müller, Åsa");
        assert!(full.is(&Player::named("MULLER  ASA")));
        assert!(full.is(&Player { fide_id: Some(7), ..Player::named("Muller A.") }));
        assert!(!full.is(&Player { fide_id: Some(8), ..full.clone() }));
        let namesake = Player { number: Some(9), ..Player::named("Müller, Åsa") };
        assert!(!full.is(&namesake), "two players may share a name");
    }

    #[test]
    fn a_spelling_with_more_in_it_is_fuller_and_one_that_loses_something_is_not() {
        for (full, plain) in [
            ("Müller, Anna", "Muller, Anna"),
            ("Müller, Anna", "MÜLLER, ANNA"),
            ("Müller, Anna", "Mueller, Anna"),
            ("Åberg, Søren", "Aaberg, Soeren"),
            ("Adler, Ida", "adler ida"),
        ] {
            assert!(is_spelling_of(full, plain), "{plain}");
            assert!(is_fuller_spelling(full, plain) && !is_fuller_spelling(plain, full), "{plain}");
        }
        assert!(!is_spelling_of("Müller, Anna", "Möller, Anna"));
        assert!(!is_fuller_spelling("MÜLLER, ANNA", "Muller, Anna"), "it has another loss");
    }

    #[test]
    fn titles_before_names_and_byes_in_any_language_are_seen() {
        assert_eq!(titled_name("WGM Adler, Ida"), (Some("WGM"), "Adler, Ida"));
        assert_eq!(titled_name("C Adler"), (None, "C Adler"));
        assert_eq!(titled_name("Adler GM"), (None, "Adler GM"));
        assert!(["BYE", "spielfrei", "Not paired", "Descansa"].into_iter().all(is_bye));
        assert!(!is_bye("Byers, Ann") && is_nobody(" ? "));
    }
}
