//! The description of the protected addresses: which right each asks for, and how it is shown.

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

/// Groups of protected addresses, in the order of reading.
const TAGS: [(&str, &str); 7] = [
    ("session", "Logging in and out"),
    ("tournament", "The tournament without delay, and orders that change it"),
    ("boards", "Boards and the check before a round"),
    ("alarms", "What the arbiter or the operator should look at"),
    ("users", "Accounts"),
    ("keys", "Keys for programs, persons and devices"),
    ("daemon", "Health and backup"),
];

/// Names of the two ways to prove who one is.
const SESSION: &str = "session";
const TOKEN: &str = "session_token";
const KEY: &str = "key";

/// Says of protected addresses which right they ask for and how it is shown.
pub(super) fn ask(document: &mut OpenApi, right: Right) {
    let role = right.role().as_str();
    let needs = match right.scopes() {
        [] => format!("For a person logged in as {role}."),
        [scope, ..] => format!("For the role {role}, or a key with the scope `{}`.", scope.as_str()),
    };
    for (reads, operation) in document.paths.paths.values_mut().flat_map(operations) {
        let text = operation.description.take().filter(|text| !text.is_empty());
        operation.description = Some(text.map_or_else(|| needs.clone(), |text| format!("{text}\n\n{needs}")));
        let nothing: [&str; 0] = [];
        let session = SecurityRequirement::new(SESSION, nothing);
        let session = if reads { session } else { session.add(TOKEN, nothing) };
        let key = (!right.scopes().is_empty()).then(|| SecurityRequirement::new(KEY, nothing));
        operation.security = Some([session].into_iter().chain(key).collect());
        refuse(operation, 401, "Not logged in, and no key that has not ended");
    }
}

/// Says of protected addresses that they are.
pub(super) fn guard(document: &mut OpenApi) {
    for (_, operation) in document.paths.paths.values_mut().flat_map(operations) {
        refuse(operation, 403, "Not allowed, or neither on the machine itself nor over TLS");
    }
}

/// Adds the groups of protected addresses and the ways to prove who one is to the description of the API.
pub(super) fn introduce(document: &mut OpenApi) {
    let schemes = [
        (
            SESSION,
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
                "boardcast-session",
                "The cookie that logging in gives; over TLS its name begins with `__Host-`.",
            ))),
        ),
        (
            TOKEN,
            SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(
                "X-CSRF-Token",
                "The session's token, needed with the cookie for everything that changes something.",
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
