//! The standings of a section, from the results that a view shows.
//!
//! Ranks, points and tie-breaks as the pairing program gave them, as long as no later round has a result that is shown;
//! otherwise points alone, from the games that were played or forfeited, without byes. Players without a name that is shown are
//! left out, and two players of one name and no FIDE id count as one.

use std::collections::BTreeMap;
use std::sync::Arc;

use csv::WriterBuilder;

use crate::gate::{LoadedStandings, Place, RoundView, SectionView};

/// A player, as a view shows him.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The name; `?` where it is not known or not shown.
    pub name: String,
    /// Title.
    pub title: Option<String>,
    /// Rating.
    pub rating: Option<u32>,
    /// FIDE's code of the federation.
    pub federation: Option<String>,
    /// FIDE id.
    pub fide_id: Option<u32>,
    /// The team.
    pub team: Option<String>,
}

impl Player {
    /// The player of one side, `White` or `Black`, by the tags of a game.
    pub fn of(tags: &BTreeMap<String, String>, side: &str) -> Self {
        let tag = |what: &str| tags.get(&format!("{side}{what}")).filter(|value| !value.is_empty()).cloned();
        let number = |what| tag(what).and_then(|value| value.parse().ok());
        Self {
            name: tag("").unwrap_or_else(|| "?".into()),
            title: tag("Title"),
            rating: number("Elo"),
            federation: tag("Fed"),
            fide_id: number("FideId"),
            team: tag("Team"),
        }
    }
}

/// The games of a round, as far as standings follow from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundResults {
    round: u32,
    /// Id, players and result of each game.
    games: Vec<(Arc<str>, [Player; 2], &'static str)>,
}

impl RoundResults {
    /// Those of a round; archived games are read from the journal.
    pub fn of<V>(section: &SectionView<V>, round: &RoundView) -> Self {
        let games = section.games(round).into_iter().map(|view| {
            let sides = ["White", "Black"].map(|side| Player::of(view.game.tags(), side));
            (Arc::clone(&view.at.game), sides, view.game.shown_result())
        });
        Self { round: round.number, games: games.collect() }
    }
}

/// The players of a section by rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    /// Names of the tie-breaks of the pairing program, the most important first; empty without its standings.
    pub tie_breaks: Vec<String>,
    /// The round after which the pairing program made these standings; none when they are the points of the games alone.
    pub after_round: Option<u32>,
    /// By rank; without standings of the pairing program the highest points first, of equal points by rating and name.
    pub players: Vec<Standing>,
}

/// One player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// From 1: the pairing program's, or the same for all with equal points.
    pub rank: u32,
    /// Who it is.
    pub player: Player,
    /// Points twice, so that a draw counts 1; those of the pairing program include byes.
    pub half_points: u32,
    /// Values of the tie-breaks, as the pairing program wrote them; empty for a player whom its standings do not have.
    pub tie_breaks: Vec<String>,
    /// Games with a result.
    pub games: u32,
    /// By round: the player's game.
    pub rounds: Vec<RoundResult>,
    /// The place that the pairing program gave.
    place: Option<Arc<Place>>,
}

/// What a player had in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundResult {
    /// The round.
    pub round: u32,
    /// The game's id.
    pub game: Arc<str>,
    /// `white` or `black`.
    pub side: &'static str,
    /// `1`, `½`, `0`, or empty while the game has no result.
    pub points: &'static str,
    /// Name of the opponent.
    pub opponent: String,
}

impl Standing {
    /// Nothing was played yet.
    fn of(player: Player) -> Self {
        let (tie_breaks, rounds) = (Vec::new(), Vec::new());
        Self { rank: 0, player, half_points: 0, tie_breaks, games: 0, rounds, place: None }
    }

    /// `3.5`, `0.5`, `4`.
    pub fn points(&self) -> String {
        format!("{}{}", self.half_points / 2, if self.half_points % 2 == 1 { ".5" } else { "" })
    }
}

