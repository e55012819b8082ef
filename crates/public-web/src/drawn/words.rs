//! The few words of what the server draws, in the six languages of the pages.

/// The words in one language.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Words {
    /// Code of the language.
    pub(crate) code: &'static str,
    /// Before a number.
    pub(crate) board: &'static str,
    /// Where a position is being sorted out.
    pub(crate) waiting: &'static str,
    /// Of a game whose pieces are not set up.
    pub(crate) not_started: &'static str,
    /// In place of games.
    pub(crate) no_games: &'static str,
    /// Where no script runs.
    pub(crate) reloads: &'static str,
    /// The way from a game to all boards.
    pub(crate) all_boards: &'static str,
}

const LANGUAGES: [Words; 6] = [
    Words {
        code: "en",
        board: "Board",
        waiting: "waiting for the next move",
        not_started: "not started",
        no_games: "No games yet. They appear here when they begin.",
        reloads: "Without JavaScript this page reloads itself twice a minute.",
        all_boards: "All boards",
    },
    Words {
        code: "de",
        board: "Brett",
        waiting: "wartet auf den nächsten Zug",
        not_started: "noch nicht begonnen",
        no_games: "Noch keine Partien. Sie erscheinen hier, sobald sie beginnen.",
        reloads: "Ohne JavaScript lädt sich diese Seite zweimal in der Minute neu.",
        all_boards: "Alle Bretter",
    },
    Words {
        code: "es",
        board: "Tablero",
        waiting: "a la espera de la próxima jugada",
        not_started: "sin empezar",
        no_games: "Aún no hay partidas. Aparecerán aquí cuando empiecen.",
        reloads: "Sin JavaScript esta página se recarga dos veces por minuto.",
        all_boards: "Todos los tableros",
    },
    Words {
        code: "fr",
        board: "Échiquier",
        waiting: "en attente du prochain coup",
        not_started: "pas encore commencée",
        no_games: "Pas encore de parties. Elles apparaîtront ici dès leur début.",
        reloads: "Sans JavaScript, cette page se recharge deux fois par minute.",
        all_boards: "Tous les échiquiers",
    },
    Words {
        code: "it",
        board: "Scacchiera",
        waiting: "in attesa della prossima mossa",
        not_started: "non ancora iniziata",
        no_games: "Ancora nessuna partita. Appariranno qui quando iniziano.",
        reloads: "Senza JavaScript questa pagina si ricarica due volte al minuto.",
        all_boards: "Tutte le scacchiere",
    },
    Words {
        code: "pl",
        board: "Szachownica",
        waiting: "oczekiwanie na następne posunięcie",
        not_started: "jeszcze nie rozpoczęta",
        no_games: "Nie ma jeszcze partii. Pojawią się tutaj, gdy się zaczną.",
        reloads: "Bez JavaScriptu ta strona odświeża się dwa razy na minutę.",
        all_boards: "Wszystkie szachownice",
    },
];

/// The words for a wish as in `Accept-Language`: the first language that there is, else English. Weights are not read, since
/// browsers name the best language first.
pub(crate) fn words(wish: &str) -> &'static Words {
    let [english, ..] = &LANGUAGES;
    let codes = wish.split(',').filter_map(|tag| tag.split([';', '-', '_']).next());
    let known = |code: &str| LANGUAGES.iter().find(|words| words.code.eq_ignore_ascii_case(code.trim()));
    codes.take(20).find_map(known).unwrap_or(english)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_language_is_taken() {
        for (wish, code) in
            [("de-AT,de;q=0.9,en;q=0.8", "de"), ("sv, PL;q=0.1", "pl"), ("", "en"), ("\u{1f600};;,,", "en")]
        {
            assert_eq!(words(wish).code, code, "{wish}");
        }
    }
}
