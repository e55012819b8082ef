//! The simulated board against docs/protocol.md, byte by byte.

use board_sim::{
    board::{BoardMode, SimBoard},
    placement,
};
use dgt_protocol::{ClockTimes, Field, PieceCode, SideTime};
use shakmaty::Board;

/// A board with the pieces at the start, and its time.
struct Bench {
    board: SimBoard,
    now_ms: u64,
}

const E2: u8 = 52;
const E4: u8 = 36;
/// The board 1025 is the example of docs/protocol.md, 4.6: its address is 08 01.
const SERIAL: u32 = 1_025;

impl Bench {
    fn new(version: (u8, u8)) -> Self {
        let mut board = SimBoard::new(SERIAL, version, 200, 1);
        for (square, piece) in Board::new() {
            let field = placement::field(square, false).expect("a field");
            board.touch(0, field, placement::code(Some(piece)));
        }
        board.power_on();
        Self { board, now_ms: 0 }
    }

    /// Says bytes given in hex; gives what comes back at once, a message each.
    fn say(&mut self, hex: &str) -> Vec<String> {
        let bytes: Vec<u8> = hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect();
        self.board.host_bytes(self.now_ms, &bytes);
        self.sent()
    }

    fn sent(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.board.next_outgoing())
            .map(|message| message.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" "))
            .collect()
    }

    /// Lets time pass; gives what is sent meanwhile.
    fn wait(&mut self, ms: u64) -> Vec<String> {
        self.now_ms += ms;
        self.board.advance(self.now_ms);
        self.sent()
    }

    fn set(&mut self, field: u8, piece: PieceCode) {
        let field = Field::new(field).expect("a field");
        self.board.touch(self.now_ms, field, piece);
    }

    fn play_e4(&mut self) {
        self.set(E2, PieceCode::Empty);
        self.now_ms += 600;
        self.board.advance(self.now_ms);
        self.set(E4, PieceCode::WhitePawn);
    }

    fn show(&mut self, left_s: u32, right_s: u32, running: bool, right_side_up: bool) {
        let times = ClockTimes {
            left: SideTime::from_seconds(left_s),
            right: SideTime::from_seconds(right_s),
            running,
            right_side_up,
            left_to_move: !right_side_up,
            right_to_move: right_side_up,
            ..ClockTimes::default()
        };
        self.board.show_clock(self.now_ms, Some(times));
    }
}

fn start_dump() -> String {
    let mut dump = "86 00 43 08 09 0a 0c 0b 0a 09 08".to_owned();
    dump += &" 07".repeat(8);
    dump += &" 00".repeat(32);
    dump += &" 01".repeat(8);
    dump + " 02 03 04 06 05 04 03 02"
}

#[test]
fn after_power_up_a_board_is_silent_and_any_single_mode_command_wakes_it_and_is_executed() {
    let mut bench = Bench::new((1, 8));
    assert_eq!(bench.board.mode(), BoardMode::Bus);
    bench.show(180, 180, false, false);
    bench.play_e4();
    assert!(bench.wait(2_000).is_empty());
    assert_eq!(bench.say("4d"), ["93 00 05 01 08"]);
    assert_eq!(bench.board.mode(), BoardMode::Idle);
    bench.set(E4, PieceCode::Empty);
    assert!(bench.wait(2_000).is_empty(), "single mode begins idle");
}

#[test]
fn every_question_of_single_mode_has_its_answer() {
    let mut bench = Bench::new((3, 1));
    assert_eq!(bench.say("40"), [""; 0]);
    assert_eq!(bench.say("41"), ["8d 00 0a 00 00 00 00 00 00 20"], "no clock");
    bench.show(5_400, 3_723, true, true);
    assert_eq!(bench.say("41"), ["8d 00 0a 01 02 03 01 30 00 13"]);
    assert_eq!(bench.say("42"), [start_dump()]);
    assert_eq!(bench.say("45"), ["91 00 08 30 31 30 32 35"]);
    assert_eq!(bench.say("46"), ["90 00 05 08 01"]);
    assert_eq!(bench.say("48"), ["96 00 05 01 00"]);
    assert_eq!(bench.say("4c"), ["a0 00 0c 64 7f 7f 01 00 00 00 00 01"]);
    assert_eq!(bench.say("4d"), ["93 00 05 03 01"]);
    assert_eq!(bench.say("55"), ["a2 00 0d 30 30 30 30 30 30 31 30 32 35"]);
    let trademark = bench.say("47").remove(0);
    assert!(trademark.starts_with("92 ") && trademark.len() > 150);
    assert_eq!(bench.say("4d 45"), ["93 00 05 03 01", "91 00 08 30 31 30 32 35"]);
    assert_eq!(bench.say("50").remove(0).len(), 53 * 3 - 1);
    let light = bench.say("52").remove(0);
    assert!(light.starts_with("95 00 35 08 0a 0b 09 07 07 07 07 00"), "{light}");
    assert_eq!(bench.say("4a"), [""; 0]);
    assert_eq!(bench.board.mode(), BoardMode::Bus);
}

