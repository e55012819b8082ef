//! Files of pairings in, results out.

use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

/// Files that belong together.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only the description of the API reads it")]
pub(crate) struct Upload {
    /// PGN headers, TRF, a table (CSV), the output of a pairing engine with the list of players, or text from a web page.
    #[schema(value_type = Vec<String>, format = Binary, min_items = 1, max_items = 8)]
    pub(crate) file: Vec<Vec<u8>>,
}

/// How files are loaded.
#[derive(Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Loading {
    /// Load the files in spite of warnings.
    #[serde(default)]
    pub(crate) confirm: bool,
    /// The round of a table that names none; without one it is that with the same pairs, else the first that is not over.
    pub(crate) round: Option<u32>,
    /// The version of the hall that was shown with the preview: refused (412, code `changed`) if another order has changed the
    /// pairings of the section since.
    pub(crate) seen: Option<u64>,
}

/// For which round files are previewed.
#[derive(Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct OfRound {
    /// The round of a table that names none; without one it is that with the same pairs, else the first that is not over.
    pub(crate) round: Option<u32>,
}

/// A section and a format.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct Wanted {
    /// The slug of the section.
    pub(crate) section: String,
    /// The format.
    #[param(inline)]
    pub(crate) form: Form,
}

/// The format of results.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Form {
    /// A tournament report (TRF) of FIDE.
    Trf,
    /// A table (CSV).
    Csv,
    /// PGN headers with results.
    Pgn,
}
