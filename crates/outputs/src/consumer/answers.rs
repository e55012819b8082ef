//! What HTTP answers mean for every consumer that is reached by HTTP.

use coded_text::CodedText;

use crate::http::{NoAnswer, Response};
use crate::queue::{Failure, FailureKind};
use crate::sentence::OutputSentence;

/// Characters of an answer that people are shown.
const SHOWN: usize = 200;

/// No answer at all.
pub(super) fn silent(reason: NoAnswer) -> Failure {
    Failure::unreachable(reason)
}

/// An answer that is no success: what it means and what to do. `who` begins the sentence.
pub(super) fn failure(who: impl Into<Box<CodedText>>, response: &Response) -> Failure {
    let (who, status) = (who.into(), response.status);
    let (kind, sentence) = match status {
        300..=399 => return Failure::refused(OutputSentence::Redirect { who, status }),
        429 | 503 if status == 429 || response.retry_after_s.is_some() => {
            let kind = FailureKind::Busy(response.retry_after_s.map(|seconds| seconds.saturating_mul(1000)));
            return Failure { kind, sentence: OutputSentence::AskedTooMuch { who, status }.into() };
        }
        401 | 407 => (FailureKind::Refused, OutputSentence::WrongToken { who, status }),
        403 => (FailureKind::Refused, OutputSentence::Forbidden { who, status }),
        404 | 410 => (FailureKind::Refused, OutputSentence::NoSuchAddress { who, status }),
        400..=499 => (FailureKind::Refused, OutputSentence::Refused { who, status }),
        500..=599 => (FailureKind::Unreachable, OutputSentence::ServerFault { who, status }),
        _ => (FailureKind::Unreachable, OutputSentence::NotUnderstood { who, status }),
    };
    Failure { kind, sentence: sentence.saying(said(response)).into() }
}

/// An answer that a file cannot be stored as the server is now: nearly always its folder is missing. `who` begins the sentence.
pub(super) fn no_folder(who: impl Into<Box<CodedText>>, what: Box<CodedText>, response: &Response) -> Failure {
    let sentence = OutputSentence::NoFolder { who: who.into(), status: response.status, what };
    Failure::refused(sentence.saying(said(response)))
}

/// The beginning of an answer, for people: nothing of a web page.
fn said(response: &Response) -> String {
    let text = String::from_utf8_lossy(&response.body);
    let text = text.trim();
    if text.starts_with('<') || response.content_type.starts_with("text/html") {
        return String::new();
    }
    let error = serde_json::from_str::<serde_json::Value>(text).ok();
    shown(error.as_ref().and_then(|json| json.get("error")?.as_str()).unwrap_or(text))
}

/// The beginning of what a consumer says, without control characters.
pub(super) fn shown(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect()
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
            let failure = failure(OutputSentence::Server, &answer(status, "", ""));
            assert_eq!(failure.kind, kind, "{status}");
            let sentence = &failure.sentence.english;
            assert!(sentence.starts_with("The server ") && sentence.ends_with('.'), "{sentence}");
        }
        let busy = Response { retry_after_s: Some(90), ..answer(503, "", "") };
        assert_eq!(failure(OutputSentence::Server, &busy).kind, FailureKind::Busy(Some(90_000)));
    }

    #[test]
    fn web_pages_and_rubbish_are_not_shown() {
        assert_eq!(said(&answer(500, "text/html", "<!doctype html>")), "");
        assert_eq!(said(&answer(400, "application/json", r#"{"error":"Cannot parse moves"}"#)), "Cannot parse moves");
        let rubbish = "\u{0}\u{1b}[31m".to_owned() + &"x".repeat(10_000);
        assert_eq!(said(&answer(400, "", &rubbish)).chars().count(), SHOWN);
    }
}
