//! The arbiter's alarms: for each a game that raises it and one that comes close and does not.

use game_core::alarm::{Alarm, AlarmChange, AlarmKind, AlarmSentence, Alarms, Audience, Watched};
use game_core::event::{Event, Side, Variant};
use game_core::game::Game;
use game_core::placement::Placement;
use notation::pgn::Outcome;
use shakmaty::{fen::Fen, san::SanPlus};

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// One table of an armed round, looked at whenever something happens.
struct Table {
    alarms: Alarms,
    game: Game,
    placement: Option<Placement>,
    now: u64,
    armed: bool,
    adjourned: bool,
    differing: Option<[&'static str; 2]>,
    default_ms: Option<u64>,
    silent_since: Option<u64>,
}

impl Table {
    fn from(fen: &str) -> Self {
        let mut game = Game::new();
        assert!(game.apply(&Event::GameStarted { fen: fen.to_owned(), variant: Variant::Standard }));
        Self {
            alarms: Alarms::new(),
            game,
            placement: None,
            now: 0,
            armed: true,
            adjourned: false,
            differing: None,
            default_ms: None,
            silent_since: None,
        }
    }

    fn new() -> Self {
        Self::from(START)
    }

    fn play(&mut self, moves: &str) -> Vec<AlarmChange> {
        let mut changes = Vec::new();
        for san in moves.split_whitespace() {
            let mut after = self.game.position().clone();
            let mv = san.parse::<SanPlus>().unwrap().san.to_move(&after).unwrap();
            let uci = mv.to_uci(Variant::Standard.castling_mode()).to_string();
            let san = SanPlus::from_move_and_play_unchecked(&mut after, mv).to_string();
            let ply = u32::try_from(self.game.moves().len()).unwrap() + 1;
            self.tell(&Event::Move { ply, san, uci, clk_ms: None, emt_ms: None });
            changes.extend(self.look(SECOND));
        }
        changes
    }

    fn tell(&mut self, event: &Event) {
        assert!(self.game.apply(event), "{event:?}");
    }

    fn clock(&mut self, white: u64, black: u64, running: Option<Side>, flag: Option<Side>) {
        let (white_ms, black_ms) = (Some(white * SECOND), Some(black * SECOND));
        self.tell(&Event::Clock { white_ms, black_ms, running, flag, read_at: self.now });
    }

    /// The board shows this and recognition says that nothing explains it.
    fn show(&mut self, fen: &str) {
        let board: shakmaty::fen::Fen = fen.parse().unwrap();
        self.placement = Some(Placement::from_board(&board.as_setup().board));
        self.tell(&Event::Unexplained { squares: Vec::new() });
    }

    fn look(&mut self, passed_ms: u64) -> Vec<AlarmChange> {
        self.now += passed_ms;
        let watched = Watched {
            table: 7,
            section: None,
            game_id: "r3b7",
            game: &self.game,
            armed: self.armed,
            adjourned: self.adjourned,
            placement: self.placement.as_ref(),
            doubts: None,
            unconfirmed: None,
            silent_since: self.silent_since,
            shows_other: None,
            utc_offset_s: 3_600,
            started_at: Some(0),
            default_ms: self.default_ms,
            differing: self.differing,
        };
        self.alarms.update(self.now, &[watched])
    }

    fn kinds(&self) -> Vec<AlarmKind> {
        self.alarms.active().iter().map(|alarm| alarm.kind).collect()
    }

