//! Files of pairings in, results out.

use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

/// Files that belong together.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only the description of the API reads it")]
pub(crate) struct Upload {
    /// PGN headers, TRF, a table (CSV), a pairing engine's output with its list of players, or text from a page.
    #[schema(value_type = Vec<String>, format = Binary, min_items = 1, max_items = 8)]
    pub(crate) file: Vec<Vec<u8>>,
}

/// Whether questions are answered with yes.
#[derive(Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Confirm {
    /// Load them although something has to be looked at.
    #[serde(default)]
    pub(crate) confirm: bool,
}

/// Which results, and in which form.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct Wanted {
    /// The section's slug.
    pub(crate) section: String,
    /// The form.
    #[param(inline)]
    pub(crate) form: Form,
}

/// The form in which results are taken out.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Form {
    /// The report format of FIDE.
    Trf,
    /// A table.
    Csv,
    /// Headers and results as PGN.
    Pgn,
}
