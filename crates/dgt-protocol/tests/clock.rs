//! Times and acks of the clock: each example is decoded and encoded.

use dgt_protocol::{
    AckKind, ClockAck, ClockButton, ClockMessage, ClockPart, ClockTimes, Message, MessageError, Side, SideTime,
};

fn clock(content: [u8; 7]) -> Result<ClockMessage, MessageError> {
    let bytes = [&[0x8d, 0x00, 0x0a][..], &content].concat();
    match Message::decode(&bytes)? {
        Message::Clock(clock) => {
            assert_eq!(Message::Clock(clock).encode(), bytes, "encodes to the decoded bytes");
            Ok(clock)
        }
        other => panic!("{other:?} is not a clock message"),
    }
}

#[test]
fn a_clock_runs_for_the_side_whose_lever_is_up() {
    let left = SideTime { hours: 1, minutes: 29, seconds: 58, per_move: true, ..SideTime::default() };
    let right = SideTime { per_move: true, ..SideTime::from_seconds(5400) };
    let times =
        ClockTimes { left, right, running: true, right_side_up: false, left_to_move: true, ..ClockTimes::default() };
    assert_eq!(clock([0x21, 0x30, 0x00, 0x21, 0x29, 0x58, 0x09]), Ok(ClockMessage::Times(times)));
    assert_eq!(times.side(Side::Left).total_seconds(), 5398);
    assert_eq!(times.side(Side::Right).total_seconds(), 5400);
    let pressed = ClockTimes { right_side_up: true, left_to_move: false, right_to_move: true, ..times };
    assert_eq!(clock([0x21, 0x30, 0x00, 0x21, 0x29, 0x58, 0x13]), Ok(ClockMessage::Times(pressed)));
}

#[test]
fn a_fallen_flag_blocks_or_goes_on() {
    let blocked = SideTime { flag_blocked: true, per_move: true, ..SideTime::default() };
    let goes_on = SideTime { flag_continues: true, ..SideTime::from_seconds(3599) };
    let times = ClockTimes { left: goes_on, right: blocked, battery_low: true, ..ClockTimes::default() };
    assert_eq!(clock([0x30, 0x00, 0x00, 0x40, 0x59, 0x59, 0x04]), Ok(ClockMessage::Times(times)));
}

#[test]
fn a_missing_clock_is_reported_with_invalid_times_too() {
    let none = ClockTimes { no_clock: true, ..ClockTimes::default() };
    assert_eq!(clock([0, 0, 0, 0, 0, 0, 0x20]), Ok(ClockMessage::Times(none)));
    let garbage = Message::decode(&[0x8d, 0x00, 0x0a, 0x0f, 0x7f, 0x7f, 0, 0x01, 0x02, 0x20]);
    let left = SideTime::from_seconds(62);
    assert_eq!(garbage, Ok(Message::Clock(ClockMessage::Times(ClockTimes { left, ..none }))));
}

#[test]
fn all_zeros_are_not_a_time() {
    assert_eq!(clock([0; 7]), Ok(ClockMessage::AllZero));
    // Neither is a bit without a known meaning.
    let unknown = Message::decode(&[0x8d, 0x00, 0x0a, 0, 0, 0, 0, 0, 0, 0x40]);
    assert_eq!(unknown, Ok(Message::Clock(ClockMessage::AllZero)));
}

#[test]
fn times_out_of_range_are_refused() {
    use ClockPart::{Hours, Minutes, Seconds};
    let error = |part, offset, byte| Err(MessageError::Clock { part, offset, byte });
    assert_eq!(clock([0x0b, 0, 0, 0, 0, 0, 1]), error(Hours, 3, 0x0b));
    assert_eq!(clock([0, 0x60, 0, 0, 0, 0, 1]), error(Minutes, 4, 0x60));
    assert_eq!(clock([0, 0, 0x1a, 0, 0, 0, 1]), error(Seconds, 5, 0x1a));
    assert_eq!(clock([0, 0, 0, 0x2c, 0, 0, 1]), error(Hours, 6, 0x2c));
    assert_eq!(clock([0, 0, 0, 0, 0x5a, 0, 1]), error(Minutes, 7, 0x5a));
    assert_eq!(clock([0, 0, 0, 0, 0, 0x71, 1]), error(Seconds, 8, 0x71));
}

#[test]
fn encoding_lowers_times_above_the_largest_one() {
    assert_eq!(SideTime::from_seconds(1_000_000).total_seconds(), 35_999);
    let wild = SideTime { hours: 255, minutes: 255, seconds: 255, ..SideTime::default() };
    let times = ClockTimes { left: wild, right: wild, ..ClockTimes::default() };
    assert_eq!(
        Message::Clock(ClockMessage::Times(times)).encode(),
        [0x8d, 0x00, 0x0a, 0x09, 0x59, 0x59, 0x09, 0x59, 0x59, 0x00]
    );
}

#[test]
fn the_top_bits_of_an_ack_are_in_other_bytes() {
    let ack = |content| match clock(content) {
        Ok(ClockMessage::Ack(ack)) => ack,
        other => panic!("{other:?} is not an ack"),
    };
    // Each of the four top bits alone.
    assert_eq!(ack([0x0a, 0, 0, 0x1a, 0, 0, 0]), ClockAck([0x80, 0, 0, 0]));
    assert_eq!(ack([0x0a, 0, 0, 0x2a, 0, 0, 0]), ClockAck([0, 0x80, 0, 0]));
    assert_eq!(ack([0x1a, 0, 0, 0x0a, 0, 0, 0]), ClockAck([0, 0, 0x80, 0]));
    assert_eq!(ack([0x2a, 0, 0, 0x0a, 0, 0, 0]), ClockAck([0, 0, 0, 0x80]));

    let version = ack([0x0a, 0x10, 0x09, 0x0a, 0x1e, 0x00, 0]);
    assert!(version.is_ok() && !version.is_error() && !version.is_automatic());
    assert_eq!(version.kind(), AckKind::Version { main: 1, sub: 14 });

    let button = ack([0x0a, 0x10, 0x08, 0x2a, 0x00, 0x34, 0]);
    assert!(button.is_automatic());
    assert_eq!(button.kind(), AckKind::Button(ClockButton::Minus));

    let refused = ack([0x0a, 0x40, 0x0a, 0x0a, 0x00, 0x00, 0]);
    assert!(refused.is_error() && !refused.is_ok());
    assert_eq!(refused.kind(), AckKind::SetAndRun);
}
