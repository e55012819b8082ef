//! How refusals are described.

use utoipa::ToSchema as _;
use utoipa::openapi::{ContentBuilder, Ref, Response, ResponseBuilder};

use crate::problem::{PROBLEM_JSON, Problem};

/// An answer that is a [`Problem`].
pub(super) fn problem(description: &str) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(Problem::name()))).build();
    ResponseBuilder::new().description(description).content(PROBLEM_JSON, content).build()
}
