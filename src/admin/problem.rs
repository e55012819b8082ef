//! Turns errors of accounts into answers, and has the sentences of refusals that this folder gives itself.

use accounts::{AccountsError, AccountsRefusal};
use axum::http::StatusCode;
use coded_text::coded_texts;
use public_web::problem::{Problem, failing};

coded_texts! {
    /// Refusals of the protected addresses that a person at the dashboard may meet.
    pub(crate) enum AdminRefusal {
        // Who may do what.
        LoginWrong = "login_wrong", "Name or password is wrong.";
        LogIn = "log_in", "Log in, or send a valid key as «Authorization: Bearer KEY».";
        NoAdministrator = "no_administrator",
            "There is no administrator yet: open the link that the daemon printed when it started. The link is also in the file \
             first-login.txt, in /run/boardcast or in the data folder. Each start of the daemon prints a new one.";
        OnlyPublicUrl = "only_public_url",
            "This works only on the machine itself and at the address of the setting public_url.";
        NeedsTls = "needs_tls",
            "This works only on the machine itself, at localhost. Over a network it needs TLS: the daemon's own (setting \
             tls_listen), or that of a proxy (setting public_url).";
        OldPasswordWrong = "old_password_wrong", "The old password is wrong.";
        FirstLink = "first_link",
            "This link is not valid. It works once, and only until the next start of the daemon, which prints a new link.";
        NeedsLogin = "needs_login", "Keys cannot do this: log in.";
        NeedsScope { scope: String } = "needs_scope", "This key cannot do this: it needs the scope «{scope}».";
        NeedsArbiter = "needs_arbiter", "This account cannot do this: it needs the role «arbiter».";
        NeedsOperator = "needs_operator", "This account cannot do this: it needs the role «operator».";
        NeedsAdministrator = "needs_administrator", "This account cannot do this: it needs the role «administrator».";
        TooManyPages = "too_many_pages", "Too many pages are open: close some and try again.";
        // What there is.
        AlarmOver = "alarm_over", "There is no such alarm. It may have ended already.";
        NoReports = "no_reports", "There are no reports of this game.";
        NoPort = "no_port",
            "There is no such port: it may have been pulled out. The page lists the ports that are there.";
        NothingCaptured = "nothing_captured",
            "Nothing was captured from this board: /api/v1/admin/boards lists the boards that were found.";
        // Orders and files.
        WhyLong { most: usize } = "why_long", "The reason is too long: use at most {most} characters.";
        SettingsNotValid { reason: String } = "settings_not_valid", "The settings are not valid: {reason}";
        UploadCount { most: usize } = "upload_count", "An upload has at most {most} files.";
        NoFile = "no_file", "The form has no file: add at least one.";
        EventOver = "event_over",
            "This event is over: send the order resume_event, or set a later last day, and try again.";
        // Outputs.
        NotADelay = "not_a_delay", "This is no delay: write 900 s, 15 min or 1 h, at most 24 h, or until_over.";
        WhichSection = "which_section", "Say which section this output sends.";
        SectionGone { section: String } = "section_gone", "There is no section «{section}»: choose another one.";
        NoRounds = "no_rounds", "The section has no rounds yet: set them up or load the pairings first.";
        // The daemon.
        AccountsNotWritten = "accounts_not_written",
            "The accounts cannot be written: free space on the disk with the data folder, or make the disk writable.";
        RehearsalBoards { most: usize } = "rehearsal_boards", "A rehearsal has 1 to {most} boards.";
        NoRehearsals = "no_rehearsals",
            "This daemon holds no rehearsals: it is one itself, or was built without simulated boards.";
    }
}

/// The answer for an error of accounts. It must not reveal why the machine fails, but that the disk is full or read-only is what the
/// dashboard's alarm says, for people who can no longer log in to read it.
#[expect(clippy::needless_pass_by_value, reason = "handlers write map_err(accounts_problem)")]
pub(super) fn accounts_problem(error: AccountsError) -> Problem {
    let AccountsError::Refused(refusal) = &error else {
        tracing::error!(error = &error as &dyn std::error::Error, "a request about accounts failed");
        return if error.needs_space() {
            Problem::coded(StatusCode::SERVICE_UNAVAILABLE, AdminRefusal::AccountsNotWritten)
        } else {
            failing()
        };
    };
    let status = match refusal {
        AccountsRefusal::NoAccount { .. } | AccountsRefusal::NoKey => StatusCode::NOT_FOUND,
        AccountsRefusal::HigherKey => StatusCode::FORBIDDEN,
        AccountsRefusal::Taken { .. } | AccountsRefusal::LastAdministrator | AccountsRefusal::NotFirst => {
            StatusCode::CONFLICT
        }
        AccountsRefusal::Name
        | AccountsRefusal::PasswordShort { .. }
        | AccountsRefusal::PasswordLong { .. }
        | AccountsRefusal::KeyHolder { .. }
        | AccountsRefusal::KeyEnd { .. }
        | AccountsRefusal::KeyScopes => StatusCode::UNPROCESSABLE_ENTITY,
    };
    Problem::coded(status, refusal.coded())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::ffi;

    #[tokio::test]
    async fn who_cannot_log_in_because_the_disk_is_full_learns_that_and_no_more() {
        let told = |code| async move {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), Some("accounts.sqlite".into()));
            let answer = axum::response::IntoResponse::into_response(accounts_problem(AccountsError::Failed(error)));
            assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
            let body = axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap();
            String::from_utf8(body.to_vec()).unwrap()
        };
        let full = told(ffi::SQLITE_FULL).await;
        assert!(full.contains("free space on the disk") && !full.contains("sqlite"), "{full}");
        assert!(told(ffi::SQLITE_CORRUPT).await.contains("the daemon's log says why"));
    }
}
