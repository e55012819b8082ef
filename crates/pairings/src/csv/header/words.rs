//! What the headings of tables and the titles above them mean, in the languages of chess clubs.

use super::{Fact, Side};
use crate::model::MAX_ROUND;
use crate::player::{self, folded};

/// A heading before the sides are known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Heading {
    /// The player whom it names.
    pub side: Option<Side>,
    /// What its column holds.
    pub fact: Fact,
}

/// «White».
pub(super) const NAME_OF_WHITE: Heading = Heading { side: Some(Side::White), fact: Fact::Name };
/// «Black».
pub(super) const NAME_OF_BLACK: Heading = Heading { side: Some(Side::Black), fact: Fact::Name };

/// A heading without a colour.
const fn alone(fact: Fact) -> Heading {
    Heading { side: None, fact }
}

/// What a heading means; none when it has no known word.
pub(super) fn heading(text: &str) -> Option<Heading> {
    let text = text.trim();
    if text.len() > 40 {
        return None;
    }
    // Split «WhiteElo» into two words.
    let mut spaced = String::new();
    let mut small = false;
    for letter in text.chars() {
        if small && letter.is_uppercase() {
            spaced.push(' ');
        }
        small = letter.is_lowercase();
        spaced.push(letter);
    }
    let as_written = text.trim_end_matches('.').to_lowercase();
    if let Some((heading, _)) = AS_WRITTEN.iter().find(|(_, words)| words.contains(&as_written.as_str())) {
        return Some(*heading);
    }
    let plain = folded(&spaced);
    let words: Vec<_> = plain.split(' ').filter(|word| !word.is_empty()).collect();
    let side = |word: &str| {
        if WHITE.contains(&word) {
            Some(Side::White)
        } else if BLACK.contains(&word) {
            Some(Side::Black)
        } else {
            None
        }
    };
    let sided = words.iter().find_map(|word| side(word));
    let rest: Vec<_> = words.iter().filter(|word| side(word).is_none()).copied().collect();
    // «Rtg W» and «Rtg B».
    let (sided, rest) = match (sided, rest.split_last()) {
        (None, Some((&"w", rest))) if !rest.is_empty() => (Some(Side::White), rest.join(" ")),
        (None, Some((&"b", rest))) if !rest.is_empty() => (Some(Side::Black), rest.join(" ")),
        (sided, _) => (sided, rest.join(" ")),
    };
    if rest.is_empty() {
        return sided.map(|side| Heading { side: Some(side), fact: Fact::Name });
    }
    if let Some((fact, _)) = WORDS.iter().find(|(_, words)| words.contains(&rest.as_str())) {
        return Some(Heading { side: sided, fact: *fact });
    }
    let first = rest.split(' ').next()?.trim_end_matches(|letter: char| letter.is_ascii_digit());
    (sided.is_none() && TIE_BREAKS.contains(&first)).then_some(Heading { side: None, fact: Fact::TieBreak(0) })
}

/// The round of a title such as «Round 3», «3. Runde am 14.02.», «Ronde 4 - 2026/02/14».
pub(in super::super) fn round_of_title(text: &str) -> Option<u32> {
    let plain = folded(text.get(..80).unwrap_or(text));
    let words: Vec<_> = plain.split(' ').collect();
    let (_, rounds) = WORDS.iter().find(|(fact, _)| *fact == Fact::Round)?;
    let place = words.iter().position(|word| rounds.contains(word))?;
    let number = |place: usize| {
        words.get(place).and_then(|word| player::digits(word)).filter(|number| (1..=MAX_ROUND).contains(number))
    };
    // «3. Runde 14.02.» against «Saturday 14, round 3».
    if place == 1 { number(0).or_else(|| number(2)) } else { number(place + 1) }
}

/// Whether the title of a round names one game of a match: «Round 3.2», «Runde 3/2», «Round 3, game 2».
pub(in super::super) fn names_a_game(title: &str, round: u32) -> bool {
    let numbered = ['.', '/'].into_iter().any(|sign| {
        title.split_once(&format!("{round}{sign}")).is_some_and(|(before, after)| {
            let digits = after.chars().take_while(char::is_ascii_digit).count();
            // A date has one more number.
            let ends = !after.get(digits..).is_some_and(|rest| rest.starts_with(['.', '/', '-', ':']));
            (1..=2).contains(&digits)
                && ends
                && !before.ends_with(|letter: char| letter.is_ascii_digit() || ".-/".contains(letter))
        })
    });
    let plain = folded(title.get(..80).unwrap_or(title));
    let words: Vec<_> = plain.split(' ').collect();
    let game =
        |pair: &[&str]| matches!(pair, [word, number] if GAMES.contains(word) && player::digits(number).is_some());
    numbered || words.windows(2).any(game)
}

