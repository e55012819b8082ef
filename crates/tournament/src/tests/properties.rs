//! Any orders in any order: the facts give the same hall again, and nothing is doubled.

use std::collections::BTreeSet;

use game_core::input::Command;
use proptest::prelude::*;
use shakmaty::Position;

use super::*;

const SECTIONS: [&str; 3] = ["live", "open", "blitz"];
const RESULTS: [&str; 7] = ["1-0", "0-1", "1/2-1/2", "0-0", "+ - -", "*", "nonsense"];
const NAMES: [&str; 6] = ["Zadams", "Zbaker", "Zclark", "Zdavis", "Zevans", "Zfrank"];

/// Something happens: what, to whom and with what, as numbers that are taken modulo what there is.
type Step = (u8, u8, u8, u8, bool);

impl Director {
    fn at<T: Clone>(items: &[T], place: u8) -> Option<T> {
        items.get(usize::from(place) % items.len().max(1)).cloned()
    }

    fn order_of(&self, (kind, a, b, c, confirm): Step) -> Option<Order> {
        let games: Vec<String> = self.hall.games().map(|found| found.game.id.to_string()).collect();
        let players: Vec<PlayerId> = (0..=self.hall.next_player().0).map(PlayerId).collect();
        let game = || Self::at(&games, a);
        let section = Self::at(&SECTIONS, a)?.to_owned();
        let round = u32::from(b % 3) + 1;
        let board = serial(usize::from(b % 4) + 1);
        let player = |place| Self::at(&players, place);
        let entered =
            || EnteredMove { san: ["e4", "e5", "Nf3", "a6"][usize::from(c % 4)].into(), clk_ms: None, emt_ms: None };
        let person = || Person { name: format!("Z{}", char::from(b'a' + c % 26)), ..Person::default() };
        Some(match kind % 35 {
            0 => Order::SetSection {
                settings: SectionSettings {
                    first_table: if section == "blitz" { 2 } else { 1 },
                    open_play: section == "live",
                    boardless_games: b % 2 == 0,
                    forfeits: c % 2 == 0,
                    ..SectionSettings::named(section.clone())
                },
                confirm: true,
                section,
            },
            1..=3 => {
                let mut names = NAMES;
                names.rotate_left(usize::from(c % 6));
                let score = RESULTS[usize::from(c / 6 % 6)].replace('*', "");
                let rows = format!(
                    "{round};1;{};{};{score}, {round};2;{};{};, {round};{};{};{};",
                    names[0],
                    names[1],
                    names[2],
                    names[3],
                    3 + c % 2,
                    names[4],
                    names[5]
                );
                load(&section, &rows, confirm)
            }
            4 | 5 => Order::Publish { section, round, confirm },
            6 => Order::Arm { section, round, confirm },
            7 if confirm => Order::Unpublish { section, round, confirm: c % 2 == 0 },
            7 => Order::Finish { section, round },
            8 => Order::Reopen { section, round },
            9 => Order::RegisterBoard { board },
            10 => Order::SeatBoards { seats: vec![Seat { table: u32::from(c % 5), board: confirm.then_some(board) }] },
            11 => Order::SwapBoard { game: game()?, board, exchange: false },
            12 => Order::Adjourn { game: game()? },
            13 => Order::Resume { game: game()?, board: confirm.then_some(board) },
            14 => {
                Order::SetResult { game: game()?, result: Self::at(&RESULTS, b)?.into(), reason: None, confirm: false }
            }
            15 => Order::EditMoves { game: game()?, edit: MoveEdit::Cut { after: u32::from(c % 4) }, cut: confirm },
            16 => {
                let edit = MoveEdit::Replace { ply: u32::from(b % 4), played: entered() };
                Order::EditMoves { game: game()?, edit, cut: confirm }
            }
            17 => {
                let edit = MoveEdit::Set { after: 0, moves: vec![entered()], instead_of: None };
                Order::EditMoves { game: game()?, edit, cut: confirm }
            }
            18 => Order::SetPlayers { game: game()?, white: player(b), black: player(c), confirm },
            19 => Order::Pair {
                section,
                round,
                number: None,
                white: player(b)?,
                black: player(c)?,
                boardless: confirm,
                confirm,
            },
            20 => Order::Unpair { game: game()?, confirm },
            21 => Order::SetBye { section, round, player: player(c)?, kind: confirm.then_some(ByeKind::Half) },
            22 => Order::Withdraw { game: game()? },
            23 => Order::Restore { game: game()? },
            24 => {
                let open = self.hall.games().filter(|found| found.section.settings.open_play);
                let apart: Vec<_> =
                    self.hall.unassigned.keys().chain(open.map(|found| &found.game.id)).cloned().collect();
                Order::Adopt { unassigned: Self::at(&apart, b)?.to_string(), game: game()?, confirm }
            }
            25 => Order::Undo { number: u32::from(b) % (self.hall.next_correction() + 1) },
            26 => {
                let shown = [Display::Full, Display::Initials, Display::Number, Display::Hidden];
                Order::SetDisplay { player: player(b)?, display: Self::at(&shown, c)? }
            }
            27 if confirm => Order::Forget { player: player(b)? },
            27 => Order::SetPlayer { player: player(b)?, person: person() },
            28 => Order::EndEvent { section, confirm },
            29 => Order::ResumeEvent { section },
            30 => Order::RemoveSection { section },
            31 => Order::RestoreSection { section },
            32 => Order::ExchangePlayers { section, round, one: player(b)?, other: player(c)? },
            33 if confirm => Order::RemovePlayer { player: player(b)? },
            33 => Order::AddPlayer { section, person: person(), number: None },
            _ => Order::SetStart { section, round, start: confirm.then(|| DrawnStart::Chess960(u32::from(c))) },
        })
    }

