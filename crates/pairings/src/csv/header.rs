//! Finds what the columns of a table hold from the words of its header, in the languages of chess clubs.

use csv::StringRecord;

use super::super::model::MAX_ROUND;
use super::super::player::{self, folded};

/// The player, or the game, that a column describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// White; in a list of players, the player.
    White,
    /// Black.
    Black,
    /// The game.
    Both,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The round's number.
    Round,
    /// The table's number.
    Table,
    /// The starting number.
    Number,
    /// The title.
    Title,
    /// The name.
    Name,
    /// The rating.
    Rating,
    /// The federation's code.
    Federation,
    /// The FIDE id.
    FideId,
    /// The team.
    Team,
    /// Points before the round.
    Points,
    /// The result.
    Result,
    /// The serial number of the electronic board at the table.
    Serial,
    /// The rank in standings.
    Rank,
    /// A tie-break of standings, by its column from 0.
    TieBreak(usize),
}

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// The player, or the game.
    pub side: Side,
    /// What it holds.
    pub fact: Fact,
}

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

/// What each column holds when a row is a header: it has a column of names and at least one other, or tables and the serial
/// numbers of their boards. A column without a
/// heading whose cells are titles, also national ones, holds titles.
pub(super) fn guess(row: &StringRecord, below: &[&StringRecord]) -> Option<Vec<Option<Column>>> {
    let headings: Vec<_> = row
        .iter()
        .enumerate()
        .map(|(place, text)| {
            let heading = heading(text).or_else(|| titles(place, text, below))?;
            // «Rank.» is Polish for a rating.
            let is_rating = heading.fact == Fact::Rank && rated(place, below);
            // «T.» is Hungarian for a table.
            let is_table = heading.fact == Fact::Title && numbers(place, below).next().is_some();
            let other = is_rating.then_some(Fact::Rating).or(is_table.then_some(Fact::Table));
            Some(Heading { fact: other.unwrap_or(heading.fact), ..heading })
        })
        .collect();
    let count = |wanted: Heading| headings.iter().filter(|heading| **heading == Some(wanted)).count();
    let count_of = |fact| count(Heading { side: None, fact });
    let names = count_of(Fact::Name);
    let (whites, blacks) = (count(NAME_OF_WHITE), count(NAME_OF_BLACK));
    let sides = whites == 1 && blacks == 1 || names == 2;
    let known = headings.iter().flatten().count();
    // A list of the boards in the hall names no player.
    let boards = names + whites + blacks == 0 && count_of(Fact::Serial) == 1 && count_of(Fact::Table) == 1;
    if !sides && !boards && names != 1 || known < 2 {
        return None;
    }
    let numbers = count_of(Fact::Number);
    let has_tables = count_of(Fact::Table) > 0;
    let mut seen = Vec::new();
    let is_name = |heading: &Option<Heading>| heading.is_some_and(|heading| heading.fact == Fact::Name);
    let name_of_black = |place: usize| {
        let first = headings.iter().position(is_name);
        let heading = headings.get(place).copied().flatten();
        heading == Some(NAME_OF_BLACK)
            || names == 2 && heading.is_some_and(|it| it.fact == Fact::Name) && first < Some(place)
    };
    let middle = (0..headings.len()).find(|place| name_of_black(*place));
    let columns = headings.iter().enumerate().map(|(place, heading)| {
        let Heading { side, fact } = (*heading)?;
        // Pairings have no standings.
        if (sides || boards) && matches!(fact, Fact::Rank | Fact::TieBreak(_)) {
            return None;
        }
        // «No.» alone numbers the tables; «#» in a list of players numbers the players.
        let fact = match fact {
            Fact::Number if sides && numbers == 1 && side.is_none() && !has_tables => Fact::Table,
            // Numbers that come again are the boards of teams.
            Fact::Table if !sides && !boards && numbers == 0 => {
                if repeats(place, below) {
                    return None;
                }
                Fact::Number
            }
            Fact::TieBreak(_) => Fact::TieBreak(place),
            fact => fact,
        };
        let both = matches!(fact, Fact::Round | Fact::Table | Fact::Result | Fact::Serial);
        let repeated = seen.contains(&fact);
        let twice = headings.iter().flatten().filter(|other| other.fact == fact && other.side.is_none()).count() > 1;
        let side = match side {
            _ if both => Side::Both,
            Some(side) => side,
            None if !sides || (twice && !repeated) => Side::White,
            None if twice => Side::Black,
            // A fact with one column belongs to White before the column of Black's name, and to Black after it. A title stands
            // before its name: a page on which no White has one has a single column of titles, directly before Black's name.
            None => {
                let before_black = fact == Fact::Title
                    && middle == Some(place + 1)
                    && !place.checked_sub(1).and_then(|place| headings.get(place)).is_some_and(is_name);
                if before_black || middle.is_some_and(|middle| place > middle) { Side::Black } else { Side::White }
            }
        };
        seen.push(fact);
        Some(Column { side, fact })
    });
    let mut columns: Vec<_> = columns.collect();
    // Of equal columns only the first is read.
    for place in 0..columns.len() {
        if columns.iter().take(place).any(|earlier| earlier.is_some() && *earlier == columns[place]) {
            columns[place] = None;
        }
    }
    Some(columns)
}

/// A heading before the sides are known.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Heading {
    side: Option<Side>,
    fact: Fact,
}

const NAME_OF_WHITE: Heading = Heading { side: Some(Side::White), fact: Fact::Name };
const NAME_OF_BLACK: Heading = Heading { side: Some(Side::Black), fact: Fact::Name };

const fn alone(fact: Fact) -> Heading {
    Heading { side: None, fact }
}

fn heading(text: &str) -> Option<Heading> {
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
    let as_written = text.trim().trim_end_matches('.').to_lowercase();
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

/// The numbers of a column.
fn numbers<'a>(place: usize, below: &'a [&StringRecord]) -> impl Iterator<Item = u32> + 'a {
    below.iter().filter_map(move |row| player::digits(row.get(place)?.trim_end_matches('.')))
}

/// Whether the numbers of a column are ratings; 0 is none.
fn rated(place: usize, below: &[&StringRecord]) -> bool {
    let mut found = false;
    let all = numbers(place, below).filter(|number| *number > 0).all(|number| {
        found = true;
        (1000..=4000).contains(&number)
    });
    all && found
}

/// Whether a number of a column comes again.
fn repeats(place: usize, below: &[&StringRecord]) -> bool {
    let mut seen = Vec::new();
    numbers(place, below).any(|number| {
        let again = seen.contains(&number);
        seen.push(number);
        again
    })
}

fn titles(place: usize, text: &str, below: &[&StringRecord]) -> Option<Heading> {
    let mut cells = below.iter().filter_map(|row| row.get(place)).map(str::trim).filter(|cell| !cell.is_empty());
    // Pages show national titles («NM», «AFM») in the same column.
    let is_short = |cell: &str| (2..=4).contains(&cell.len()) && cell.bytes().all(|letter| letter.is_ascii_uppercase());
    let mut known = false;
    let found = text.trim().is_empty()
        && cells.all(|cell| {
            known |= is_short(cell) && player::title(cell).is_some();
            is_short(cell)
        })
        && known;
    found.then_some(Heading { side: None, fact: Fact::Title })
}

/// The round of a title such as «Round 3», «3. Runde am 14.02.», «Ronde 4 - 2026/02/14».
pub(super) fn round_of_title(text: &str) -> Option<u32> {
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