/// What one game of a match is called.
const GAMES: [&str; 9] = ["game", "leg", "partie", "partida", "partita", "partia", "partij", "parti", "spiel"];

/// Headings in plain letters (see [`folded`]), without a colour.
const WORDS: [(Fact, &[&str]); 13] = [
    (
        Fact::Round,
        &[
            "round", "rd", "rnd", "runde", "rde", "ronde", "ronda", "turno", "rodada", "kolo", "runda", "omgang",
            "kierros", "tur", "fordulo", "umferd", "karta", "ratas",
        ],
    ),
    (
        Fact::Table,
        &[
            "table",
            "board",
            "bo",
            "bd",
            "brd",
            "br",
            "brett",
            "tisch",
            "tavolo",
            "scacchiera",
            "tablero",
            "mesa",
            "ech",
            "echiquier",
            "tabla",
            "bord",
            "tafel",
            "brat",
            "braet",
            "brade",
            "poyta",
            "lauta",
            "szachownica",
            "stol",
            "sachovnica",
            "sachovnice",
            "asztal",
            "stul",
            "tabuleiro",
            "doska",
            "sz",
            "szach",
            "sach",
            "ms",
            "masa",
            "miza",
            "ploca",
            "laud",
            "galds",
            "tauler",
            "table no",
            "board no",
        ],
    ),
    (
        Fact::Number,
        &[
            "no",
            "nr",
            "snr",
            "start no",
            "start nr",
            "startnr",
            "start number",
            "starting number",
            "starting rank",
            "no inic",
            "sno",
            "num",
            "number",
            "nummer",
            "n",
            "ndeg",
            "nr st",
            "st c",
            "ssz",
            "rajtsz",
            "szam",
            "nro",
            "bsl no",
            "ranking no",
        ],
    ),
    (Fact::Title, &["title", "titel", "tit", "ti", "titre", "titulo", "titolo", "tytul", "t"]),
    (
        Fact::Name,
        &[
            "name",
            "player",
            "spieler",
            "spielername",
            "teilnehmer",
            "joueur",
            "nom",
            "jugador",
            "nombre",
            "giocatore",
            "nome",
            "jogador",
            "speler",
            "naam",
            "spiller",
            "navn",
            "spelare",
            "namn",
            "zawodnik",
            "jmeno",
            "hrac",
            "meno",
            "igrac",
            "ime",
            "nev",
            "nazwisko",
            "nume",
            "nimi",
            "isim",
            "adi soyadi",
            "vards",
            "vardas",
            "nafn",
            "last name",
        ],
    ),
    (
        Fact::Rating,
        &[
            "rating",
            "rtg",
            "rtgi",
            "rtg i",
            "elo",
            "eloi",
            "elo i",
            "elo fide",
            "fide elo",
            "fide rating",
            "rat",
            "rating fide",
            "elo int",
            "intl rating",
            "classement",
            "lask",
            "ert",
            "ertekszam",
        ],
    ),
    (
        Fact::Federation,
        &[
            "fed",
            "federation",
            "foderation",
            "land",
            "nation",
            "country",
            "pays",
            "pais",
            "federacion",
            "federazione",
            "federacao",
            "flag",
        ],
    ),
    (
        Fact::FideId,
        &[
            "fide id",
            "fideid",
            "id fide",
            "fide no",
            "fide nr",
            "fide code",
            "fide number",
            "codigo fide",
            "code fide",
            "fin",
        ],
    ),
    (
        Fact::Team,
        &[
            "team",
            "club",
            "club city",
            "verein",
            "verein ort",
            "mannschaft",
            "equipe",
            "equipo",
            "squadra",
            "ploeg",
            "hold",
            "lag",
            "klub",
            "druzyna",
            "oddil",
        ],
    ),
    (
        Fact::Points,
        &[
            "pts", "pt", "points", "point", "punkte", "pkt", "punti", "puntos", "pontos", "punten", "body", "poang",
            "poeng", "punts", "pont", "puan", "bodovi", "tocke", "poeni", "puncte", "pisteet", "punktid", "punkti",
            "taskai", "vinn",
        ],
    ),
    (
        Fact::Rank,
        &[
            "rank",
            "rk",
            "rg",
            "rang",
            "place",
            "platz",
            "pl",
            "plaats",
            "pos",
            "position",
            "posizione",
            "puesto",
            "lp",
            "m",
            "m ce",
            "miejsce",
            "poradi",
            "poradie",
            "helyezes",
            "sira",
            "mjesto",
            "ranking",
        ],
    ),
    (
        Fact::Result,
        &[
            "result",
            "res",
            "results",
            "ergebnis",
            "erg",
            "resultat",
            "resultado",
            "risultato",
            "uitslag",
            "wynik",
            "vysledek",
            "vysledok",
            "rezultat",
            "tulos",
            "eredmeny",
            "eredm",
            "sonuc",
            "rez",
            "tulemus",
            "rezultats",
            "rezultatas",
            "urslit",
        ],
    ),
    (
        Fact::Serial,
        &[
            "serial",
            "serial no",
            "serial nr",
            "serial number",
            "board serial",
            "board serial no",
            "board serial number",
            "dgt",
            "dgt board",
            "dgt no",
            "dgt number",
            "dgt serial",
            "e board",
            "eboard",
            "electronic board",
            "seriennummer",
            "serien nr",
            "seriennr",
            "brett seriennummer",
            "dgt brett",
            "dgt nr",
            "e brett",
            "elektronisches brett",
            "numero de serie",
            "n serie",
            "no serie",
            "ndeg serie",
            "ndeg de serie",
            "serie",
            "echiquier dgt",
            "echiquier electronique",
            "num serie",
            "nro serie",
            "tablero dgt",
            "tablero electronico",
            "numero di serie",
            "n di serie",
            "seriale",
            "matricola",
            "scacchiera dgt",
            "scacchiera elettronica",
            "numer seryjny",
            "nr seryjny",
            "szachownica dgt",
            "szachownica elektroniczna",
        ],
    ),
];