#[test]
fn a_board_without_a_battery_does_not_answer_for_one() {
    let mut bench = Bench::new((1, 8));
    assert!(bench.say("4c 55 56 57 58").is_empty());
}

#[test]
fn the_trademark_is_our_own() {
    let mut bench = Bench::new((1, 8));
    bench.board.host_bytes(0, &[0x47]);
    let text = bench.board.next_outgoing().expect("a trademark");
    let text = String::from_utf8_lossy(&text[3..]).into_owned();
    assert!(text.contains("boardcast simulated board") && text.contains("01025"), "{text}");
    assert!(!text.contains("DGT"));
}

#[test]
fn update_modes_send_changes_of_fields_and_only_those_asked_for_clocks() {
    let mut bench = Bench::new((1, 8));
    bench.show(180, 180, false, false);
    let moved = ["8e 00 05 34 00", "8e 00 05 24 01"];

    assert!(bench.say("44").is_empty(), "no update mode tells the position by itself");
    bench.play_e4();
    bench.show(180, 180, true, false);
    assert_eq!(bench.wait(3_000), moved, "44: fields only");

    let mut bench = Bench::new((1, 8));
    bench.show(180, 180, false, false);
    assert!(bench.say("4b").is_empty());
    bench.play_e4();
    assert_eq!(bench.wait(5_000), moved, "4b: an unchanged clock says nothing");
    bench.show(180, 180, true, false);
    bench.show(180, 180, true, false);
    assert_eq!(bench.wait(5_000), ["8d 00 0a 00 03 00 00 03 00 09"], "4b: once for each change");

    let mut bench = Bench::new((1, 8));
    bench.show(180, 180, false, false);
    bench.say("43");
    let standing = "8d 00 0a 00 03 00 00 03 00 08";
    assert_eq!(bench.wait(3_000), [standing; 3], "43: every second, changed or not");
    assert!(bench.say("40").is_empty());
    bench.play_e4();
    assert!(bench.wait(3_000).is_empty(), "40 ends every update mode");
}

#[test]
fn questions_do_not_disturb_an_update_mode() {
    let mut bench = Bench::new((1, 8));
    bench.say("4b");
    bench.say("41 42 45 46 47 4d 49");
    bench.play_e4();
    assert_eq!(bench.wait(1_000).len(), 2);
}

#[test]
fn a_bus_command_in_single_mode_only_changes_the_mode() {
    let mut bench = Bench::new((1, 8));
    bench.say("4b");
    let to_me = "82 08 01 0b";
    assert!(bench.say(to_me).is_empty());
    assert_eq!(bench.board.mode(), BoardMode::Bus);
    assert_eq!(bench.say(to_me).remove(0).len(), 70 * 3 - 1);
    bench.play_e4();
    assert!(bench.wait(1_000).is_empty(), "the ping of a bus search ends the update mode");
    bench.say("4b");
    bench.set(E4, PieceCode::Empty);
    assert_eq!(bench.wait(1_000), ["8e 00 05 24 00"], "4b arms it again");
}

#[test]
fn on_a_bus_a_board_answers_what_is_addressed_to_it() {
    let mut bench = Bench::new((1, 8));
    assert_eq!(bench.say("87 08 01 10"), ["87 00 06 08 01 16"]);
    assert!(bench.say("87 08 02 11").is_empty(), "another board is meant");
    assert!(bench.say("87 08 01 11").is_empty(), "the checksum is wrong");
    assert_eq!(bench.say("8b 08 01 14"), ["89 00 08 08 01 01 08 23"]);
    bench.show(180, 179, true, true);
    assert_eq!(bench.say("81 08 01 0a"), ["84 00 0d 08 01 00 02 59 00 03 00 13 0b"]);
    assert_eq!(bench.say("8c 08 01 15").remove(0).len(), 56 * 3 - 1);
    let all: Vec<String> = bench.say("8d 08 01 16").into_iter().map(|reply| reply[..2].to_owned()).collect();
    assert_eq!(all, ["85", "84", "83"]);
}

#[test]
fn a_ping_to_all_is_answered_within_1100_ms_unless_the_board_was_told_to_ignore_it() {
    for seed in 0..50 {
        let mut board = SimBoard::new(SERIAL, (1, 8), 200, seed);
        board.power_on();
        board.host_bytes(0, &[0x87, 0, 0, 7]);
        assert!(board.next_outgoing().is_none() || board.next_due() == Some(0));
        board.advance(1_100);
        assert_eq!(board.next_outgoing(), Some(vec![0x87, 0, 6, 8, 1, 0x16]));
    }
    let mut bench = Bench::new((1, 8));
    assert_eq!(bench.say("8a 08 01 13"), ["87 00 06 08 01 16"]);
    bench.say("87 00 00 07");
    assert!(bench.wait(1_200).is_empty());
    bench.say("87 00 00 07");
    assert_eq!(bench.wait(1_200).len(), 1, "only one ping is ignored");
}

