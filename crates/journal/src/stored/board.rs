//! Facts of boards: `{"facing":{"rotated":true,"white_is_left":null}}`, `{"blind":{"squares":["e4"]}}`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::FormError;
use crate::BoardFact;

/// Version 1, the only one. A newer one has another key.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredBoardFact {
    Facing {
        rotated: bool,
        #[serde(default)]
        white_is_left: Option<bool>,
    },
    Blind {
        squares: Vec<String>,
    },
}

/// The keys of version 1.
const KINDS: [&str; 2] = ["facing", "blind"];

pub(crate) fn write_board_fact(fact: &BoardFact) -> serde_json::Result<String> {
    serde_json::to_string(&match fact.clone() {
        BoardFact::Orientation { rotated, white_is_left } => StoredBoardFact::Facing { rotated, white_is_left },
        BoardFact::IgnoredSquares { squares } => StoredBoardFact::Blind { squares },
    })
}

pub(crate) fn read_board_fact(json: &str) -> Result<BoardFact, FormError> {
    let document: Value = serde_json::from_str(json)?;
    let kind = document.as_object().and_then(|object| object.keys().next());
    if let Some(kind) = kind.filter(|kind| !KINDS.contains(&kind.as_str())) {
        return Err(FormError::Newer(format!("fact \"{kind}\"")));
    }
    Ok(match serde_json::from_value(document)? {
        StoredBoardFact::Facing { rotated, white_is_left } => BoardFact::Orientation { rotated, white_is_left },
        StoredBoardFact::Blind { squares } => BoardFact::IgnoredSquares { squares },
    })
}