impl Standings {
    /// The standings after these rounds, with those of the pairing program if they are loaded.
    pub fn new<'a>(rounds: impl IntoIterator<Item = &'a RoundResults>, loaded: Option<&LoadedStandings>) -> Self {
        let mut table = Table::default();
        for results in rounds {
            for (game, sides, result) in &results.games {
                let places = loaded.and_then(|loaded| loaded.games.get(game)).cloned().unwrap_or_default();
                table.add(results.round, game, (sides.clone(), places), result);
            }
        }
        let loaded = loaded.filter(|loaded| table.last_result <= loaded.after_round);
        table.standings(loaded)
    }

    /// Whether they say anything: a game has a result, or the pairing program gave ranks.
    pub fn is_empty(&self) -> bool {
        self.after_round.is_none() && self.players.iter().all(|player| player.games == 0)
    }

    /// A table for spreadsheets: RFC 4180 in UTF-8, marked as such, with the columns `Rank`, `Title`, `Name`, `Rating`,
    /// `Federation`, `FIDE ID`, `Team`, `Points`, each tie-break, `Games`. No cell is a formula.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut writer =
            WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer("\u{feff}".to_owned().into_bytes());
        // Writing into memory does not fail.
        let mut put = |cells: Vec<String>| _ = writer.write_record(cells);
        let before = ["Rank", "Title", "Name", "Rating", "Federation", "FIDE ID", "Team", "Points"];
        let names = self.tie_breaks.iter().map(|name| harmless(name));
        put(before.map(str::to_owned).into_iter().chain(names).chain(["Games".to_owned()]).collect());
        for standing in &self.players {
            let player = &standing.player;
            let text = |value: &Option<String>| value.as_deref().map(harmless).unwrap_or_default();
            let number = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
            let mut cells = vec![
                standing.rank.to_string(),
                text(&player.title),
                harmless(&player.name),
                number(player.rating),
                text(&player.federation),
                number(player.fide_id),
                text(&player.team),
                standing.points(),
            ];
            let value = |index: usize| standing.tie_breaks.get(index).map(|value| harmless(value)).unwrap_or_default();
            cells.extend((0..self.tie_breaks.len()).map(value));
            cells.push(standing.games.to_string());
            put(cells);
        }
        writer.into_inner().unwrap_or_default()
    }
}

/// The text of a cell that no spreadsheet takes for a formula.
fn harmless(text: &str) -> String {
    let begins_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if begins_formula && text.parse::<f64>().is_err() { format!("'{text}") } else { text.to_owned() }
}

/// The points of each player, by FIDE id or name.
#[derive(Default)]
struct Table {
    players: BTreeMap<String, Standing>,
    /// The last round with a result.
    last_result: u32,
}

impl Table {
    fn add(
        &mut self,
        round: u32,
        game: &Arc<str>,
        (sides, places): ([Player; 2], [Option<Arc<Place>>; 2]),
        result: &str,
    ) {
        let points = match result {
            "1-0" => Some([2, 0]),
            "0-1" => Some([0, 2]),
            "1/2-1/2" => Some([1, 1]),
            _ => None,
        };
        if points.is_some() {
            self.last_result = self.last_result.max(round);
        }
        let names = sides.each_ref().map(|player| player.name.clone());
        for (index, ((player, place), side)) in sides.into_iter().zip(places).zip(["white", "black"]).enumerate() {
            if player.name == "?" {
                continue;
            }
            let key = player.fide_id.map_or_else(|| player.name.clone(), |id| format!("#{id}"));
            let of_player = self.players.entry(key).or_insert_with(|| Standing::of(player));
            of_player.place = of_player.place.take().or(place);
            let half_points = points.map(|points| points[index]);
            of_player.half_points += half_points.unwrap_or_default();
            of_player.games += u32::from(half_points.is_some());
            let points = match half_points {
                Some(0) => "0",
                Some(1) => "½",
                Some(_) => "1",
                None => "",
            };
            let opponent = names[1 - index].clone();
            of_player.rounds.push(RoundResult { round, game: Arc::clone(game), side, points, opponent });
        }
    }

