//! A line of a busy machine: its answers come late and at random, or the computer sleeps while they come.

use std::collections::VecDeque;

use super::*;

/// A ply of blitz at the speed of life, in ms.
const PLY_MS: u64 = 5_400;

/// Boards on which a ply is made every so often, and how long each took from the piece to the report.
struct Play {
    chain: Chain,
    /// When the plies that are not reported were made, by board.
    made: BTreeMap<u16, VecDeque<u64>>,
    reported: BTreeMap<u16, usize>,
}

impl Play {
    fn new(boards: u16) -> Self {
        let known: Vec<_> = addresses(boards).into_iter().collect();
        let mut chain = Chain::new(boards.into(), &known);
        chain.run(12_000);
        assert_eq!(chain.found, addresses(boards));
        chain.replies.clear();
        chain.asked.clear();
        Self { chain, made: BTreeMap::new(), reported: BTreeMap::new() }
    }

    /// Plays on; gives the longest time from a piece to its report and the number of reports.
    fn play(&mut self, ms: u64) -> (u64, usize) {
        let (mut longest, mut reports) = (0, 0);
        for _ in 0..ms / 10 {
            let count = self.chain.boards.len() as u64;
            for place in 0..count {
                // The tables do not play in step.
                let phase = place * PLY_MS / count;
                if (self.chain.now + phase) % PLY_MS / 10 == 0 {
                    self.ply(place as usize);
                }
            }
            self.chain.run(10);
            for (address, made) in &mut self.made {
                let seen = self.reported.entry(*address).or_default();
                let now_seen = self.chain.changes(*address, Field::new(36).unwrap()).len();
                for _ in *seen..now_seen {
                    let at = made.pop_front().expect("no report without a ply");
                    longest = longest.max(self.chain.now - at);
                    reports += 1;
                }
                *seen = now_seen;
            }
        }
        (longest, reports)
    }

    /// Four changes, as of a capture.
    fn ply(&mut self, place: usize) {
        let address = 1_025 + place as u16;
        let made = self.made.entry(address).or_default();
        let number = made.len() + self.reported.get(&address).copied().unwrap_or(0);
        // No packet is like the one before it.
        let piece = PieceCode::from_byte(1 + (number / 7 % 12) as u8);
        let ballast = [0, 1, 2].map(|change| (3 * number + change) % 32);
        let shown = if number.is_multiple_of(2) { PieceCode::WhitePawn } else { PieceCode::Empty };
        made.push_back(self.chain.now);
        let board = &mut self.chain.boards[place];
        for (field, piece) in ballast.into_iter().map(|field| (field as u8, piece)).chain([(36, shown)]) {
            board.touch(self.chain.now, Field::new(field).unwrap(), piece);
        }
    }
}

/// Commands that ask once more for what was sent, of all.
fn repeated(chain: &Chain) -> (usize, usize) {
    let asked = |id: u8| chain.asked.get(&id).copied().unwrap_or(0);
    (asked(0x84) + asked(0x87), chain.asked.values().sum())
}

/// After some seconds a line is as quick as it was: searches for new boards take two seconds of each half minute.
fn catches_up(play: &mut Play) {
    play.chain.busy = None;
    play.play(10_000);
    let (longest, reports) = play.play(40_000);
    println!("  then {longest} ms");
    assert!(longest <= 3_000, "a report took {longest} ms");
    assert!(reports >= 7 * play.chain.boards.len(), "only {reports} reports");
    play.chain.run(3_000);
    play.play(10);
    assert!(play.made.values().all(|made| made.len() <= 1), "plies were never reported: {:?}", play.made);
    assert!(play.chain.lost.is_empty(), "boards were taken for lost: {:?}", play.chain.lost);
}

#[test]
fn answers_that_come_late_at_random_are_waited_for_and_a_line_catches_up_when_they_come_in_time() {
    for (boards, most_ms) in [(15, 150), (15, 300), (15, 500), (30, 500)] {
        let mut play = Play::new(boards);
        play.chain.busy = Some((most_ms, 7));
        let (longest, reports) = play.play(60_000);
        let (again, all) = repeated(&play.chain);
        println!(
            "{boards} boards, answers late by up to {most_ms} ms: {reports} reports within {longest} ms, {again} of {all} \
             commands again"
        );
        assert!(20 * again <= all, "{again} of {all} commands ask again");
        catches_up(&mut play);
    }
}

#[test]
fn a_computer_that_does_nothing_for_some_time_finds_the_answers_that_came_meanwhile() {
    let mut play = Play::new(15);
    for round in 0..100 {
        play.chain.stalled_until = play.chain.now + 100 + 37 * round % 300;
        play.play(600);
    }
    let (again, all) = repeated(&play.chain);
    println!("{again} of {all} commands again");
    // That it slept is not known where it wakes up at the end of the wait, as after some of the hundred times.
    assert!(again <= 5, "{again} of {all} commands ask again though every answer came in time");
    catches_up(&mut play);
}

#[test]
fn answers_of_many_seconds_at_once_are_attributed_and_all_boards_are_served_again() {
    let mut play = Play::new(15);
    // A line that holds back everything, then gives it at once.
    play.chain.late = Some((1, 4_000));
    play.play(4_000);
    play.chain.late = None;
    let (longest, _) = play.play(15_000);
    println!("reports within {longest} ms");
    catches_up(&mut play);
}

#[test]
fn a_search_for_new_boards_lets_the_known_ones_be_asked_between_its_commands() {
    let mut play = Play::new(15);
    play.chain.late = Some((1, 300));
    let asked = |chain: &Chain| [0x83, 0x84].map(|id| chain.asked.get(&id).copied().unwrap_or(0)).iter().sum::<usize>();
    let (mut before, mut since, mut longest) = (0, play.chain.now, 0);
    for _ in 0..6_500 {
        play.chain.run(10);
        if asked(&play.chain) != before {
            (before, since) = (asked(&play.chain), play.chain.now);
        }
        longest = longest.max(play.chain.now - since);
    }
    println!("at most {longest} ms without a question for changes");
    let searches = play.chain.asked.get(&0x8a).copied().unwrap_or(0) / play.chain.boards.len();
    assert!(searches >= 1, "no search");
    assert!(longest <= 3_000, "no board was asked for {longest} ms");
}
