//! The few words of what the server draws, in the six languages of the pages.

/// The words in one language.
#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    /// Code of the language.
    pub code: &'static str,
    /// Before a number.
    pub board: &'static str,
    /// Where a position is being sorted out.
    pub waiting: &'static str,
    /// Of a game that goes on later.
    pub adjourned: &'static str,
    /// Of a game whose pieces are not set up.
    pub not_started: &'static str,
    /// In place of games.
    pub no_games: &'static str,
    /// Where no script runs.
    pub reloads: &'static str,
    /// The way from a game to all boards.
    pub all_boards: &'static str,
    /// Where an address has no page.
    pub no_page: &'static str,
    /// The list of results of a round.
    pub results: &'static str,
    /// The PGN of the games of a round that are over.
    pub finished_games: &'static str,
    /// The list of rounds, for screen readers.
    pub rounds: &'static str,
    /// The players.
    pub sides: [&'static str; 2],
    /// To the start, back, forward, to the end.
    pub steps: [&'static str; 4],
    /// How much later moves are shown; `{}` is a number of minutes.
    pub later: &'static str,
    /// That a game is shown when it is over.
    pub when_over: &'static str,
    /// The link to the video of the event.
    pub video: &'static str,
    /// The table of players by points.
    pub standings: &'static str,
    /// Heads of its columns: player, points, games.
    pub columns: [&'static str; 3],
    /// What points without a pairing program are.
    pub points_of_games: &'static str,
    /// Where the ranks come from; `{}` is the number of a round.
    pub ranks_of_program: &'static str,
}

const LANGUAGES: [Words; 6] = [
    Words {
        code: "en",
        board: "Board",
        waiting: "waiting for the next move",
        adjourned: "adjourned",
        not_started: "not started",
        no_games: "No games yet. They appear here when they begin.",
        reloads: "Without JavaScript this page reloads itself twice a minute.",
        all_boards: "All boards",
        no_page: "There is no such page.",
        results: "Results",
        finished_games: "Finished games",
        rounds: "Rounds",
        sides: ["White", "Black"],
        steps: ["Start", "Back", "Forward", "End"],
        later: "Moves are shown {} minutes later.",
        when_over: "Games are shown when they are over.",
        video: "Video",
        standings: "Standings",
        columns: ["Player", "Points", "Games"],
        points_of_games: "Points of the games shown here. Byes are not included, and the order of players with equal points is by rating, not by tie-break.",
        ranks_of_program: "Ranks, points and tie-breaks of the pairing program after round {}; byes are included.",
    },
    Words {
        code: "de",
        board: "Brett",
        waiting: "wartet auf den nächsten Zug",
        adjourned: "Hängepartie",
        not_started: "noch nicht begonnen",
        no_games: "Noch keine Partien. Sie erscheinen hier, sobald sie beginnen.",
        reloads: "Ohne JavaScript lädt sich diese Seite zweimal in der Minute neu.",
        all_boards: "Alle Bretter",
        no_page: "Diese Seite gibt es nicht.",
        results: "Ergebnisse",
        finished_games: "Beendete Partien",
        rounds: "Runden",
        sides: ["Weiß", "Schwarz"],
        steps: ["Anfang", "Zurück", "Vor", "Ende"],
        later: "Züge werden {} Minuten später gezeigt.",
        when_over: "Partien werden gezeigt, wenn sie beendet sind.",
        video: "Video",
        standings: "Tabelle",
        columns: ["Spieler", "Punkte", "Partien"],
        points_of_games: "Punkte der hier gezeigten Partien. Freilose sind nicht enthalten, und Spieler mit gleichen Punkten stehen nach Wertungszahl, nicht nach Feinwertung.",
        ranks_of_program: "Rang, Punkte und Feinwertung des Auslosungsprogramms nach Runde {}; Freilose sind enthalten.",
    },
    Words {
        code: "es",
        board: "Tablero",
        waiting: "a la espera de la próxima jugada",
        adjourned: "aplazada",
        not_started: "sin empezar",
        no_games: "Aún no hay partidas. Aparecerán aquí cuando empiecen.",
        reloads: "Sin JavaScript esta página se recarga dos veces por minuto.",
        all_boards: "Todos los tableros",
        no_page: "Esta página no existe.",
        results: "Resultados",
        finished_games: "Partidas terminadas",
        rounds: "Rondas",
        sides: ["Blancas", "Negras"],
        steps: ["Inicio", "Atrás", "Adelante", "Final"],
        later: "Las jugadas se muestran {} minutos más tarde.",
        when_over: "Las partidas se muestran cuando han terminado.",
        video: "Vídeo",
        standings: "Clasificación",
        columns: ["Jugador", "Puntos", "Partidas"],
        points_of_games: "Puntos de las partidas mostradas aquí. Los descansos no están incluidos, y los jugadores con los mismos puntos van por Elo, no por desempate.",
        ranks_of_program: "Puestos, puntos y desempates del programa de emparejamientos tras la ronda {}; los descansos están incluidos.",
    },
    Words {
        code: "fr",
        board: "Échiquier",
        waiting: "en attente du prochain coup",
        adjourned: "ajournée",
        not_started: "pas encore commencée",
        no_games: "Pas encore de parties. Elles apparaîtront ici dès leur début.",
        reloads: "Sans JavaScript, cette page se recharge deux fois par minute.",
        all_boards: "Tous les échiquiers",
        no_page: "Cette page n’existe pas.",
        results: "Résultats",
        finished_games: "Parties terminées",
        rounds: "Rondes",
        sides: ["Blancs", "Noirs"],
        steps: ["Début", "Précédent", "Suivant", "Fin"],
        later: "Les coups sont montrés {} minutes plus tard.",
        when_over: "Les parties sont montrées une fois terminées.",
        video: "Vidéo",
        standings: "Classement",
        columns: ["Joueur", "Points", "Parties"],
        points_of_games: "Points des parties affichées ici. Les exemptions ne sont pas comprises, et les joueurs à égalité sont classés par Elo, non par départage.",
        ranks_of_program: "Rangs, points et départages du logiciel d'appariement après la ronde {} ; les exemptions sont comprises.",
    },
    Words {
        code: "it",
        board: "Scacchiera",
        waiting: "in attesa della prossima mossa",
        adjourned: "aggiornata",
        not_started: "non ancora iniziata",
        no_games: "Ancora nessuna partita. Appariranno qui quando iniziano.",
        reloads: "Senza JavaScript questa pagina si ricarica due volte al minuto.",
        all_boards: "Tutte le scacchiere",
        no_page: "Questa pagina non esiste.",
        results: "Risultati",
        finished_games: "Partite terminate",
        rounds: "Turni",
        sides: ["Bianco", "Nero"],
        steps: ["Inizio", "Indietro", "Avanti", "Fine"],
        later: "Le mosse sono mostrate {} minuti dopo.",
        when_over: "Le partite sono mostrate quando sono terminate.",
        video: "Video",
        standings: "Classifica",
        columns: ["Giocatore", "Punti", "Partite"],
        points_of_games: "Punti delle partite mostrate qui. I riposi non sono inclusi, e i giocatori a pari punti sono in ordine di Elo, non di spareggio.",
        ranks_of_program: "Posizioni, punti e spareggi del programma di abbinamento dopo il turno {}; i riposi sono inclusi.",
    },
    Words {
        code: "pl",
        board: "Szachownica",
        waiting: "oczekiwanie na następne posunięcie",
        adjourned: "odłożona",
        not_started: "jeszcze nie rozpoczęta",
        no_games: "Nie ma jeszcze partii. Pojawią się tutaj, gdy się zaczną.",
        reloads: "Bez JavaScriptu ta strona odświeża się dwa razy na minutę.",
        all_boards: "Wszystkie szachownice",
        no_page: "Nie ma takiej strony.",
        results: "Wyniki",
        finished_games: "Zakończone partie",
        rounds: "Rundy",
        sides: ["Białe", "Czarne"],
        steps: ["Początek", "Wstecz", "Dalej", "Koniec"],
        later: "Posunięcia są pokazywane {} minut później.",
        when_over: "Partie są pokazywane po ich zakończeniu.",
        video: "Wideo",
        standings: "Tabela",
        columns: ["Gracz", "Punkty", "Partie"],
        points_of_games: "Punkty z pokazanych tu partii. Wolne losy nie są wliczone, a gracze z równą liczbą punktów są ułożeni według rankingu, nie według punktacji pomocniczej.",
        ranks_of_program: "Miejsca, punkty i punktacja pomocnicza programu kojarzącego po rundzie {}; wolne losy są wliczone.",
    },
];

/// Codes of all languages, English first.
pub fn codes() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|words| words.code)
}

/// The words for a wish as in `Accept-Language`: the first language that there is, else English. Weights are not read, since
/// browsers name the best language first.
pub fn words(wish: &str) -> &'static Words {
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
