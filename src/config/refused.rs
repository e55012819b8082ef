//! What is wrong with a line of the configuration file, for a person who knows no programs: the reader of TOML speaks of fields and
//! types.

/// The sentence for what the reader of TOML says; one that is none of its own is returned as it is.
pub(super) fn sentence(message: &str) -> String {
    let message = message.lines().collect::<Vec<_>>().join(" ");
    let quoted: Vec<_> = message.split('`').skip(1).step_by(2).collect();
    match quoted.split_first() {
        Some((name, known)) if message.starts_with("unknown field ") => unknown("there is no setting", name, known),
        Some((name, known)) if message.starts_with("unknown variant ") => unknown("there is no choice", name, known),
        Some((name, [])) if message.starts_with("missing field ") => format!("the setting «{name}» is missing: add it"),
        _ => wrong_value(&message).unwrap_or(message),
    }
}

/// A name that is none of those that are known.
fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    /// From here on two names are so similar that one is a slip of the other.
    const SIMILAR: f64 = 0.85;
    let likeness = |other: &&&str| strsim::jaro_winkler(name, other);
    let nearest = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let meant = nearest.filter(|nearest| likeness(nearest) > SIMILAR);
    let advice = meant.map_or("remove the line, or correct the name".into(), |meant| format!("«{meant}» may be meant"));
    match known {
        [] => format!("{what} «{name}» here: {advice}"),
        _ => format!("{what} «{name}» here: {advice}; known are {}", known.join(", ")),
    }
}

/// A value of another type than the setting has.
fn wrong_value(message: &str) -> Option<String> {
    let wrong = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "))?;
    let (found, expected) = wrong.rsplit_once(", expected ")?;
    let found = match found {
        "sequence" => "a list".to_owned(),
        "map" => "a section".to_owned(),
        _ => {
            format!("«{}»", found.split_once(['`', '"']).map_or(found, |(_, value)| value.trim_end_matches(['`', '"'])))
        }
    };
    let write = match expected {
        "a string" | "path string" => "a text in quotes",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number without quotes, not below 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number without quotes",
        "f32" | "f64" => "a number without quotes",
        "a boolean" => "true or false, without quotes",
        "a sequence" => "a list in square brackets, e.g. [\"one\", \"two\"]",
        "a map" => "a section with settings of its own",
        _ if expected.starts_with("struct ") => "a section with settings of its own",
        other => other,
    };
    Some(format!("{found} is not right here: write {write}"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::Config;

    fn refused(text: &str) -> String {
        let error = Config::parse(text, Path::new("hall.toml")).expect_err(text).to_string();
        error.split_once(": ").expect("the place comes first").1.to_owned()
    }

    #[test]
    fn a_slip_in_a_name_is_told_with_the_name_that_may_be_meant() {
        for (text, meant) in [
            ("lisen = \"0.0.0.0:8080\"", "there is no setting «lisen» here: «listen» may be meant; known are listen, "),
            ("[outputs]\nname = \"x\"", "there is no setting «outputs» here: «output» may be meant; "),
            ("[limits]\nconections = 5", "there is no setting «conections» here: «connections» may be meant; "),
            (
                "[event]\ncolour = 1",
                "there is no setting «colour» here: remove the line, or correct the name; known are ",
            ),
            (
                "[[output]]\nname = \"x\"\ntarget.folders.path = \"x\"",
                "there is no choice «folders» here: «folder» may be meant; ",
            ),
            ("[[output]]\nname = \"x\"", "the setting «target» is missing: add it"),
        ] {
            let sentence = refused(text);
            assert!(sentence.starts_with(meant), "{text}: {sentence}");
        }
    }

    #[test]
    fn a_value_of_another_type_is_told_with_what_to_write() {
        for (text, sentence) in [
            (
                "capture_megabytes = \"many\"",
                "«many» is not right here: write a whole number without quotes, not below 0",
            ),
            ("capture_megabytes = -5", "«-5» is not right here: write a whole number without quotes, not below 0"),
            ("eboard_shows_delayed = \"yes\"", "«yes» is not right here: write true or false, without quotes"),
            ("data = 7", "«7» is not right here: write a text in quotes"),
            (
                "eboard_origins = \"https://a.example\"",
                "«https://a.example» is not right here: write a list in square brackets, e.g. [\"one\", \"two\"]",
            ),
            ("event = 3", "«3» is not right here: write a section with settings of its own"),
            ("[event]\nname = [\"a\"]", "a list is not right here: write a text in quotes"),
            ("listen = 8080", "this is an address with a port, e.g. \"0.0.0.0:8080\""),
            ("tls_listen = 8443", "this is an address with a port, e.g. \"0.0.0.0:8443\", or \"off\""),
        ] {
            assert_eq!(refused(text), sentence, "{text}");
        }
    }
}
