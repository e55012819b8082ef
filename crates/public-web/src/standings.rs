//! The standings of a section, from the results that are public.
//!
//! Ranks, points and tie-breaks as the pairing program gave them, as long as no later round has a public result; otherwise
//! points alone, from the games that were played or forfeited, without byes. Players without a public name are left out, and two
//! players of one name and no FIDE id count as one.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::problem::Problem;
use super::sections::{PublicPlayer, fresh, games, nothing, read};
use super::sent::At;
use super::web::Web;
use publish::gate::{LoadedStandings, Place, View};

/// The players by points.
#[derive(Serialize, ToSchema)]
struct Standings {
    /// The section's part of addresses.
    event: String,
    /// Names of the tie-breaks of the pairing program, the most important first; empty without its standings, and while a later
    /// round has results.
    tie_breaks: Vec<String>,
    /// The round after which the pairing program made these standings; none when they are the points of the games alone.
    after_round: Option<u32>,
    /// By rank; without standings of the pairing program the highest points first, of equal points by rating and name.
    players: Vec<Standing>,
}

/// One player.
#[derive(Serialize, ToSchema)]
struct Standing {
    /// From 1: the pairing program's, or the same for all with equal points.
    rank: u32,
    /// Who it is.
    player: PublicPlayer,
    /// Points twice, so that a draw counts 1; those of the pairing program include byes.
    half_points: u32,
    /// Values of the tie-breaks, as the pairing program wrote them; empty for a player whom its standings do not have.
    tie_breaks: Vec<String>,
    /// Games with a result.
    games: u32,
    /// By round: the result of the player's game.
    rounds: Vec<RoundResult>,
    /// The place that the pairing program gave.
    #[serde(skip)]
    place: Option<Arc<Place>>,
}

/// What a player had in a round.
#[derive(Clone, Serialize, ToSchema)]
struct RoundResult {
    /// The round.
    round: u32,
    /// The game's id.
    game: String,
    /// `white` or `black`.
    side: &'static str,
    /// `1`, `½`, `0`, or empty while the game has no result.
    points: &'static str,
    /// Name of the opponent.
    opponent: String,
}

/// The address with its description.
pub(super) fn routes() -> OpenApiRouter<Arc<Web>> {
    OpenApiRouter::default().routes(routes!(show_standings))
}

/// See the standings of a section
///
/// The pairing program's ranks, points and tie-breaks where its standings were loaded and are public; otherwise, and while a later
/// round has results, points of the games that are public, without byes.
#[utoipa::path(
    get, path = "/api/v1/sections/{event}/standings", tag = "sections",
    params(("event" = String, Path, description = "The section's part of addresses")),
    responses((status = 200, description = "The players by points", body = Standings)),
)]
async fn show_standings(State(web): State<Arc<Web>>, At(event): At<String>) -> Result<Response, Problem> {
    let section = web.public.section(&event);
    let section = section.ok_or_else(|| nothing("There is no such section: /api/v1/sections lists them."))?;
    let standings = read(move || {
        let mut table = Table::default();
        let loaded = section.standings();
        for round in section.rounds().iter().filter(|round| round.is_known()) {
            for game in games(&section, round) {
                let sides = ["White", "Black"].map(|side| PublicPlayer::of(game.game.tags(), side));
                let places =
                    loaded.as_ref().and_then(|loaded| loaded.games.get(&game.at.game)).cloned().unwrap_or_default();
                table.add(round.number, &game.at.game, (sides, places), game.game.shown_result());
            }
        }
        let loaded = loaded.filter(|loaded| table.last_result <= loaded.after_round);
        table.standings(section.slug(), loaded.as_ref())
    });
    Ok(fresh(standings.await?))
}

impl Standing {
    /// Nothing was played yet.
    fn of(player: PublicPlayer) -> Self {
        let (tie_breaks, rounds) = (Vec::new(), Vec::new());
        Self { rank: 0, player, half_points: 0, tie_breaks, games: 0, rounds, place: None }
    }
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
        game: &str,
        (sides, places): ([PublicPlayer; 2], [Option<Arc<Place>>; 2]),
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
            of_player.rounds.push(RoundResult { round, game: game.to_owned(), side, points, opponent });
        }
    }

    /// The standings of the pairing program, or those by points.
    fn standings(mut self, event: &str, loaded: Option<&LoadedStandings>) -> Standings {
        let event = event.to_owned();
        let Some(loaded) = loaded else {
            return Standings { event, tie_breaks: Vec::new(), after_round: None, players: self.ranked() };
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
        Standings { event, tie_breaks: loaded.tie_breaks.clone(), after_round: Some(loaded.after_round), players }
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

    fn player(name: &str, rating: u32) -> PublicPlayer {
        PublicPlayer {
            name: name.into(),
            title: None,
            rating: Some(rating),
            federation: None,
            fide_id: None,
            team: None,
        }
    }

    #[test]
    fn points_are_added_over_the_rounds_and_equal_points_share_a_rank() {
        let mut table = Table::default();
        table.add(1, "a-1-1", ([player("Adler", 2400), player("Bos", 2300)], [None, None]), "1-0");
        table.add(1, "a-1-2", ([player("Clark", 2200), player("?", 0)], [None, None]), "1/2-1/2");
        table.add(2, "a-2-1", ([player("Bos", 2300), player("Clark", 2200)], [None, None]), "1/2-1/2");
        table.add(2, "a-2-2", ([player("Adler", 2400), player("Davis", 2100)], [None, None]), "*");
        table.add(3, "a-3-1", ([player("Davis", 2100), player("Bos", 2300)], [None, None]), "0-0");
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
        table.add(1, "a-1-1", ([player("Adler", 2400), player("Bos", 2300)], [adler.clone(), bos.clone()]), "1/2-1/2");
        table.add(2, "a-2-1", ([player("Bos", 2300), player("Clark", 2200)], [bos, clark]), "1/2-1/2");
        table.add(2, "a-2-2", ([player("Davis", 2100), player("Adler", 2400)], [None, adler]), "*");
        table
    }

    fn loaded() -> LoadedStandings {
        LoadedStandings { after_round: 2, tie_breaks: vec!["BH".into()], ..LoadedStandings::default() }
    }

    #[test]
    fn standings_of_the_pairing_program_have_its_ranks_points_with_byes_and_tie_breaks() {
        let standings = with_standings().standings("open", Some(&loaded()));
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
        let standings = with_standings().standings("open", None);
        assert_eq!((standings.tie_breaks, standings.after_round), (Vec::new(), None));
        assert_eq!(standings.players[0].player.name, "Bos");
        assert!(standings.players.iter().all(|one| one.tie_breaks.is_empty()));
    }
}