#[test]
fn the_bus_fetches_changes_once_repeats_them_and_tells_all_since_the_start() {
    let mut bench = Bench::new((1, 8));
    bench.say("83 08 01 0c");
    assert!(bench.say("85 08 01 0e").is_empty(), "writing takes a moment");
    assert_eq!(bench.wait(70), ["88 00 06 08 01 17"]);
    let pieces = bench.say("83 08 01 0c").remove(0);
    assert!(pieces.contains(" 7b ") && pieces.len() == (6 + 1 + 64) * 3 - 1, "the tag and 32 pieces");
    bench.play_e4();
    bench.wait(1_000);
    let moved = ["85 00 0a 08 01 40 34 41 24 71"];
    assert_eq!(bench.say("83 08 01 0c"), moved);
    assert_eq!(bench.say("84 08 01 0d"), moved);
    assert_eq!(bench.say("83 08 01 0c"), ["85 00 06 08 01 14"], "nothing new");
    let since_start = bench.say("86 08 01 0f").remove(0);
    assert!(since_start.starts_with("86 00 4b 08 01 7b "), "{since_start}");
    assert!(since_start.contains(" 40 34 41 24 "));
}

#[test]
fn the_log_remembers_power_up_pieces_moves_and_the_stopped_side() {
    let mut bench = Bench::new((1, 8));
    bench.show(180, 180, true, false);
    bench.play_e4();
    bench.wait(1_000);
    bench.show(176, 180, true, true);
    let log = bench.say("49").remove(0);
    assert!(log.starts_with("8f "), "{log}");
    assert!(log.contains(" 7f 7f 7f 6a "), "power-up");
    assert!(log.ends_with(" 40 34 41 24 70 02 56 6b"), "e2, e4, left stopped at 2:56, end: {log}");
    assert!(bench.say("49").remove(0).ends_with(" 6e 6b"), "the download is noted");
}

#[test]
fn forbidden_commands_are_remembered_and_change_nothing() {
    let mut bench = Bench::new((1, 8));
    bench.say("4b");
    let forbidden = "2b 03 03 09 00 2c 4e 51 53 54 63 01 00";
    assert!(bench.say(forbidden).is_empty());
    bench.play_e4();
    assert_eq!(bench.wait(1_000).len(), 2);
    bench.say("88 00 00 08 89 00 00 09 a0 08 01 29 a1 08 01 2a a2 08 01 2b");
    let commands = bench.board.host_commands();
    assert_eq!(commands.forbidden, [0x2b, 0x2c, 0x4e, 0x51, 0x53, 0x54, 0x63, 0x88, 0x89, 0xa0, 0xa1, 0xa2]);
    assert_eq!((commands.count(0x4b), commands.unknown), (1, 0));
}

#[test]
fn a_power_cycle_ends_everything_but_the_log() {
    let mut bench = Bench::new((1, 8));
    bench.say("4b 42");
    assert!(bench.board.is_followed());
    bench.board.power_off();
    bench.play_e4();
    bench.wait(1_000);
    assert!(bench.say("42").is_empty());
    bench.board.power_on();
    assert_eq!(bench.board.mode(), BoardMode::Bus);
    assert!(!bench.board.is_followed());
    let dump = bench.say("42").remove(0);
    assert_ne!(dump, start_dump(), "the first scan finds what was moved meanwhile");
    assert!(bench.say("49").remove(0).matches(" 7f 7f 7f 6a").count() == 2);
}

#[test]
fn a_board_is_followed_on_a_bus_too() {
    let mut bench = Bench::new((1, 8));
    assert!(!bench.board.is_followed());
    bench.say("82 08 01 0b");
    assert!(bench.board.is_followed());
    bench.say("42");
    assert!(!bench.board.is_followed(), "single mode, but not armed");
    bench.say("87 00 00 07");
    assert!(!bench.board.is_followed(), "a search for boards is not yet interest in this one");
}

#[test]
fn any_bytes_are_survived_and_the_board_still_answers() {
    let mut rng = fastrand::Rng::with_seed(9);
    let mut bench = Bench::new((3, 1));
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..rng.usize(1..12)).map(|_| rng.u8(..)).collect();
        bench.board.host_bytes(bench.now_ms, &bytes);
        bench.wait(rng.u64(0..400));
    }
    bench.board.host_left();
    assert_eq!(bench.say("4d"), ["93 00 05 03 01"]);
}
