//! From the release of a move to the new PGN file of its round with its gzip form and entity tags, all bytes ready to be sent.
//! Beside it: joining the gzip form to a file in memory, which the system sends to many without a copy for each.

use std::sync::mpsc;
use std::time::Instant;

use publish::bodies::{Bodies, Form, Letters};
use publish::gate::View;
use publish::selection::Selection;
use publish::test_hall::Hall;

use crate::games;
use crate::machine::{median, us};
use crate::ours::{PLIES, Players};

/// Moves that are measured.
const MOVES: usize = 400;

pub(crate) fn run() {
    println!("| games | file | gzip | small gzip | new file, µs | file in memory, µs | small gzip, µs |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for games in [2, 10, 100, 500] {
        let hall = Hall::open(1.0);
        let players = games::open_round(&hall, "s1", games, PLIES);
        let mut players = Players::new(hall, players);
        let (public, clock) = (players.hall().public.clone(), players.hall().clock);
        let (released, changes) = mpsc::channel();
        public.watch(move || {
            let _ = released.send(());
        });
        // Otherwise the thread beside had made some of the files already when they are asked for.
        let bodies = Bodies::made_by_requests(public, clock);
        let round = Selection::Round(1);
        let make = || {
            let body = bodies.get("s1", &round, Letters::Unicode).expect("the round");
            body.length(Form::Gzip);
            body
        };
        let mut in_memory = Vec::new();
        let (mut times, mut smaller, mut sizes) = (Vec::new(), Vec::new(), [0; 3]);
        make();
        for _ in 0..MOVES {
            players.change();
            changes.recv().expect("a release");
            players.hall().wait_for_all();
            let began = Instant::now();
            let body = make();
            times.push(us(began.elapsed()));
            let began = Instant::now();
            body.prepare(Form::Gzip);
            in_memory.push(us(began.elapsed()));
            let began = Instant::now();
            body.prepare(Form::SmallGzip);
            smaller.push(us(began.elapsed()));
            sizes = Form::ALL.map(|form| body.length(form));
            while changes.try_recv().is_ok() {}
        }
        let [text, gzip, small] = sizes;
        let [times, in_memory, smaller] = [times, in_memory, smaller].map(median);
        println!("| {games} | {text} | {gzip} | {small} | **{times:.0}** | {in_memory:.0} | {smaller:.0} |");
    }
}
