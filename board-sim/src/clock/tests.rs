//! The clock against captured bytes and the rules of its time controls.

use notation::time_control::TimeControl;

use super::*;

fn clock(time_control: &str, counts_moves: bool, white: Side) -> SimClock {
    let Ok(TimeControl::Periods(periods)) = time_control.parse() else {
        panic!("{time_control} has periods");
    };
    let settings =
        ClockSettings { first: periods[0], later: periods[1..].to_vec(), counts_moves, bonus: Bonus::Fischer };
    SimClock::new(settings, white, 0)
}

#[test]
fn the_first_moves_of_the_captured_game_give_its_bytes() {
    let mut clock = clock("180+2", true, Side::Left);
    let mut bytes = vec![encoded(&clock)];
    clock.start(390);
    bytes.push(encoded(&clock));
    for now in [1_390, 2_390, 3_390] {
        assert_eq!(clock.next_change(), Some(now));
        clock.advance(now);
        bytes.push(encoded(&clock));
    }
    clock.press(Side::Left, 4_000);
    bytes.push(encoded(&clock));
    assert_eq!(
        bytes,
        [
            "8d000a20030220030208",
            "8d000a20030220030209",
            "8d000a20030220030109",
            "8d000a20030220030009",
            "8d000a20030220025909",
            "8d000a20030220030113",
        ]
    );
}

#[test]
fn on_a_rotated_board_white_is_on_the_right() {
    let clock = clock("180+2", true, Side::Right);
    assert_eq!(encoded(&clock), "8d000a20030220030212");
}

#[test]
fn a_fallen_flag_blocks_the_clock() {
    let mut clock = clock("180+2", true, Side::Left);
    clock.start(0);
    clock.press(Side::Left, 0);
    clock.advance(182_000);
    assert_eq!(encoded(&clock), "8d000a30000020030412");
    clock.start(200_000);
    clock.press(Side::Right, 200_000);
    assert!(!clock.is_running());
    assert_eq!(clock.shown_s(Side::Right), 0);
}

#[test]
fn the_fortieth_move_brings_the_second_period() {
    let mut clock = clock("40/5400+30:1800+30", true, Side::Left);
    clock.start(0);
    for _ in 0..39 {
        clock.press(Side::Left, 0);
        clock.press(Side::Right, 0);
    }
    assert_eq!(clock.shown_s(Side::Left), 5_400 + 40 * 30);
    assert_eq!(clock.credit_ms(Side::Left), 1_830_000);
    clock.press(Side::Left, 0);
    assert_eq!(clock.shown_s(Side::Left), 5_400 + 41 * 30 + 1_800);
}

#[test]
fn without_a_move_counter_the_next_period_begins_at_zero() {
    let mut clock = clock("40/10:10", false, Side::Left);
    clock.start(0);
    clock.advance(12_000);
    assert_eq!(encoded(&clock), "8d000a00001040000809");
    clock.press(Side::Left, 12_000);
    assert_eq!(encoded(&clock), "8d000a00001000000813");
}

#[test]
fn bronstein_gives_back_what_the_move_took_and_a_delay_lets_it_pass_first() {
    let mut clock = clock("300+5", true, Side::Left);
    clock.settings.iter_mut().for_each(|side| side.bonus = Bonus::Bronstein);
    clock.left.remaining_ms = 300_000;
    let mut delayed = clock.clone();
    delayed.settings.iter_mut().for_each(|side| side.bonus = Bonus::Delay);
    for (thought_ms, left_s) in [(3_000, 300), (12_000, 293), (5_000, 293)] {
        for clock in [&mut clock, &mut delayed] {
            clock.start(clock.now_ms);
            clock.right_side_up = false;
            clock.advance(clock.now_ms + thought_ms);
            clock.press(Side::Left, clock.now_ms);
            assert_eq!(clock.shown_s(Side::Left), left_s);
        }
    }
}

#[test]
fn byo_yomi_gives_each_move_its_seconds_and_takes_a_period_for_more() {
    let mut clock = clock("20", true, Side::Left);
    clock.settings.iter_mut().for_each(|side| side.bonus = Bonus::ByoYomi { seconds: 10, periods: 3 });
    clock.start(0);
    clock.advance(24_000);
    assert_eq!((clock.shown_s(Side::Left), clock.state(Side::Left).byo_yomi), (6, 1));
    clock.press(Side::Left, 24_000);
    assert_eq!(clock.shown_s(Side::Left), 10);
    clock.press(Side::Right, 24_000);
    clock.advance(24_000 + 13_000);
    assert_eq!((clock.shown_s(Side::Left), clock.state(Side::Left).byo_yomi), (7, 2));
    clock.advance(24_000 + 30_000);
    assert_eq!((clock.shown_s(Side::Left), clock.is_running()), (0, false));
}

#[test]
fn a_press_of_the_lowered_side_and_a_press_while_stopped_change_no_time() {
    let mut clock = clock("180+2", true, Side::Left);
    clock.start(0);
    clock.press(Side::Right, 500);
    assert_eq!(clock.side_to_move(), Side::Left);
    clock.stop(1_500);
    assert_eq!(clock.next_change(), None);
    clock.press(Side::Left, 9_000);
    assert_eq!(clock.shown_s(Side::Left), 181);
    assert_eq!(encoded(&clock), "8d000a20030220030112");
}

fn encoded(clock: &SimClock) -> String {
    use std::fmt::Write as _;

    let message = dgt_protocol::Message::Clock(dgt_protocol::ClockMessage::Times(clock.reading()));
    message.encode().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