/// Headings in small letters without a full stop that another language would have for something else in plain letters, as «ном»
/// and «nom».
const AS_WRITTEN: [(Heading, &[&str]); 11] = [
    (NAME_OF_WHITE, &["белые", "білі", "白方"]),
    (NAME_OF_BLACK, &["чёрные", "черные", "чорні", "黑方"]),
    (alone(Fact::Name), &["имя", "фио", "фамилия, имя", "участник", "игрок", "ім'я", "учасник", "име", "όνομα"]),
    (alone(Fact::Number), &["ном", "номер", "ст. ном", "стартовый номер", "č", "st. č", "α.α"]),
    (alone(Fact::Rating), &["рейт", "рейтинг"]),
    (alone(Fact::Points), &["очки", "очк", "бали", "точки", "поени", "βαθ", "βαθμοί"]),
    (alone(Fact::Result), &["результат", "рез", "резултат", "αποτέλεσμα", "αποτ", "结果", "結果"]),
    (alone(Fact::Table), &["#", "№", "д", "дос", "доска", "стол", "š", "дошка", "σκακιέρα", "台次", "台号"]),
    (alone(Fact::Rank), &["место", "місце", "м"]),
    (alone(Fact::Federation), &["фед", "федерация", "федерація"]),
    (alone(Fact::Team), &["клуб", "команда", "клуб/город"]),
];

/// First words of the headings of tie-breaks, without the number behind them: «TB1», «Wtg2», «BH:C1», «Buchholz Cut 1».
const TIE_BREAKS: [&str; 36] = [
    "tb",
    "tie",
    "tiebreak",
    "wtg",
    "wertung",
    "feinwertung",
    "fw",
    "des",
    "desempate",
    "desp",
    "dep",
    "departage",
    "spareggio",
    "buc",
    "buch",
    "buchholz",
    "bh",
    "bhl",
    "sb",
    "sob",
    "sberg",
    "sonneborn",
    "berger",
    "de",
    "aro",
    "arpo",
    "koya",
    "median",
    "solkoff",
    "cumulative",
    "progressive",
    "prog",
    "ps",
    "wins",
    "win",
    "mb",
];

const WHITE: [&str; 30] = [
    "white", "weiss", "weisse", "blancs", "blanc", "blancas", "brancas", "bianco", "bianchi", "wit", "hvid", "vit",
    "hvit", "valkea", "biale", "bily", "biely", "vilagos", "beli", "bijeli", "beyaz", "alb", "albul", "valkeat",
    "valge", "baltie", "baltieji", "hvitt", "blanques", "leuka",
];
const BLACK: [&str; 30] = [
    "black", "schwarz", "schwarze", "noirs", "noir", "negras", "pretas", "nero", "neri", "zwart", "sort", "svart",
    "sorte", "musta", "czarne", "cerny", "cierny", "sotet", "crni", "czarny", "siyah", "negru", "negrul", "mustat",
    "must", "melnie", "juodieji", "negres", "noires", "maura",
];
