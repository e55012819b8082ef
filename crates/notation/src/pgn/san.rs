//! What looks like a move.
//!
//! Knows the form of standard and long algebraic notation; must not know whether any position
//! allows the move.

/// The move that a word of movetext says, or `None` if it does not look like one. Check and mate
/// marks stay (a double one becomes single), zeros in castling become letters, `e.p.` goes, and the
/// null move `Z0` becomes `--`.
pub(super) fn parse_move(word: &str) -> Option<String> {
    let word = word.strip_suffix("e.p.").or_else(|| word.strip_suffix("ep")).unwrap_or(word);
    let body = word.trim_end_matches(['+', '#']);
    let mark = word.get(body.len()..)?;
    let mark = match mark {
        "" | "+" | "#" => mark,
        "++" => "+",
        _ => return None,
    };
    let body = match body {
        "O-O" | "0-0" | "o-o" => "O-O",
        "O-O-O" | "0-0-0" | "o-o-o" => "O-O-O",
        "--" | "Z0" => "--",
        _ if is_algebraic(body) => body,
        _ => return None,
    };
    Some(format!("{body}{mark}"))
}

/// A piece letter or none; a file, a rank, both or nothing to come from; `x`, `:`, `-` or nothing;
/// the square to go to; a promotion or nothing.
fn is_algebraic(body: &str) -> bool {
    let body = body
        .strip_suffix(['Q', 'R', 'B', 'N', 'q', 'r', 'b', 'n'])
        .map_or(body, |body| body.strip_suffix('=').unwrap_or(body));
    let body = body.strip_prefix(['K', 'Q', 'R', 'B', 'N', 'P']).unwrap_or(body);
    let Some(from) = body.strip_suffix(|c| matches!(c, '1'..='8')).and_then(|body| body.strip_suffix(is_file)) else {
        return false;
    };
    let from = from.strip_suffix(['x', ':', '-']).unwrap_or(from);
    let from = from.strip_prefix(is_file).unwrap_or(from);
    matches!(from.as_bytes(), [] | [b'1'..=b'8'])
}

fn is_file(c: char) -> bool {
    matches!(c, 'a'..='h')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_known_by_their_form() {
        for san in [
            "e4", "exd5", "Nf3", "Nbd2", "N1d2", "Nb1d2", "Qh4xe1+", "e8=Q", "exd8=N#", "O-O", "O-O-O+", "--", "e2e4",
            "e2-e4", "Ng1-f3", "e7xd8=Q", "e7e8q", "e8Q", "Pe4",
        ] {
            assert_eq!(parse_move(san).as_deref(), Some(san));
        }
        for (written, san) in
            [("0-0", "O-O"), ("0-0-0#", "O-O-O#"), ("Z0", "--"), ("exd6e.p.", "exd6"), ("Qh5++", "Qh5+")]
        {
            assert_eq!(parse_move(written).as_deref(), Some(san));
        }
    }

    #[test]
    fn words_are_no_moves() {
        for word in [
            "", "e", "e9", "i4", "Xe4", "Nf3f", "e4e5e6", "resigns", "+", "#", "=Q", "Nf", "N-", "0-0-0-0", "e4=", "½",
            "Nf3+++", "eé4",
        ] {
            assert_eq!(parse_move(word), None, "{word:?}");
        }
    }
}
