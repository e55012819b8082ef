//! The description of the API (OpenAPI 3.1): joined from the handlers' own descriptions, completed by rules that hold for
//! all of them, served at `/api/v1/openapi.json` and kept in `docs/openapi.json`.

mod public;
mod refusal;

use utoipa::openapi::path::{Operation, Parameter, ParameterIn, PathItem};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{Components, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, RefOr};
use utoipa::{PartialSchema, ToSchema};

use self::refusal::problem;
use super::problem::Problem;

/// What groups of addresses are about, in the order of reading.
pub const TAGS: [(&str, &str); 3] = [
    ("pgn", "Games as PGN files, public"),
    ("live", "Games as they are played, public"),
    ("sections", "Sections, rounds and pairings as the public may see them"),
];

/// The description of the public addresses, those that describe themselves included; the protected ones are merged to it.
pub fn document(mut described: OpenApi) -> OpenApi {
    let mut components = Components::new();
    components.schemas.insert(Problem::name().into_owned(), Problem::schema());
    let info = InfoBuilder::new()
        .title("boardcast")
        .description(Some("Live broadcast of over-the-board chess from electronic boards."))
        .version(env!("CARGO_PKG_VERSION"))
        .license(Some(LicenseBuilder::new().name("GPL-3.0-or-later").identifier(Some("GPL-3.0-or-later")).build()))
        .build();
    let mut document = OpenApiBuilder::new()
        .info(info)
        .paths(public::paths())
        .components(Some(components))
        .tags(Some(TAGS.map(|(name, about)| TagBuilder::new().name(name).description(Some(about)).build())))
        .build();
    complete(&mut described);
    document.merge(described);
    document
}

/// Says of all addresses how they refuse what cannot be read, and that every refusal is a [`Problem`].
pub fn complete(document: &mut OpenApi) {
    for (_, operation) in document.paths.paths.values_mut().flat_map(operations) {
        for (_, response) in operation.responses.responses.iter_mut().filter(|(status, _)| status.starts_with('4')) {
            if let RefOr::T(response) = response {
                *response = problem(&response.description);
            }
        }
        refuse(operation, 503, "Something inside fails, the log says what");
        let places: Vec<_> = operation.parameters.iter().flatten().filter_map(place).collect();
        if places.contains(&ParameterIn::Path) {
            refuse(operation, 404, "There is no such thing");
        }
        if places.contains(&ParameterIn::Query) {
            refuse(operation, 400, "The query or a header cannot be read");
        }
        if operation.request_body.is_some() {
            refuse(operation, 400, "The body cannot be read");
            refuse(operation, 413, "The body is too large");
            refuse(operation, 415, "The body is of another type");
            refuse(operation, 422, "The body can be read and makes no sense");
        }
    }
}

fn place(parameter: &RefOr<Parameter>) -> Option<ParameterIn> {
    match parameter {
        RefOr::T(parameter) => Some(parameter.parameter_in.clone()),
        RefOr::Ref(_) => None,
    }
}

/// A refusal, where the handler's description has none of this status.
pub fn refuse(operation: &mut Operation, status: u16, description: &str) {
    let responses = &mut operation.responses.responses;
    responses.entry(status.to_string()).or_insert_with(|| RefOr::T(problem(description)));
}

/// The operations of an address, and whether each only reads.
pub fn operations(item: &mut PathItem) -> impl Iterator<Item = (bool, &mut Operation)> {
    let reading = item.get.as_mut().map(|operation| (true, operation));
    let writing = [&mut item.put, &mut item.post, &mut item.patch, &mut item.delete];
    reading.into_iter().chain(writing.into_iter().flatten().map(|operation| (false, operation)))
}

/// The document as it is served and kept.
pub fn text(document: &OpenApi) -> String {
    // Strings, numbers and maps with strings for keys always have a JSON form.
    document.to_pretty_json().unwrap_or_default() + "\n"
}
