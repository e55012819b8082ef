//! The description of the public addresses that do not describe themselves, in one table.

use utoipa::openapi::path::{OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{ContentBuilder, HeaderBuilder, HttpMethod, Required, Response, ResponseBuilder};

use super::refusal::problem;

/// Files of games: operation, path, summary.
const PGN: [(&str, &str, &str); 9] = [
    ("live_pgn", "/live.pgn", "The games of the event being played"),
    ("event_live_pgn", "/pgn/{event}/live.pgn", "The games of a section being played, over all its rounds"),
    ("event_live_tables_pgn", "/pgn/{event}/live/boards-{first}-{last}.pgn", "Some tables of the games being played"),
    ("event_all_pgn", "/pgn/{event}/all.pgn", "Every game of a section"),
    ("round_pgn", "/pgn/{event}/round-{round}/games.pgn", "The games of a round"),
    ("table_pgn", "/pgn/{event}/round-{round}/game-{table}.pgn", "The game of one table"),
    ("tables_pgn", "/pgn/{event}/round-{round}/boards-{first}-{last}.pgn", "The games of some tables"),
    ("game_pgn", "/pgn/game/{game}.pgn", "A game, for ever at this address"),
    ("live_pgn_ascii", "/ascii/live.pgn", "The live games with names in plain ASCII, as below every PGN address"),
];

/// The public addresses, except those that describe themselves.
pub(super) fn paths() -> Paths {
    let mut paths = Paths::new();
    for (id, path, summary) in PGN {
        paths.add_path_operation(path, vec![HttpMethod::Get], polled(id, path, summary, "application/x-chess-pgn"));
    }
    let positions = polled("game_epd", "/epd/game/{game}.epd", "The positions of a game", "text/plain");
    paths.add_path_operation("/epd/game/{game}.epd", vec![HttpMethod::Get], positions);
    let round = OperationBuilder::new()
        .tag("live")
        .operation_id(Some("live_round"))
        .summary(Some("The round being played, or the one asked for, as one snapshot"))
        .parameters(Some(choice()))
        .response("200", body("The snapshot that the live feed begins with", "application/json", Type::Object))
        .response("400", problem("The choice cannot be read"))
        .response("404", problem("There is no such event or round"));
    paths.add_path_operation("/api/v1/round", vec![HttpMethod::Get], round);
    let live = OperationBuilder::new()
        .tag("live")
        .operation_id(Some("live"))
        .summary(Some("The live feed, a WebSocket or server-sent events"))
        .description(Some("Snapshot first, then events: docs/live.md and docs/asyncapi.yaml describe them."))
        .parameters(Some(choice().into_iter().chain([
            parameter("stream", ParameterIn::Query, "The stream seen last", Type::String),
            parameter("since", ParameterIn::Query, "The number of the event seen last", Type::Integer),
        ])))
        .response("101", ResponseBuilder::new().description("The WebSocket is open"))
        .response("200", body("Server-sent events, if they are accepted", "text/event-stream", Type::String))
        .response("400", problem("The choice or the handshake cannot be read"))
        .response("404", problem("There is no such event or round"))
        .response("426", problem("The request asks for neither of them"))
        .response("503", problem("All places are taken"));
    paths.add_path_operation("/api/v1/live", vec![HttpMethod::Get], live);
    let health = OperationBuilder::new()
        .tag("daemon")
        .operation_id(Some("health"))
        .summary(Some("Whether the daemon works"))
        .response("200", body("It does", "text/plain", Type::String))
        .response("503", body("It does not; the reasons are at `/api/v1/admin/health`", "text/plain", Type::String));
    paths.add_path_operation("/health", vec![HttpMethod::Get], health);
    paths
}

/// A file that sites poll.
fn polled(id: &str, path: &str, summary: &str, content_type: &str) -> OperationBuilder {
    let names = path.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
    let parameters: Vec<_> = names
        .map(|name| {
            let (about, kind) = match name {
                "event" => ("The section's part of addresses", Type::String),
                "game" => ("The game's id", Type::String),
                "round" => ("Number of the round, from 1", Type::Integer),
                _ => ("Number of the table, from 1", Type::Integer),
            };
            parameter(name, ParameterIn::Path, about, kind)
        })
        .collect();
    let nothing = parameters.is_empty();
    let file = body("The file", content_type, Type::String);
    let operation = OperationBuilder::new()
        .tag("pgn")
        .operation_id(Some(id))
        .summary(Some(summary))
        .parameters(Some(parameters))
        .response("200", tagged(file))
        .response("304", tagged(ResponseBuilder::new().description("They did not change").build()));
    let unknown = body("There is no such event, round or game", "text/plain", Type::String);
    if nothing { operation } else { operation.response("404", unknown) }
}

/// Adds the `ETag` header.
fn tagged(mut response: Response) -> Response {
    let header = HeaderBuilder::new().description(Some("For `If-None-Match`")).build();
    response.headers.insert("ETag".to_owned(), header.into());
    response
}

fn choice() -> [Parameter; 3] {
    [
        parameter(
            "games",
            ParameterIn::Query,
            "Ids of games of one round, up to 100, with commas between them",
            Type::String,
        ),
        parameter("event", ParameterIn::Query, "The section's part of addresses", Type::String),
        parameter("round", ParameterIn::Query, "Number of the round, from 1", Type::Integer),
    ]
}

fn parameter(name: &str, place: ParameterIn, about: &str, kind: Type) -> Parameter {
    let required = if place == ParameterIn::Path { Required::True } else { Required::False };
    let schema = match kind {
        Type::Integer => ObjectBuilder::new()
            .schema_type(kind)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(1))
            .maximum(Some(u32::MAX)),
        kind => ObjectBuilder::new().schema_type(kind).min_length(Some(1)),
    };
    ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .required(required)
        .description(Some(about))
        .schema(Some(schema.build()))
        .build()
}

fn body(about: &str, content_type: &str, kind: Type) -> Response {
    let content = ContentBuilder::new().schema(Some(ObjectBuilder::new().schema_type(kind).build())).build();
    ResponseBuilder::new().description(about).content(content_type, content).build()
}