    fn step(&mut self, step: Step) {
        let (kind, a, b, ..) = step;
        let board = usize::from(a % 4) + 1;
        match kind {
            // Every second step is a board's.
            0..=50 => _ = self.start(board),
            51..=110 => self.play_any(board, b),
            111..=120 => self.end_any(board, b),
            _ => {
                let Some(order) = self.order_of(step) else { return };
                let Ok(decision) = self.ask(&order) else { return };
                self.record(&decision);
                for (board, notice) in &decision.boards {
                    if let Notice::Command(Command { order, .. }) = notice {
                        self.obey(board, order);
                    }
                }
            }
        }
    }

    fn on_board(&self, board: &str) -> Option<(GameRef, Game)> {
        let id = self.hall.playing(board)?;
        Some((self.hall.game_ref(id)?, self.games.get(&**id)?.clone()))
    }

    fn play_any(&mut self, board: usize, which: u8) {
        let Some((at, game)) = self.on_board(&serial(board)) else { return };
        let mut line = Line::new(start_position(game.fen(), game.variant()).unwrap(), game.variant());
        for played in game.moves() {
            let found = find_move(line.head(), &played.san).unwrap();
            assert!(line.push(found));
        }
        let moves = line.head().legal_moves();
        let Some(mv) = Self::at(&moves, which) else { return };
        let san = notation::play::write_move(line.head(), mv);
        self.record_events(&at, &[next_move(&game, &san)]);
    }

    fn end_any(&mut self, board: usize, which: u8) {
        if self.on_board(&serial(board)).is_some() {
            self.result(board, RESULTS[usize::from(which % 3)]);
        }
    }

    /// What a board's session does with an operator's order.
    fn obey(&mut self, board: &str, order: &BoardOrder) {
        let Some((at, mut game)) = self.on_board(board) else { return };
        match order {
            BoardOrder::Moves { keep, moves } => {
                let mut events = vec![Event::Retract { to_ply: *keep }];
                game.apply(&events[0]);
                for uci in moves {
                    let event = next_move(&game, uci);
                    game.apply(&event);
                    events.push(event);
                }
                self.record_events(&at, &events);
            }
            BoardOrder::Result { result, .. } => {
                let result = Outcome::parse(result).unwrap();
                self.record_events(&at, &[Event::Result { result, reason: "operator".into() }]);
            }
            other => panic!("nobody orders {other:?}"),
        }
    }

    fn check(&self) -> Result<(), TestCaseError> {
        prop_assert_eq!(&Hall::of(&self.facts), &self.hall);
        let written: Vec<_> = self.facts.iter().map(|fact| format!("{fact:?}")).collect();
        for name in NAMES {
            prop_assert!(!written.iter().any(|line| line.contains(name)), "a fact names {}", name);
        }
        let mut ids = BTreeSet::new();
        for found in self.hall.games() {
            prop_assert!(ids.insert(found.game.id.clone()), "{} is twice", found.game.id);
            if is_shown(&self.hall, &found) {
                let told = self.games.get(&*found.game.id).map(|game| game.tags().clone()).unwrap_or_default();
                prop_assert_eq!(told, public_tags(&self.hall, &self.persons, &found.game.id));
            }
        }
        for section in self.hall.sections.values().filter(|section| !section.settings.open_play) {
            for round in section.rounds.values() {
                let numbers: BTreeSet<_> = round.games.iter().map(|game| game.pair.number).collect();
                prop_assert_eq!(numbers.len(), round.games.len(), "a board is twice in a round");
            }
        }
        for seats in [self.hall.seats.values().collect::<Vec<_>>(), self.hall.on_boards.values().collect()] {
            let once: BTreeSet<_> = seats.iter().collect();
            prop_assert_eq!(once.len(), seats.len(), "{:?}", seats);
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn any_orders_leave_a_hall_that_is_the_fold_of_its_facts(steps in proptest::collection::vec(any::<Step>(), 1..120)) {
        let mut director = Director::new();
        // Some halls begin with open play, some with pairings.
        for place in u8::from(steps[0].4)..3 {
            let order = director.order_of((0, place, 0, 0, false)).unwrap();
            director.order(&order);
        }
        // And some are in the middle of a round.
        for step in [(9, 0), (9, 1), (1, 0), (1, 1), (4, 0)].into_iter().take(usize::from(steps[0].0 % 6)) {
            let order = director.order_of((step.0, 1, step.1, 30, true)).unwrap();
            director.order(&order);
        }
        for step in steps {
            director.step(step);
        }
        director.check()?;
    }
}