    /// The standings of the pairing program, or those by points.
    fn standings(mut self, loaded: Option<&LoadedStandings>) -> Standings {
        let Some(loaded) = loaded else {
            return Standings { tie_breaks: Vec::new(), after_round: None, players: self.ranked() };
        };
        for player in self.players.values_mut() {
            let Some(place) = player.place.as_deref() else { continue };
            player.rank = place.rank;
            player.half_points = place.half_points.unwrap_or(player.half_points);
            player.tie_breaks.clone_from(&place.tie_breaks);
        }
        // Players whom the standings do not have come last.
        let (mut players, others): (Vec<_>, Vec<_>) = self.players.into_values().partition(|player| player.rank > 0);
        players.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| a.player.name.cmp(&b.player.name)));
        let next = players.last().map_or(0, |last| last.rank) + 1;
        players.extend(others.into_iter().map(|player| Standing { rank: next, ..player }));
        Standings { tie_breaks: loaded.tie_breaks.clone(), after_round: Some(loaded.after_round), players }
    }

    fn ranked(self) -> Vec<Standing> {
        let mut all: Vec<_> = self.players.into_values().collect();
        all.sort_by(|a, b| {
            let order = b.half_points.cmp(&a.half_points).then(b.player.rating.cmp(&a.player.rating));
            order.then_with(|| a.player.name.cmp(&b.player.name))
        });
        let mut rank = 0;
        let mut last = None;
        for (place, standing) in (1..).zip(&mut all) {
            if last != Some(standing.half_points) {
                rank = place;
            }
            last = Some(standing.half_points);
            standing.rank = rank;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, rating: u32) -> Player {
        Player { name: name.into(), title: None, rating: Some(rating), federation: None, fide_id: None, team: None }
    }

    #[test]
    fn points_are_added_over_the_rounds_and_equal_points_share_a_rank() {
        let mut table = Table::default();
        table.add(1, &"a-1-1".into(), ([player("Adler", 2400), player("Bos", 2300)], [None, None]), "1-0");
        table.add(1, &"a-1-2".into(), ([player("Clark", 2200), player("?", 0)], [None, None]), "1/2-1/2");
        table.add(2, &"a-2-1".into(), ([player("Bos", 2300), player("Clark", 2200)], [None, None]), "1/2-1/2");
        table.add(2, &"a-2-2".into(), ([player("Adler", 2400), player("Davis", 2100)], [None, None]), "*");
        table.add(3, &"a-3-1".into(), ([player("Davis", 2100), player("Bos", 2300)], [None, None]), "0-0");
        let ranked = table.ranked();
        let told: Vec<_> = ranked.iter().map(|one| (one.rank, &*one.player.name, one.half_points, one.games)).collect();
        assert_eq!(told, [(1, "Adler", 2, 1), (1, "Clark", 2, 2), (3, "Bos", 1, 2), (4, "Davis", 0, 0)]);
        assert_eq!(ranked[0].rounds[1].points, "", "a game without a result");
        assert_eq!((ranked[2].rounds[0].side, &*ranked[2].rounds[0].opponent), ("black", "Adler"));
    }

    fn with_standings() -> Table {
        let place = |rank, half_points, value: &str| {
            Some(Arc::new(Place { rank, half_points: Some(half_points), tie_breaks: vec![value.into()] }))
        };
        let [adler, bos, clark] = [place(3, 1, "2"), place(1, 2, "3.5"), place(2, 2, "3")];
        let mut table = Table::default();
        table.add(
            1,
            &"a-1-1".into(),
            ([player("Adler", 2400), player("Bos", 2300)], [adler.clone(), bos.clone()]),
            "1/2-1/2",
        );
        table.add(2, &"a-2-1".into(), ([player("Bos", 2300), player("Clark", 2200)], [bos, clark]), "1/2-1/2");
        table.add(2, &"a-2-2".into(), ([player("Davis", 2100), player("Adler", 2400)], [None, adler]), "*");
        table
    }

    fn loaded() -> LoadedStandings {
        LoadedStandings { after_round: 2, tie_breaks: vec!["BH".into()], ..LoadedStandings::default() }
    }

    #[test]
    fn standings_of_the_pairing_program_have_its_ranks_points_with_byes_and_tie_breaks() {
        let standings = with_standings().standings(Some(&loaded()));
        assert_eq!((standings.tie_breaks, standings.after_round), (vec!["BH".to_owned()], Some(2)));
        let told: Vec<_> = standings
            .players
            .iter()
            .map(|one| (one.rank, &*one.player.name, one.half_points, one.tie_breaks.concat()))
            .collect();
        let expected = [(1, "Bos", 2, "3.5"), (2, "Clark", 2, "3"), (3, "Adler", 1, "2"), (4, "Davis", 0, "")];
        assert_eq!(told, expected.map(|(rank, name, points, value)| (rank, name, points, value.to_owned())));
    }

    #[test]
    fn without_them_equal_points_share_a_rank_and_there_are_no_tie_breaks() {
        let standings = with_standings().standings(None);
        assert_eq!((standings.tie_breaks, standings.after_round), (Vec::new(), None));
        assert_eq!(standings.players[0].player.name, "Bos");
        assert!(standings.players.iter().all(|one| one.tie_breaks.is_empty()));
    }

    #[test]
    fn a_spreadsheet_gets_names_as_they_are_and_no_formula() {
        let mut table = Table::default();
        let hostile = player("=HYPERLINK(\"http://x\")", 2500);
        table.add(1, &"a".into(), ([player("Müller, \"Jo\"", 2400), hostile], [None, None]), "1/2-1/2");
        let mut standings = table.standings(None);
        standings.tie_breaks = vec!["+BH".into()];
        standings.players[1].tie_breaks = vec!["-1.5".into()];
        let text = String::from_utf8(standings.to_csv()).unwrap();
        let expected = "\u{feff}Rank,Title,Name,Rating,Federation,FIDE ID,Team,Points,'+BH,Games\r\n\
            1,,\"'=HYPERLINK(\"\"http://x\"\")\",2500,,,,0.5,,1\r\n\
            1,,\"Müller, \"\"Jo\"\"\",2400,,,,0.5,-1.5,1\r\n";
        assert_eq!(text, expected);
    }
}
