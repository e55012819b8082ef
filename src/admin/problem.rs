//! Refusals that come from accounts.

use accounts::AccountsError;
use axum::http::StatusCode;
use public_web::problem::{Problem, failing, sentence};

/// What the one who asked is told of an error about accounts.
///
/// Must not tell whether an account exists, or why the machine fails.
pub(super) fn accounts_problem(error: AccountsError) -> Problem {
    let status = match &error {
        AccountsError::NoAccount(_) | AccountsError::NoKey => StatusCode::NOT_FOUND,
        AccountsError::Taken(_) | AccountsError::LastAdministrator | AccountsError::NotFirst => StatusCode::CONFLICT,
        AccountsError::Name | AccountsError::Password(_) | AccountsError::Key(_) => StatusCode::UNPROCESSABLE_ENTITY,
        AccountsError::Closed { .. }
        | AccountsError::Foreign(_)
        | AccountsError::Failed(_)
        | AccountsError::Hash(_) => {
            tracing::error!(error = &error as &dyn std::error::Error, "a request about accounts failed");
            return failing();
        }
    };
    Problem::new(status, sentence(&error.to_string()))
}
