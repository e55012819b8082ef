//! The server under test: recorder, gate, PGN files, hub and HTTP as the daemon has them, over a hall without boards.

use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use game_core::event::Event;
use public_web::{HealthReport, Limits, Served, Web};
use publish::hub;
use publish::test_hall::Hall;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::games::{self, Played};

/// Plies of each game whose files are measured: a round of 100 games is about 250 KB then.
pub(crate) const PLIES: u32 = 56;

/// Serves a hall of so many sections with so many games of so many plies each, with its journal in a folder or in memory. Orders come line by line:
/// `moves N` plays so many at once; `plays US` and `changes US` go on by themselves, one after each pause of so many microseconds;
/// `stop` ends that and is answered with the number of all moves when they are released.
pub(crate) fn serve(arguments: &[&str]) {
    let [sections, games, plies, folder] = *arguments else { panic!("sections, games, plies, folder") };
    let [sections, games, plies] = [sections, games, plies].map(|number| number.parse::<u32>().expect("a number"));
    let hall = match folder {
        "memory" => Hall::open(1.0),
        folder => Hall::in_folder(std::path::Path::new(folder)),
    };
    let games = (1..=sections).flat_map(|section| games::open_round(&hall, &format!("s{section}"), games, plies));
    let mut games: Vec<_> = games.collect();
    // Neighbours in time are of different sections.
    games.sort_by_key(|game| game.id.rsplit('-').next().and_then(|table| table.parse::<u32>().ok()));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a listener");
    println!("{}", listener.local_addr().expect("its address"));
    let (hub, _) = hub::start(hall.public.clone(), hall.clock, hub::Limits::default()).expect("a hub");
    let health = Box::new(|_, _: &axum::http::HeaderMap| HealthReport::well());
    let web = Arc::new(Web::new(hall.public.clone(), hub.clone(), hall.clock, |_| None, health));
    let served = Served::new(public_web::routes(&web).0).with_files(&web);
    let limits = Limits { connections: 20_000, ..Limits::default() };
    runtime.spawn(public_web::serve(listener, served, limits, CancellationToken::new(), move || hub.close()));
    let mut players = Players::new(hall, games);
    let (orders, given) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let _ = orders.send(line);
        }
    });
    let (mut pace, mut due) = (Pace::Still, Instant::now());
    loop {
        let pause = match pace {
            Pace::Still => Duration::from_hours(1),
            Pace::Plays(pause) | Pace::Changes(pause) => pause,
        };
        match given.recv_timeout((due + pause).saturating_duration_since(Instant::now())) {
            Ok(line) => match line.split_once(' ') {
                Some(("moves", count)) => players.moves(count.parse().expect("a number")),
                Some(("plays", us)) => (pace, due) = (Pace::Plays(microseconds(us)), Instant::now()),
                Some(("changes", us)) => (pace, due) = (Pace::Changes(microseconds(us)), Instant::now()),
                _ => {
                    pace = Pace::Still;
                    players.hall.wait_for_all();
                    println!("{}", players.count);
                }
            },
            Err(RecvTimeoutError::Timeout) => {
                due += pause;
                match pace {
                    Pace::Still => {}
                    Pace::Plays(_) => players.moves(1),
                    Pace::Changes(_) => players.change(),
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn microseconds(text: &str) -> Duration {
    Duration::from_micros(text.parse().expect("microseconds"))
}

/// What happens without an order.
enum Pace {
    /// Nothing.
    Still,
    /// A move after each pause.
    Plays(Duration),
    /// A move or a takeback after each pause.
    Changes(Duration),
}

/// Who plays the games.
pub(crate) struct Players {
    hall: Hall,
    games: Vec<Played>,
    next: usize,
    /// Moves and changes up to now.
    count: usize,
}

impl Players {
    /// Players of games that were just opened.
    pub(crate) fn new(hall: Hall, games: Vec<Played>) -> Self {
        Self { hall, games, next: 0, count: 0 }
    }

    /// One move in each of the next games, handed in together.
    fn moves(&mut self, count: usize) {
        let now = self.hall.clock.now();
        let mut events = Vec::new();
        for _ in 0..count {
            let games = self.games.len();
            let game = &mut self.games[self.next];
            self.next = (self.next + 1) % games;
            events.extend(game.next(now).map(|event| (game.id.clone(), event)));
        }
        self.count += count;
        self.hall.hand_in(events.iter().map(|(id, event)| (id.as_str(), event.clone())).collect());
    }

    /// Changes the file of the round, and every second time that of the first game. Their lengths stay: a move is played and taken
    /// back in turn.
    pub(crate) fn change(&mut self) {
        let step = self.count;
        let at = if step % 4 < 2 { 0 } else { 1 + (step / 4) % (self.games.len() - 1) };
        self.count += 1;
        let (hall, game) = (&self.hall, &self.games[at]);
        let events = if step.is_multiple_of(2) {
            game.another(step as u64, hall.clock.now()).into()
        } else {
            vec![Event::Retract { to_ply: PLIES }]
        };
        hall.hand_in(events.into_iter().map(|event| (game.id.as_str(), event)).collect());
    }

    /// The hall.
    pub(crate) fn hall(&self) -> &Hall {
        &self.hall
    }
}
