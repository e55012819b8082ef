//! The arrows between the crates as a picture: Mermaid text between two markers of ARCHITECTURE.md.

use std::fmt::Write as _;

use crate::graph::Graph;

const BEGIN: &str = "<!-- arrows: made by `BOARDCAST_RENEW=1 cargo test -p boardcast --test walls the_picture` -->\n";
const END: &str = "<!-- arrows: end -->\n";

/// The text with the picture of this graph between its markers; `None` without them.
pub(crate) fn renew(text: &str, graph: &Graph) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{}{END}{after}", draw(graph)))
}

/// An arrow from each crate to those that it depends on, without those that another arrow leads to anyway.
fn draw(graph: &Graph) -> String {
    let mut picture = String::from("```mermaid\nflowchart BT\n");
    for name in graph.crates.keys() {
        let direct = graph.direct(name);
        for target in &direct {
            let led_to = direct.iter().any(|other| other != target && graph.reached(other, None).contains(target));
            if !led_to {
                // Writing to a string cannot fail.
                let _ = writeln!(picture, "    {name} --> {target}");
            }
        }
    }
    picture + "```\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Crate;

    #[test]
    fn an_arrow_that_follows_from_others_is_left_out() {
        let mut graph = Graph::default();
        for (name, direct) in [("top", &["middle", "low", "serde"][..]), ("middle", &["low"]), ("low", &[])] {
            graph.crates.insert(name.to_owned(), Crate::default());
            graph.normal.insert(name.to_owned(), direct.iter().map(|&direct| direct.to_owned()).collect());
        }
        let text = format!("Before.\n{BEGIN}old\n{END}After.\n");
        let arrows = "```mermaid\nflowchart BT\n    middle --> low\n    top --> middle\n```\n";
        assert_eq!(renew(&text, &graph).unwrap(), format!("Before.\n{BEGIN}{arrows}{END}After.\n"));
        assert!(renew("Before.\n", &graph).is_none());
    }
}
