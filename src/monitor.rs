//! The hall as a table for a terminal, from the metrics of the running daemon: the pure part of `boardcast monitor`.
//!
//! Must not know how metrics are fetched.

use std::collections::BTreeMap;
use std::time::Duration;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::Line;
use ratatui::widgets::{Block, Cell, Paragraph, Row, Table, TableState};

/// Silence after which a connected board is marked; boards are polled far more often.
const SILENT: f64 = 12.0;

/// Most lines about what is wrong: the boards need room, too.
const MOST_LINES: usize = 10;

/// The hall at one scrape.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scrape {
    /// Values without a label.
    values: BTreeMap<String, f64>,
    /// Values by label, by metric: `boardcast_board_connected` by board.
    labelled: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Scrape {
    /// Reads the text of `/metrics`; lines that are none are left out.
    pub(crate) fn read(text: &str) -> Self {
        let mut scrape = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((name, value)) = line.rsplit_once(' ') else { continue };
            let Ok(value) = value.parse::<f64>() else { continue };
            match name.split_once('{') {
                None => {
                    scrape.values.insert(name.to_owned(), value);
                }
                Some((name, label)) => {
                    let label = label.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"'));
                    let Some((label, _)) = label else { continue };
                    scrape.labelled.entry(name.to_owned()).or_default().insert(label.to_owned(), value);
                }
            }
        }
        scrape
    }

    /// Whether the text had the metrics of a daemon.
    pub(crate) fn is_complete(&self) -> bool {
        self.values.contains_key("boardcast_live")
    }

    fn value(&self, name: &str) -> f64 {
        self.values.get(name).copied().unwrap_or_default()
    }

    fn of(&self, name: &str, label: &str) -> Option<f64> {
        self.labelled.get(name)?.get(label).copied()
    }

    /// What a person sees of a board.
    fn board(&self, board: &str, earlier: Option<&(Self, Duration)>) -> [String; 9] {
        let of = |name: &str| self.of(name, board).unwrap_or_default();
        let whole = |name: &str| format!("{:.0}", of(name));
        let rate = earlier.and_then(|(earlier, between)| {
            let before = earlier.of("boardcast_board_received_bytes_total", board)?;
            Some((of("boardcast_board_received_bytes_total") - before).max(0.0) / between.as_secs_f64().max(0.001))
        });
        let silence = self.of("boardcast_board_silence_seconds", board);
        let state = match (of("boardcast_board_connected") > 0.0, silence) {
            (false, _) => "lost",
            (true, Some(silence)) if silence > SILENT => "silent",
            (true, _) => "ok",
        };
        [
            board.to_owned(),
            self.of("boardcast_board_table", board).map_or("-".to_owned(), |table| format!("{table:.0}")),
            state.to_owned(),
            silence.map_or("-".to_owned(), |silence| format!("{silence:.0} s")),
            rate.map_or("-".to_owned(), |rate| format!("{rate:.0} B/s")),
            whole("boardcast_board_moves_total"),
            whole("boardcast_board_retracts_total"),
            whole("boardcast_board_resyncs_total"),
            format!("{:.0} s", of("boardcast_board_unexplained_seconds_total")),
        ]
    }
}

/// What is on the screen.
#[derive(Debug, Default)]
pub(crate) struct Screen {
    /// The last scrape.
    pub(crate) now: Scrape,
    /// The one before, and the time between.
    pub(crate) earlier: Option<(Scrape, Duration)>,
    /// What `/health` says, or why nothing is known.
    pub(crate) health: String,
    /// Where the table is scrolled to.
    pub(crate) place: TableState,
}

impl Screen {
    /// Games, viewers and the computer, in one line where it fits; a value that is not known has a dash.
    fn summary(&self, width: usize) -> Vec<String> {
        if !self.now.is_complete() {
            return vec!["no figures: the daemon does not give them".into()];
        }
        let games = |state: &str| self.now.of("boardcast_games", state).unwrap_or_default();
        let counts = format!(
            "games: {} playing, {} waiting, {} over   viewers: {}",
            games("playing"),
            games("waiting"),
            games("over") + games("result_missing"),
            self.now.value("boardcast_sockets"),
        );
        let free = self.now.values.get("boardcast_disk_free_bytes");
        let machine = format!(
            "journal: {} wait   disk: {} GB free",
            self.now.value("boardcast_journal_backlog"),
            free.map_or_else(|| "-".to_owned(), |bytes| format!("{:.1}", bytes / 1e9)),
        );
        let one_line = format!("{counts}   {machine}");
        if one_line.len() <= width { vec![one_line] } else { vec![counts, machine] }
    }

