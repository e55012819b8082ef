//! Completes the OpenAPI description of protected addresses: the needed right, and how to authenticate.

#[cfg(test)]
#[path = "openapi_tests.rs"]
mod tests;

use accounts::Right;
use public_web::openapi::{operations, refuse};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{OpenApi, RefOr};

/// Groups of protected addresses, in reading order.
const TAGS: [(&str, &str); 9] = [
    ("session", "Logging in and out"),
    ("tournament", "The tournament without delay, and orders that change it"),
    ("boards", "Boards and the check before a round"),
    ("alarms", "What arbiters and operators should check"),
    ("outputs", "What is sent to other programs and sites"),
    ("sources", "Games of other recorders that join the rounds"),
    ("users", "Accounts"),
    ("keys", "Keys for programs, persons and devices"),
    ("daemon", "Health and backup"),
];

/// Names of the security schemes.
const SESSION: &str = "session";
const TOKEN: &str = "session_token";
const KEY: &str = "key";

/// Adds the needed right and the ways to authenticate to addresses.
pub(super) fn ask(document: &mut OpenApi, right: Right) {
    let role = right.role().as_str();
    let needs = match right.scopes() {
        [] => format!("For persons with the role {role} or a higher one."),
        [scope, ..] => format!("For the role {role} or a higher one, or a key with the scope `{}`.", scope.as_str()),
    };
    for (reads, operation) in document.paths.paths.values_mut().flat_map(operations) {
        let text = operation.description.take().filter(|text| !text.is_empty());
        operation.description = Some(text.map_or_else(|| needs.clone(), |text| format!("{text}\n\n{needs}")));
        let nothing: [&str; 0] = [];
        let session = SecurityRequirement::new(SESSION, nothing);
        let session = if reads { session } else { session.add(TOKEN, nothing) };
        let key = (!right.scopes().is_empty()).then(|| SecurityRequirement::new(KEY, nothing));
        operation.security = Some([session].into_iter().chain(key).collect());
        refuse(operation, 401, "Not logged in, and no valid key");
    }
}

/// Adds the refusal without TLS to addresses.
pub(super) fn guard(document: &mut OpenApi) {
    for (_, operation) in document.paths.paths.values_mut().flat_map(operations) {
        refuse(operation, 403, "No permission, or neither on the machine itself nor over TLS");
    }
}

/// Adds the groups of protected addresses and the security schemes to the description of the API.
pub(super) fn introduce(document: &mut OpenApi) {
    let schemes = [
        (
            SESSION,
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
                "boardcast-session",
                "The cookie from logging in; over TLS its name begins with `__Host-`.",
            ))),
        ),
        (
            TOKEN,
            SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(
                "X-CSRF-Token",
                "The token of the session; requests with the cookie need it for every change.",
            ))),
        ),
        (
            KEY,
            SecurityScheme::Http(
                HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("A key with scopes.")).build(),
            ),
        ),
    ];
    let components = document.components.get_or_insert_default();
    components.security_schemes.extend(schemes.map(|(name, scheme)| (name.to_owned(), RefOr::T(scheme))));
    let tags = TAGS.map(|(name, about)| TagBuilder::new().name(name).description(Some(about)).build());
    document.tags.get_or_insert_default().extend(tags);
}
