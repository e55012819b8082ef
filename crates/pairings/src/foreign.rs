//! Files of other kinds that people take for pairings: each is refused with what to do with it.

use super::problem::FileProblem;

/// The kind of a file that is no plain text.
pub(super) fn of_bytes(bytes: &[u8]) -> Option<FileProblem> {
    // Spreadsheets are archives of ZIP; those of old programs begin as documents of OLE.
    const ZIP: &[u8] = b"PK\x03\x04";
    const OLE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
    if bytes.starts_with(ZIP) || bytes.starts_with(OLE) {
        Some(FileProblem::IsSpreadsheet)
    } else if bytes.starts_with(b"%PDF-") {
        Some(FileProblem::IsPdf)
    } else {
        bytes.trim_ascii_start().starts_with(b"{\\rtf").then_some(FileProblem::IsRtf)
    }
}

/// The kind of a text that is not a table.
pub(super) fn of_text(text: &str) -> Option<FileProblem> {
    let start: String = text.trim_start().chars().take(200).map(|letter| letter.to_ascii_lowercase()).collect();
    let squeezed: String = start.chars().filter(|letter| !letter.is_whitespace()).collect();
    if ["{\"", "[{", "[\"", "[["].into_iter().any(|sign| squeezed.starts_with(sign)) {
        return Some(FileProblem::IsJson);
    }
    let tag = start.strip_prefix('<')?.trim_start_matches('!');
    let begins = |word: &str| tag.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    if ["doctype html", "html", "head", "body", "table", "div"].into_iter().any(begins) || start.contains("<html") {
        return Some(FileProblem::IsHtml);
    }
    (tag.starts_with('?') || tag.starts_with(char::is_alphabetic)).then_some(FileProblem::IsXml)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    #[test]
    fn each_kind_is_refused_with_what_to_do_with_it() {
        for (bytes, says) in [
            (&b"PK\x03\x04\x14\0rest"[..], "a spreadsheet or an archive"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "a spreadsheet or an archive"),
            (b"%PDF-1.7\n\xe2\xe3", "a PDF file"),
            (b" {\\rtf1\\ansi Table;White;Black\\par}", "formatted text (RTF)"),
            (b"\r\n<!DOCTYPE html>\n<p>Table,White,Black", "a web page"),
            (b"<HTML lang=\"de\">\nTable,White,Black\n1,Adler,Bos\n", "a web page"),
            (b"<?xml version=\"1.0\"?><html>", "a web page"),
            (b"<?xml version=\"1.0\"?><tournament/>", "an XML file"),
            (b"{\"round\": 1}", "a JSON file"),
            (b"[\n  {\"White\": \"Adler\"}\n]", "a JSON file"),
        ] {
            let refusal = load(&[("file", bytes)]).unwrap_err().to_string();
            assert!(refusal.contains(says), "{refusal}");
        }
        assert_eq!(of_text("Table,White,Black"), None);
        assert_eq!(of_text("[Event \"Open\"]"), None);
    }
}
