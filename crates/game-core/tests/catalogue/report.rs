//! What the session made of a class of cases, in figures.

use std::fmt;

use notation::pgn::Outcome;

use crate::classes::Class;
use crate::table::Watched;

/// The figures of one class.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) games: usize,
    pub(crate) games_right: usize,
    pub(crate) plies: usize,
    pub(crate) plies_right: usize,
    pub(crate) results_right: usize,
    pub(crate) clocks: usize,
    pub(crate) clocks_exact: usize,
    pub(crate) invented: usize,
    pub(crate) retracts: usize,
    pub(crate) unexplained: usize,
    /// From the moment a move stood on the board to its publication.
    delays: Vec<u64>,
    /// From the press, or from the move standing if there is none, to publication.
    after_press: Vec<u64>,
    /// What is wrong, with the seed.
    pub(crate) wrong: Vec<String>,
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 }
}

fn quantile(values: &[u64], percent: usize) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or(0)
}

impl Report {
    pub(crate) const HEADER: &str = "games right%  plies right%  result%  clocks exact%  invented  retracts/1000  unexplained  \
                              delay ms: stood p50/p95, press p50/p95";

    pub(crate) fn add(&mut self, seed: u64, shows_result: bool, watched: &Watched) {
        self.retracts += watched.retracts;
        self.unexplained += watched.unexplained;
        if watched.told.len() != watched.played.len() {
            self.wrong.push(format!("seed {seed}: {} games told of {}", watched.told.len(), watched.played.len()));
        }
        for (index, played) in watched.played.iter().enumerate() {
            self.games += 1;
            let line: Vec<_> = played.line().map(|ply| (ply.san.to_string(), ply.times().clk_ms)).collect();
            self.plies += line.len();
            self.clocks += line.iter().filter(|(_, clk_ms)| clk_ms.is_some()).count();
            let Some(told) = watched.told.get(index) else { continue };
            let moves = told.game.moves();
            let same = moves.iter().zip(&line).take_while(|(mv, (san, _))| mv.san == *san).count();
            self.plies_right += same;
            if same == moves.len() && same == line.len() {
                self.games_right += 1;
            } else {
                self.wrong.push(format!(
                    "seed {seed}, game {index}, ply {}: told {:?}, played {:?} (told {} of {})",
                    same + 1,
                    moves.get(same).map(|mv| &mv.san),
                    line.get(same).map(|(san, _)| san),
                    moves.len(),
                    line.len()
                ));
            }
            for (ply, (mv, (_, clk_ms))) in moves.iter().zip(&line).take(same).enumerate() {
                match (mv.clk_ms, *clk_ms) {
                    (Some(told), Some(was)) if told == was => self.clocks_exact += 1,
                    (Some(told), was) => {
                        self.invented += 1;
                        self.wrong.push(format!(
                            "seed {seed}, game {index}, clock of ply {}: told {told}, was {was:?}",
                            ply + 1
                        ));
                    }
                    (None, _) => {}
                }
            }
            let mate = moves.last().is_some_and(|mv| mv.san.ends_with('#'));
            let expected = if shows_result || mate { played.outcome } else { Outcome::Unknown };
            let stalemate = !shows_result && played.outcome == Outcome::Draw && told.game.reason() == "stalemate";
            if told.game.result() == expected || stalemate {
                self.results_right += 1;
            } else {
                let told = told.game.result();
                self.wrong.push(format!("seed {seed}, game {index}: result {told:?}, was {expected:?}"));
            }
            if let Some(made) = watched.made.get(index) {
                for (made, published) in made.iter().zip(&told.published_ms) {
                    self.delays.push(published.saturating_sub(made.stood_ms));
                    self.after_press.push(published.saturating_sub(made.done_ms));
                }
            }
        }
    }

    /// Whether the figures are at least those that the class has reached.
    pub(crate) fn check(&self, class: &Class) -> Result<(), String> {
        let floor = &class.floor;
        let right = percent(self.games_right, self.games);
        let results = percent(self.results_right, self.games);
        let clocks = percent(self.clocks_exact, self.clocks);
        let invented = self.invented as f64 * 1_000.0 / self.plies.max(1) as f64;
        let retracts = self.retracts as f64 * 1_000.0 / self.plies.max(1) as f64;
        let checks = [
            (right >= floor.games, format!("{right:.1} % of games right, {} expected", floor.games)),
            (results >= floor.results, format!("{results:.1} % of results right, {} expected", floor.results)),
            (clocks >= floor.clocks, format!("{clocks:.1} % of clocks, {} expected", floor.clocks)),
            (invented <= floor.invented, format!("{} invented clocks", self.invented)),
            (retracts <= floor.retracts, format!("{retracts:.2} retracts in 1,000 plies, {} allowed", floor.retracts)),
        ];
        match checks.into_iter().find(|(fulfilled, _)| !fulfilled) {
            Some((_, what)) => Err(what),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:5} {:5.1}  {:6} {:5.1}  {:6.1}  {:6} {:5.1}  {:4}  {:6.2}  {:4}  {}/{}  {}/{}",
            self.games,
            percent(self.games_right, self.games),
            self.plies,
            percent(self.plies_right, self.plies),
            percent(self.results_right, self.games),
            self.clocks,
            percent(self.clocks_exact, self.clocks),
            self.invented,
            self.retracts as f64 * 1_000.0 / self.plies.max(1) as f64,
            self.unexplained,
            quantile(&self.delays, 50),
            quantile(&self.delays, 95),
            quantile(&self.after_press, 50),
            quantile(&self.after_press, 95),
        )
    }
}