    fn only(&self) -> Alarm {
        let active = self.alarms.active();
        assert_eq!(active.len(), 1, "{active:?}");
        active[0].clone()
    }
}

#[test]
fn a_position_that_stands_three_times_can_be_claimed_while_it_stands() {
    let mut table = Table::new();
    table.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    assert_eq!(table.kinds(), []);
    table.play("Ng8");
    let alarm = table.only();
    assert_eq!((alarm.kind, alarm.rule, alarm.ply), (AlarmKind::ThreefoldRepetition, Some("9.2.2"), Some(8)));
    assert_eq!((alarm.sides.as_slice(), alarm.audience, alarm.can_wait), (&[Side::White][..], Audience::Arbiter, true));
    assert_eq!(table.play("e4"), [AlarmChange::Cleared { id: alarm.id }]);
}

#[test]
fn positions_that_look_the_same_are_not_when_castling_or_en_passant_differ() {
    let mut castling = Table::from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    castling.play("Ra2 Ra7 Ra1 Ra8 Ra2 Ra7 Ra1 Ra8");
    assert_eq!(castling.kinds(), [], "the first time White and Black could castle to both sides");
    castling.play("Ra2 Ra7");
    assert_eq!(castling.kinds(), [AlarmKind::ThreefoldRepetition]);

    let mut taken = Table::from("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1");
    taken.play("a4 Ke7 Ke2 Ke8 Ke1 Ke7 Ke2 Ke8 Ke1");
    assert_eq!(taken.kinds(), [], "the first time the pawn could be taken in passing");
    let mut not_taken = Table::from("4k3/8/8/8/2p5/8/P7/4K3 w - - 0 1");
    not_taken.play("a4 Ke7 Ke2 Ke8 Ke1 Ke7 Ke2 Ke8 Ke1");
    assert_eq!(not_taken.kinds(), [AlarmKind::ThreefoldRepetition], "no pawn stood beside it");
    let mut pinned = Table::from("4k3/8/8/8/4p3/8/3P4/4RK2 w - - 0 1");
    pinned.play("d4 Kd8 Kf2 Ke8 Kf1 Kd8 Kf2 Ke8 Kf1");
    assert_eq!(pinned.kinds(), [AlarmKind::ThreefoldRepetition], "taking would open the file to the king");
}

#[test]
fn a_position_that_stands_five_times_ends_the_game_whatever_follows() {
    let mut table = Table::new();
    table.play(&"Nf3 Nf6 Ng1 Ng8 ".repeat(3));
    table.play("Nf3 Nf6 Ng1");
    assert_eq!(table.kinds(), [AlarmKind::ThreefoldRepetition], "four times");
    table.play("Ng8");
    let alarm = table.only();
    assert_eq!((alarm.kind, alarm.rule, alarm.ply), (AlarmKind::FivefoldRepetition, Some("9.6.1"), Some(16)));
    assert_eq!(table.play("e4 e5"), []);
    assert!(alarm.text.contains("after 8... Ng8"), "{}", alarm.text);
    table.tell(&Event::Result { result: Outcome::Draw, reason: "agreed".to_owned() });
    assert_eq!(table.look(SECOND), [AlarmChange::Cleared { id: alarm.id }]);
}

#[test]
fn fifty_and_seventy_five_moves_are_counted_from_the_last_capture_or_pawn_move() {
    let mut table = Table::from("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80");
    assert_eq!(table.look(SECOND), []);
    table.play("Ra2");
    let fifty = table.only();
    assert_eq!((fifty.kind, fifty.rule, &fifty.sides[..]), (AlarmKind::FiftyMoves, Some("9.3.2"), &[Side::Black][..]));
    let mut progress = Table::from("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80");
    progress.play("e3 Ke7");
    assert_eq!(progress.kinds(), []);

    let mut table = Table::from("4k3/8/8/8/8/8/4P3/R3K3 w - - 149 105");
    table.look(0);
    assert_eq!(table.kinds(), [AlarmKind::FiftyMoves]);
    table.play("Ra2");
    assert_eq!((table.only().kind, table.only().rule), (AlarmKind::SeventyFiveMoves, Some("9.6.2")));
    table.play("Ke7 e4");
    assert_eq!(table.kinds(), [AlarmKind::SeventyFiveMoves], "it was drawn before");
    let mut mate = Table::from("4k3/R7/4K3/8/8/8/8/8 w - - 149 105");
    mate.play("Ra8#");
    assert_eq!(mate.kinds(), [], "mate goes before");
}

#[test]
fn a_dead_position_ends_the_game() {
    let mut table = Table::from("4k3/8/8/8/8/8/3p4/4K2N w - - 0 1");
    table.look(0);
    assert_eq!(table.kinds(), []);
    table.play("Kxd2");
    assert_eq!((table.only().kind, table.only().rule), (AlarmKind::DeadPosition, Some("5.2.2")));
    let mut bishops = Table::from("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1");
    bishops.look(0);
    assert_eq!(bishops.kinds(), [AlarmKind::DeadPosition], "c1 and f8 are both dark");
    let mut opposite = Table::from("4k1b1/8/8/8/8/8/8/2B1K3 w - - 0 1");
    opposite.look(0);
    assert_eq!(opposite.kinds(), [], "the king can be shut in by its own bishop");
}

#[test]
fn what_stands_on_the_board_is_told_when_it_cannot_be_played() {
    let mut table = Table::new();
    table.play("e4 e5");
    table.show("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBK1BNR");
    assert_eq!(table.look(0), []);
    assert_eq!(table.look(9 * SECOND), [], "it may be put right at once");
    table.look(SECOND);
    let alarm = table.only();
    assert_eq!((alarm.kind, alarm.rule), (AlarmKind::IllegalPosition, Some("7.5.1")));
    assert!(alarm.text.contains("d1, e1"), "{}", alarm.text);
    table.tell(&Event::Resolved);
    assert_eq!(table.look(SECOND), [AlarmChange::Cleared { id: alarm.id }]);

    // Pieces that fell are set up again, which takes a while.
    table.show("rnbq1bnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR");
    table.look(0);
    assert_eq!(table.look(MINUTE), []);
    table.look(MINUTE);
    assert_eq!(table.kinds(), [AlarmKind::IllegalPosition]);
}

#[test]
fn both_kings_in_check_and_a_pawn_on_the_last_rank_have_their_own_names() {
    let mut table = Table::from("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1");
    table.show("R3k3/8/8/8/8/8/4r3/4K3");
    table.look(0);
    table.look(10 * SECOND);
    assert_eq!((table.only().kind, table.only().rule), (AlarmKind::BothKingsInCheck, Some("7.5.1")));
    let mut one = Table::from("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1");
    one.show("4k3/8/8/8/8/8/4r3/1R2K3");
    one.look(0);
    one.look(10 * SECOND);
    assert_eq!(one.kinds(), [AlarmKind::IllegalPosition]);

    let mut pawn = Table::from("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    pawn.show("P6k/8/8/8/8/8/8/K7");
    pawn.look(0);
    pawn.look(10 * SECOND);
    let alarm = pawn.only();
    assert_eq!(
        (alarm.kind, alarm.rule, &alarm.sides[..]),
        (AlarmKind::PawnOnLastRank, Some("7.5.2"), &[Side::White][..])
    );
    let mut queen_comes = Table::from("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    queen_comes.show("P6k/8/8/8/8/8/8/K7");
    queen_comes.look(0);
    queen_comes.look(5 * SECOND);
    queen_comes.placement = None;
    queen_comes.tell(&Event::Resolved);
    queen_comes.play("a8=Q+");
    queen_comes.look(10 * SECOND);
    assert_eq!(queen_comes.kinds(), []);
}

#[test]
fn after_a_cable_was_out_nobody_is_accused_of_an_illegal_move() {
    let mut table = Table::from("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1");
    table.now = 13 * 3_600 * SECOND + 180 * SECOND;
    table.silent_since = Some(table.now);
    table.look(60 * SECOND);
    table.silent_since = None;
    table.show("R3k3/8/8/8/8/8/4r3/4K3");
    table.look(0);
    table.look(10 * SECOND);
    let alarm = table.only();
    assert_eq!((alarm.kind, alarm.rule, alarm.audience), (AlarmKind::MovesUnseen, None, Audience::Operator));
    assert!(alarm.text.starts_with("Table 7: moves went unseen (cable out 14:03 to 14:04)"), "{}", alarm.text);
    // The game goes on from what stands there: the record has a gap that somebody can fill.
    table.placement = None;
    let fen = "4k3/8/8/8/8/8/R7/4K3 b - - 0 1".to_owned();
    table.tell(&Event::Gap { after_ply: 0, fen: Some(fen) });
    table.look(10 * SECOND);
    assert!(table.only().text.contains("the moves after ply 0 went unseen"), "{}", table.only().text);
}

#[test]
fn an_illegal_move_after_an_outage_without_moves_is_one() {
    let mut table = Table::from("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1");
    table.now = 13 * 3_600 * SECOND;
    table.silent_since = Some(table.now);
    let recorded: Fen = table.game.fen().parse().unwrap();
    let recorded = Placement::from_board(&recorded.as_setup().board);
    table.look(20 * SECOND);
    (table.silent_since, table.placement) = (None, Some(recorded));
    table.look(SECOND);
    // The pieces of before: the board has not sent any yet.
    table.show("R3k3/8/8/8/8/8/4r3/4K3");
    table.look(SECOND);
    table.look(10 * SECOND);
    let alarm = table.only();
    assert_eq!(alarm.kind, AlarmKind::MovesUnseen);
    assert!(alarm.text.starts_with("Table 7: moves went unseen (cable out at 14:00); ask"), "{}", alarm.text);

    table.tell(&Event::Resolved);
    table.placement = Some(recorded);
    table.look(SECOND);
    table.look(10 * SECOND);
    assert_eq!(table.kinds(), []);
    table.show("4k3/8/8/8/8/4K3/4r3/R7");
    table.look(SECOND);
    table.look(10 * SECOND);
    let alarm = table.only();
    assert_eq!((alarm.kind, alarm.rule), (AlarmKind::IllegalPosition, Some("7.5.1")), "{}", alarm.text);
}

#[test]
fn a_fallen_flag_is_told_with_the_moves_and_with_what_the_opponent_can_do() {
    let mut table = Table::new();
    table.tell(&Event::Tags { tags: [("TimeControl".to_owned(), "40/5400:1800".to_owned())].into() });
    table.play("e4 e5 Nf3");
    table.clock(1_000, 1, Some(Side::Black), None);
    assert_eq!(table.look(SECOND), []);
    table.clock(1_000, 0, None, Some(Side::Black));
    table.look(SECOND);
    let alarm = table.only();
    assert_eq!((alarm.kind, alarm.rule, &alarm.sides[..]), (AlarmKind::FlagDown, Some("6.9"), &[Side::Black][..]));
    assert!(alarm.text.contains("Black's flag is down after 1 of the 40 moves asked for"), "{}", alarm.text);
    assert!(alarm.text.contains("The game is lost unless White cannot mate"), "{}", alarm.text);

    let mut bare = Table::from("4k3/8/8/8/8/8/8/R3K3 w - - 0 60");
    bare.play("Ra2");
    bare.clock(0, 55, None, Some(Side::White));
    bare.look(SECOND);
    assert!(bare.only().text.contains("Black cannot mate by any series of legal moves"), "{}", bare.only().text);

    // A clock that does not count moves passes zero and goes on.
    let mut goes_on = Table::new();
    goes_on.tell(&Event::Tags { tags: [("TimeControl".to_owned(), "2/60:1800".to_owned())].into() });
    goes_on.play("e4 e5 Nf3");
    goes_on.clock(50, 1_800, Some(Side::Black), Some(Side::Black));
    goes_on.look(SECOND);
    assert_eq!(goes_on.only().kind, AlarmKind::FlagDown, "one of two moves");
    goes_on.play("Nc6");
    goes_on.clock(50, 1_790, Some(Side::White), Some(Side::Black));
    goes_on.look(SECOND);
    assert_eq!(goes_on.kinds(), [], "two of two");
}

#[test]
fn a_player_who_has_not_moved_by_the_default_time_is_told() {
    let mut table = Table::new();
    table.default_ms = Some(15 * MINUTE);
    table.look(15 * MINUTE - 1);
    assert_eq!(table.kinds(), []);
    table.look(1);
    let alarm = table.only();
    assert_eq!((alarm.kind, alarm.rule, &alarm.sides[..]), (AlarmKind::NotStarted, Some("6.7.1"), &[Side::White][..]));
    table.play("e4");
    assert_eq!(table.only().sides, [Side::Black]);
    table.play("e5");
    assert_eq!(table.kinds(), []);
    let mut no_default_time = Table::new();
    no_default_time.look(60 * MINUTE);
    assert_eq!(no_default_time.kinds(), []);
}

#[test]
fn a_clock_that_stands_or_runs_against_the_mover_is_told_when_it_lasts() {
    let mut table = Table::new();
    table.play("e4");
    table.clock(900, 900, None, None);
    table.look(0);
    assert_eq!(table.look(2 * MINUTE - 1), [], "a question to the arbiter takes a minute");
    table.look(1);
    let alarm = table.only();
    assert_eq!((alarm.kind, alarm.rule), (AlarmKind::ClockStopped, Some("6.11")));
    table.clock(900, 900, Some(Side::White), None);
    assert_eq!(table.look(SECOND), [AlarmChange::Cleared { id: alarm.id }]);
    assert_eq!(table.look(MINUTE - 1), [], "White forgot to press, Black thinks");
    table.look(1);
    let alarm = table.only();
    assert_eq!(
        (alarm.kind, alarm.rule, &alarm.sides[..]),
        (AlarmKind::ClockAgainstMover, Some("6.2.1"), &[Side::White][..])
    );
    table.clock(870, 900, Some(Side::Black), None);
    assert_eq!(table.look(SECOND), [AlarmChange::Cleared { id: alarm.id }]);
    table.look(60 * MINUTE);
    assert_eq!(table.kinds(), []);
}

#[test]
fn the_clock_of_an_adjourned_game_may_stand() {
    let mut table = Table::new();
    table.default_ms = Some(MINUTE);
    table.play("e4");
    table.clock(900, 900, None, None);
    table.look(2 * MINUTE);
    table.adjourned = true;
    table.look(SECOND);
    table.look(3 * MINUTE);
    assert_eq!(table.kinds(), []);
    // Resumed: the players have to begin within the usual times.
    table.adjourned = false;
    table.default_ms = None;
    table.look(SECOND);
    table.look(2 * MINUTE - 1);
    assert_eq!(table.kinds(), []);
    table.look(1);
    assert_eq!(table.kinds(), [AlarmKind::ClockStopped]);
}

#[test]
fn a_result_that_differs_from_the_pairings_is_for_the_operator_also_when_the_round_is_over() {
    let mut table = Table::new();
    table.play("e4 e5");
    assert_eq!(table.look(SECOND), []);
    table.differing = Some(["1-0", "+ - -"]);
    table.armed = false;
    table.look(SECOND);
    let alarm = table.only();
    assert_eq!((alarm.kind, alarm.rule, alarm.audience), (AlarmKind::ResultDiffers, None, Audience::Operator));
    assert!(alarm.can_wait && alarm.text.contains("1-0") && alarm.text.contains("+ - -"), "{}", alarm.text);
    table.differing = None;
    assert_eq!(table.look(SECOND), [AlarmChange::Cleared { id: alarm.id }]);
}

#[test]
fn an_alarm_is_raised_once_acknowledged_once_and_only_while_the_round_is_armed() {
    let mut table = Table::from("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    table.armed = false;
    assert_eq!(table.look(SECOND), []);
    table.armed = true;
    let raised = table.look(SECOND);
    let alarm = table.only();
    assert_eq!(raised, [AlarmChange::Raised { alarm: alarm.clone() }]);
    assert_eq!(table.look(SECOND), []);
    let acknowledged = Alarm { acknowledged: Some(("Ada".to_owned(), 5)), ..alarm.clone() };
    assert_eq!(
        table.alarms.acknowledge(alarm.id, "Ada", 5),
        Some(AlarmChange::Changed { alarm: acknowledged.clone() })
    );
    assert_eq!(table.alarms.acknowledge(alarm.id, "Bob", 6), None);
    assert_eq!(table.look(SECOND), []);
    assert_eq!(table.only(), acknowledged);
    table.armed = false;
    assert_eq!(table.look(SECOND), [AlarmChange::Cleared { id: alarm.id }]);
}

#[test]
fn an_alarm_that_holds_over_a_restart_keeps_its_time_and_stays_acknowledged() {
    let mut table = Table::new();
    table.play("e4");
    table.clock(900, 900, None, None);
    table.look(0);
    table.look(2 * MINUTE);
    let before = table.only();
    table.alarms.acknowledge(before.id, "Ada", 5);
    let kept = serde_json::to_string(&table.alarms.to_keep()).unwrap();
    let restarted = |table: &mut Table| {
        table.alarms = Alarms::new();
        table.alarms.recall(serde_json::from_str(&kept).unwrap());
        table.look(MINUTE);
        assert_eq!(table.kinds(), []);
        assert_eq!(serde_json::to_string(&table.alarms.to_keep()).unwrap(), kept, "the daemon ends again at once");
    };
    restarted(&mut table);
    table.look(2 * MINUTE);
    let again = table.only();
    assert_eq!((again.raised_at, again.acknowledged), (before.raised_at, Some(("Ada".to_owned(), 5))));
    assert_eq!(table.alarms.to_keep().len(), 1);

    // A move later it is another alarm, and so it is long after the start.
    restarted(&mut table);
    table.play("e5");
    table.look(2 * MINUTE);
    assert_eq!(table.only().acknowledged, None);
    table.tell(&Event::Retract { to_ply: 1 });
    restarted(&mut table);
    table.clock(900, 900, Some(Side::Black), None);
    table.look(10 * MINUTE);
    table.clock(900, 900, None, None);
    table.look(SECOND);
    table.look(2 * MINUTE);
    assert_eq!(table.only().acknowledged, None);
}

/// A game at a table of a hall, whose board cannot be reached since then.
fn at_table<'a>(table: u32, game_id: &'a str, game: &'a Game, silent_since: Option<u64>) -> Watched<'a> {
    Watched {
        table,
        section: None,
        game_id,
        game,
        armed: true,
        adjourned: false,
        placement: None,
        doubts: None,
        unconfirmed: None,
        silent_since,
        shows_other: None,
        utc_offset_s: 3_600,
        started_at: None,
        default_ms: None,
        differing: None,
    }
}

/// Looks at a hall of which some boards cannot be reached: table number and since when.
fn look_at_hall(alarms: &mut Alarms, now: u64, silent: &[(u32, u64)]) -> Vec<AlarmChange> {
    let game = Game::new();
    let ids: Vec<String> = (1..=20).map(|table| format!("g{table}")).collect();
    let since = |table| silent.iter().find(|(other, _)| *other == table).map(|(_, since)| *since);
    let tables: Vec<_> = (1..=20).zip(&ids).map(|(table, id)| at_table(table, id, &game, since(table))).collect();
    alarms.update(now, &tables)
}

#[test]
fn a_table_whose_board_was_replaced_is_named_once_when_both_boards_are_silent() {
    let mut alarms = Alarms::new();
    let game = Game::new();
    let both = [at_table(7, "g7", &game, Some(1_000)), at_table(7, "g7-again", &game, Some(2_000))];
    let changes = alarms.update(12_000, &both);
    let [AlarmChange::Raised { alarm }] = &changes[..] else { panic!("{changes:?}") };
    assert_eq!(alarm.tables, [7]);
    assert!(!alarm.text.contains("7, 7"), "{}", alarm.text);
}

#[test]
fn boards_that_vanish_together_are_one_alarm() {
    let mut alarms = Alarms::new();
    let dark: Vec<_> = (3..=14).map(|table| (table, 1_000 + u64::from(table) * 200)).collect();
    assert_eq!(look_at_hall(&mut alarms, 11_000, &dark), [], "a cable is put back");
    let changes = look_at_hall(&mut alarms, 12_000, &dark);
    let [AlarmChange::Raised { alarm }] = &changes[..] else { panic!("{changes:?}") };
    assert!(alarm.text.starts_with("12 boards do not answer: power or cable?"), "{}", alarm.text);
    assert_eq!((alarm.kind, alarm.audience, alarm.tables.len()), (AlarmKind::BoardSilent, Audience::Operator, 12));
    // One more, later, has a cause of its own.
    let more: Vec<_> = dark.iter().copied().chain([(20, 30_000)]).collect();
    let changes = look_at_hall(&mut alarms, 40_000, &more);
    let [AlarmChange::Raised { alarm: alone }] = &changes[..] else { panic!("{changes:?}") };
    assert_eq!(alone.tables, [20]);
    // All but one come back.
    let changes = look_at_hall(&mut alarms, 50_000, &[(3, 1_600)]);
    let [AlarmChange::Changed { alarm: rest }, AlarmChange::Cleared { id }] = &changes[..] else {
        panic!("{changes:?}")
    };
    assert_eq!((rest.id, &rest.tables[..], *id), (alarm.id, &[3][..], alone.id));
    assert_eq!(look_at_hall(&mut alarms, 60_000, &[]), [AlarmChange::Cleared { id: alarm.id }]);
}

#[test]
fn trouble_of_the_daemon_itself_is_an_alarm_whether_or_not_a_round_is_armed() {
    let mut alarms = Alarms::new();
    assert_eq!(alarms.daemon(1_000, AlarmKind::RecordFailing, Vec::new()), None, "nothing is wrong");
    let full = || vec![AlarmSentence::ClockStopped { table: 1 }.coded()];
    let Some(AlarmChange::Raised { alarm }) = alarms.daemon(2_000, AlarmKind::RecordFailing, full()) else {
        panic!("it is new")
    };
    assert_eq!((alarm.audience, alarm.rule, alarm.game.as_deref()), (Audience::Operator, None, None));
    assert_eq!(alarms.daemon(3_000, AlarmKind::RecordFailing, full()), None, "raised once");
    assert_eq!(look_at_hall(&mut alarms, 4_000, &[]), [], "no table ends it");
    assert!(alarms.acknowledge(alarm.id, "Ada", 5_000).is_some());
    assert_eq!(alarms.active().len(), 1);
    let cleared = alarms.daemon(6_000, AlarmKind::RecordFailing, Vec::new());
    assert_eq!(cleared, Some(AlarmChange::Cleared { id: alarm.id }));
}

#[test]
fn alarms_go_out_as_json() {
    let mut table = Table::from("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let changes = table.look(SECOND);
    let json = serde_json::to_string(&changes).unwrap();
    assert!(json.starts_with(
        r#"[{"change":"raised","alarm":{"id":1,"kind":"dead_position","audience":"arbiter","rule":"5.2.2""#
    ));
    let fen: Fen = table.game.fen().parse().expect("a FEN");
    assert_eq!(fen.as_setup().board.kings().count(), 2);
}