    /// Draws everything.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>) {
        let width = usize::from(frame.area().width.saturating_sub(2));
        let health = fitted(&self.health, width);
        let summary = self.summary(width);
        let rows = |lines: &Vec<String>| Constraint::Length(u16::try_from(lines.len().max(1)).unwrap_or(1) + 2);
        let [top, middle, table] =
            Layout::vertical([rows(&health), rows(&summary), Constraint::Min(3)]).areas(frame.area());
        let colour = match health.first().map(String::as_str) {
            Some("ok") => Color::Green,
            Some("degraded") => Color::Yellow,
            _ => Color::Red,
        };
        let text = |lines: Vec<String>| Paragraph::new(lines.into_iter().map(Line::from).collect::<Vec<_>>());
        frame.render_widget(text(health).fg(colour).block(Block::bordered().title(" boardcast ")), top);
        frame.render_widget(text(summary).block(Block::bordered().title(" hall ")), middle);
        let boards = self.now.labelled.get("boardcast_board_connected").cloned().unwrap_or_default();
        let rows = boards.keys().map(|board| {
            let cells = self.now.board(board, self.earlier.as_ref());
            let colour = match cells[2].as_str() {
                "ok" => Color::Reset,
                "silent" => Color::Yellow,
                _ => Color::Red,
            };
            Row::new(cells.map(Cell::from)).style(Style::new().fg(colour))
        });
        let title = if self.now.is_complete() {
            format!(" {} boards; arrows scroll, q ends ", boards.len())
        } else {
            " boards are not known; q ends ".to_owned()
        };
        let header = ["board", "table", "state", "silent", "traffic", "moves", "corrected", "damage", "unexplained"];
        // Within the 80 columns of a usual terminal.
        let columns = [11, 5, 6, 7, 9, 5, 9, 6, 11].map(Constraint::Length);
        let list = Table::new(rows, columns)
            .header(Row::new(header.map(Cell::from)).bold())
            .row_highlight_style(Style::new().reversed())
            .block(Block::bordered().title(title));
        frame.render_stateful_widget(list, table, &mut self.place);
    }
}

/// The lines of a text, broken between words where they are longer than the screen; the last one says when there are more.
fn fitted(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for whole in text.lines() {
        let mut line = String::new();
        for word in whole.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES - 1);
        lines.push("More: page System of the dashboard.".into());
    }
    lines
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;

    const METRICS: &str = "# TYPE boardcast_live gauge\nboardcast_live 1\nboardcast_sockets 12\n\
        boardcast_games{state=\"playing\"} 2\nboardcast_board_connected{board=\"10001\"} 1\n\
        boardcast_board_connected{board=\"10002\"} 0\nboardcast_board_silence_seconds{board=\"10001\"} 0.2\n\
        boardcast_board_table{board=\"10001\"} 37\n\
        boardcast_board_received_bytes_total{board=\"10001\"} 300\nrubbish\nbad{ 3\nboardcast_x not-a-number\n# EOF\n";

    fn drawn(screen: &mut Screen) -> String {
        let mut terminal = Terminal::new(TestBackend::new(100, 16)).unwrap();
        terminal.draw(|frame| screen.draw(frame)).unwrap();
        terminal.backend().to_string()
    }

    #[test]
    fn a_hall_is_seen_at_a_glance() {
        let now = Scrape::read(METRICS);
        assert!(now.is_complete());
        let mut earlier = now.clone();
        earlier.labelled.get_mut("boardcast_board_received_bytes_total").unwrap().insert("10001".into(), 100.0);
        let earlier = Some((earlier, Duration::from_secs(2)));
        let health = "degraded\nBoard 10002 is out of reach".to_owned();
        let mut screen = Screen { now, earlier, health, place: TableState::default() };
        let text = drawn(&mut screen);
        for expected in
            ["degraded", "Board 10002 is out of reach", "2 playing", "viewers: 12", "100 B/s", "lost", "2 boards"]
        {
            assert!(text.contains(expected), "{expected} is not on the screen:\n{text}");
        }
    }

    #[test]
    fn on_a_small_terminal_every_word_is_there() {
        let now = Scrape::read(METRICS);
        let health =
            "degraded\nBoards 30111, 30112 are not assigned to tables: their moves are kept, but no game is public: \
                      assign them.\n"
                .to_owned();
        let mut screen = Screen { now, health, ..Screen::default() };
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(|frame| screen.draw(frame)).unwrap();
        let text = terminal.backend().to_string();
        for expected in [
            "assign them.",
            "table",
            "10001       37",
            "10002       -",
            "corrected",
            "damage",
            "unexplained",
            "GB free",
            "10002",
        ] {
            assert!(text.contains(expected), "{expected} is not on the screen:\n{text}");
        }
        screen.health = "degraded\n".to_owned() + &"a line\n".repeat(30);
        terminal.draw(|frame| screen.draw(frame)).unwrap();
        let text = terminal.backend().to_string();
        assert!(text.contains("More: page System") && text.contains("10002"), "{text}");
    }

    #[test]
    fn without_a_daemon_the_screen_says_so() {
        let health = "the daemon does not run".to_owned();
        let text = drawn(&mut Screen { health, ..Screen::default() });
        assert!(text.contains("the daemon does not run") && text.contains("boards are not known"), "{text}");
        assert!(!text.contains("GB free") && !text.contains("playing"), "figures of no daemon:\n{text}");
        assert!(!Scrape::read("").is_complete());
    }
}
