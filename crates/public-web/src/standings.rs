//! The standings of a section, from the results that are public.
//!
//! Points alone, from the games that were played or forfeited: byes are not public, and tie-breaks are the pairing program's
//! matter. Players without a public name are left out, and two players of one name and no FIDE id count as one.

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
use publish::gate::View;

/// The players by points.
#[derive(Serialize, ToSchema)]
struct Standings {
    /// The section's part of addresses.
    event: String,
    /// The highest points first; of equal points by rating and name.
    players: Vec<Standing>,
}

/// One player.
#[derive(Serialize, ToSchema)]
struct Standing {
    /// The same for all with equal points, from 1.
    rank: usize,
    /// Who it is.
    player: PublicPlayer,
    /// Points twice, so that a draw counts 1.
    half_points: u32,
    /// Games with a result.
    games: u32,
    /// By round: the result of the player's game.
    rounds: Vec<RoundResult>,
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
/// Points of the games that are public, as far as the public sees them: byes and tie-breaks are not included.
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
        for round in section.rounds().iter().filter(|round| round.is_known()) {
            for game in games(&section, round) {
                let sides = ["White", "Black"].map(|side| PublicPlayer::of(game.game.tags(), side));
                table.add(round.number, &game.at.game, sides, game.game.shown_result());
            }
        }
        Standings { event: section.slug().to_string(), players: table.ranked() }
    });
    Ok(fresh(standings.await?))
}

/// The points of each player, by FIDE id or name.
#[derive(Default)]
struct Table(BTreeMap<String, Standing>);

impl Table {
    fn add(&mut self, round: u32, game: &str, [white, black]: [PublicPlayer; 2], result: &str) {
        let points = match result {
            "1-0" => Some([2, 0]),
            "0-1" => Some([0, 2]),
            "1/2-1/2" => Some([1, 1]),
            _ => None,
        };
        let names = [white.name.clone(), black.name.clone()];
        for (place, (player, side)) in [(white, "white"), (black, "black")].into_iter().enumerate() {
            if player.name == "?" {
                continue;
            }
            let key = player.fide_id.map_or_else(|| player.name.clone(), |id| format!("#{id}"));
            let of_player =
                self.0.entry(key).or_insert(Standing { rank: 0, player, half_points: 0, games: 0, rounds: Vec::new() });
            let half_points = points.map(|points| points[place]);
            of_player.half_points += half_points.unwrap_or_default();
            of_player.games += u32::from(half_points.is_some());
            let points = match half_points {
                Some(0) => "0",
                Some(1) => "½",
                Some(_) => "1",
                None => "",
            };
            let opponent = names[1 - place].clone();
            of_player.rounds.push(RoundResult { round, game: game.to_owned(), side, points, opponent });
        }
    }

    fn ranked(self) -> Vec<Standing> {
        let mut all: Vec<_> = self.0.into_values().collect();
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
        table.add(1, "a-1-1", [player("Adler", 2400), player("Bos", 2300)], "1-0");
        table.add(1, "a-1-2", [player("Clark", 2200), player("?", 0)], "1/2-1/2");
        table.add(2, "a-2-1", [player("Bos", 2300), player("Clark", 2200)], "1/2-1/2");
        table.add(2, "a-2-2", [player("Adler", 2400), player("Davis", 2100)], "*");
        table.add(3, "a-3-1", [player("Davis", 2100), player("Bos", 2300)], "0-0");
        let ranked = table.ranked();
        let told: Vec<_> = ranked.iter().map(|one| (one.rank, &*one.player.name, one.half_points, one.games)).collect();
        assert_eq!(told, [(1, "Adler", 2, 1), (1, "Clark", 2, 2), (3, "Bos", 1, 2), (4, "Davis", 0, 0)]);
        assert_eq!(ranked[0].rounds[1].points, "", "a game without a result");
        assert_eq!((ranked[2].rounds[0].side, &*ranked[2].rounds[0].opponent), ("black", "Adler"));
    }
}
