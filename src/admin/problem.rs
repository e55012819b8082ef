//! Turns errors of accounts into answers.

use accounts::AccountsError;
use axum::http::StatusCode;
use public_web::problem::{Problem, failing, sentence};

/// The answer for an error of accounts. It must not reveal why the machine fails.
#[expect(clippy::needless_pass_by_value, reason = "handlers write map_err(accounts_problem)")]
pub(super) fn accounts_problem(error: AccountsError) -> Problem {
    let status = match &error {
        AccountsError::NoAccount(_) | AccountsError::NoKey => StatusCode::NOT_FOUND,
        AccountsError::HigherKey => StatusCode::FORBIDDEN,
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
