//! What HTTP answers mean for every consumer that is reached by HTTP.

use crate::http::{NoAnswer, Response};
use crate::queue::{Failure, FailureKind};

/// Characters of an answer that people are shown.
const SHOWN: usize = 200;

/// No answer at all.
pub(super) fn silent(NoAnswer(sentence): NoAnswer) -> Failure {
    Failure::unreachable(sentence)
}

/// An answer that is no success: what it means and what to do. `who` begins the sentence.
pub(super) fn failure(who: &str, response: &Response) -> Failure {
    let status = response.status;
    let said = said(response);
    match status {
        300..=399 => Failure::refused(format!(
            "{who} answers with a redirect (status {status}), which is not followed: enter the address that it leads to."
        )),
        401 | 407 => Failure::refused(format!(
            "{who} does not accept the token or password (status {status}): enter it again.{said}"
        )),
        403 => Failure::refused(format!(
            "{who} does not allow this (status 403): check what the token or the account may do.{said}"
        )),
        404 | 410 => Failure::refused(format!("{who} knows no such address (status {status}): check it.{said}")),
        429 | 503 if status == 429 || response.retry_after_s.is_some() => Failure {
            kind: FailureKind::Busy(response.retry_after_s.map(|seconds| seconds.saturating_mul(1000))),
            sentence: format!("{who} is asked too much (status {status}) and gets a rest."),
        },
        400..=499 => Failure::refused(format!("{who} refuses what is sent (status {status}).{said}")),
        500..=599 => Failure::unreachable(format!("{who} has a fault (status {status}); it is tried again.{said}")),
        _ => Failure::unreachable(format!("{who} gives an answer that is not understood (status {status}).{said}")),
    }
}

/// The beginning of an answer, for people: nothing of a web page.
pub(super) fn said(response: &Response) -> String {
    let text = String::from_utf8_lossy(&response.body);
    let text = text.trim();
    if text.is_empty() || text.starts_with('<') || response.content_type.starts_with("text/html") {
        return String::new();
    }
    let error = serde_json::from_str::<serde_json::Value>(text).ok();
    let error = error.as_ref().and_then(|json| json.get("error")?.as_str()).unwrap_or(text);
    let shown: String = error.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect();
    format!(" It says: «{shown}»")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, content_type: &str, body: &str) -> Response {
        Response { status, content_type: content_type.into(), body: body.to_owned().into(), ..Response::default() }
    }

    #[test]
    fn every_status_says_what_to_do() {
        for (status, kind) in [
            (301, FailureKind::Refused),
            (400, FailureKind::Refused),
            (401, FailureKind::Refused),
            (403, FailureKind::Refused),
            (404, FailureKind::Refused),
            (429, FailureKind::Busy(None)),
            (500, FailureKind::Unreachable),
            (502, FailureKind::Unreachable),
            (999, FailureKind::Unreachable),
            (0, FailureKind::Unreachable),
        ] {
            let failure = failure("The server", &answer(status, "", ""));
            assert_eq!(failure.kind, kind, "{status}");
            assert!(
                failure.sentence.starts_with("The server ") && failure.sentence.ends_with('.'),
                "{}",
                failure.sentence
            );
        }
        let busy = Response { retry_after_s: Some(90), ..answer(503, "", "") };
        assert_eq!(failure("X", &busy).kind, FailureKind::Busy(Some(90_000)));
    }

    #[test]
    fn web_pages_and_rubbish_are_not_shown() {
        assert_eq!(said(&answer(500, "text/html", "<!doctype html>")), "");
        assert_eq!(
            said(&answer(400, "application/json", r#"{"error":"Cannot parse moves"}"#)),
            " It says: «Cannot parse moves»"
        );
        let rubbish = "\u{0}\u{1b}[31m".to_owned() + &"x".repeat(10_000);
        assert!(said(&answer(400, "", &rubbish)).chars().count() < 250);
    }
}
