//! The event log, and bus replies, which carry log events: each example is decoded and encoded.

use dgt_protocol::{
    Address, BusCommand, BusMessage, ChangesParity, ClockMessage, ClockPart, ClockTimes, Command, EventLog, Field,
    LogEvent, Message, MessageError, PieceCode, RawReply, Side, SideTime,
};

fn field(number: u8) -> Field {
    Field::new(number).unwrap()
}

fn address(number: u16) -> Address {
    Address::new(number).unwrap()
}

#[track_caller]
fn bus_both_ways(bytes: &[u8], message: BusMessage) {
    assert_eq!(message.encode(), bytes);
    assert_eq!(BusMessage::decode(bytes), Ok(message));
}

// The log.

fn log(bytes: &[u8]) -> Vec<LogEvent> {
    EventLog::from_bytes(bytes).events().collect()
}

#[test]
fn the_log_of_a_power_cut_and_a_move() {
    let events = [
        LogEvent::Nop,
        LogEvent::Nop,
        LogEvent::Nop,
        LogEvent::PowerUp,
        LogEvent::Field { field: field(60), piece: PieceCode::WhiteKing, within_250ms: false },
        LogEvent::Field { field: field(4), piece: PieceCode::BlackKing, within_250ms: true },
        LogEvent::StartTag,
        LogEvent::Field { field: field(60), piece: PieceCode::Empty, within_250ms: false },
        LogEvent::Field { field: field(52), piece: PieceCode::WhiteKing, within_250ms: true },
        LogEvent::Clock { side: Side::Left, total_seconds: 9 * 3600 + 58 * 60 + 7 },
        LogEvent::EndOfLog,
    ];
    let bytes = [
        0x8f, 0x00, 0x14, // 20 bytes
        0x7f, 0x7f, 0x7f, 0x6a, // power on
        0x45, 0x3c, 0x5b, 0x04, 0x7b, // two kings, the start tag
        0x40, 0x3c, 0x55, 0x34, // e1 to e2
        0x79, 0x58, 0x07, 0x6b, // the mover's clock, the end
    ];
    let message = Message::Log(events.into_iter().collect());
    assert_eq!(message.encode(), bytes);
    assert_eq!(Message::decode(&bytes), Ok(message));
    assert_eq!(log(&bytes[3..]), events);
}

#[test]
fn decoding_continues_after_a_log_that_begins_or_breaks_inside_an_event() {
    let e7 = LogEvent::Field { field: field(12), piece: PieceCode::Empty, within_250ms: false };
    // The rest of a field event, then delay markers of newer boards, then a complete event.
    let unknown = LogEvent::Unknown;
    assert_eq!(log(&[0x24, 0x10, 0x05, 0x40, 0x0c]), [unknown(0x24), unknown(0x10), unknown(0x05), e7]);
    // Field and clock events that lost a byte do not hide the event after them.
    assert_eq!(log(&[0x45, 0x40, 0x0c]), [unknown(0x45), e7]);
    assert_eq!(log(&[0x60, 0x6b, 0x40, 0x0c]), [unknown(0x60), LogEvent::EndOfLog, e7]);
    assert_eq!(log(&[0x72, 0x30, 0x6b]), [unknown(0x72), unknown(0x30), LogEvent::EndOfLog]);
}

#[test]
fn incomplete_changes_continue_in_the_next_packet() {
    let whole = [0x40, 0x34, 0x51, 0x24, 0x70, 0x03, 0x01];
    let all = log(&whole);
    for cut in 0..whole.len() {
        let first = EventLog::from_bytes(&whole[..cut]);
        let mut events = first.events();
        let mut found: Vec<LogEvent> = events.by_ref().collect();
        let rest = [events.remainder(), &whole[cut..]].concat();
        found.extend(log(&rest));
        assert_eq!(found, all, "cut after {cut} bytes");
    }
}

// The bus.

#[test]
fn a_poll_round_on_the_bus() {
    assert_eq!(BusCommand::Clock(address(2054)).encode(), [0x81, 0x10, 0x06, 0x17]);
    assert_eq!(BusCommand::Ping(Address::ALL).encode(), [0x87, 0x00, 0x00, 0x07]);
    assert_eq!(BusCommand::Ping(address(16_383)).encode(), [0x87, 0x7f, 0x7f, 0x05]);
    assert_eq!(Command::Bus(BusCommand::Changes(address(300))).encode(), [0x83, 0x02, 0x2c, 0x31]);
    assert_eq!(Address::new(16_384), None);

    let here = address(300);
    bus_both_ways(&[0x87, 0x00, 0x06, 0x02, 0x2c, 0x3b], BusMessage::Ping { address: here });
    bus_both_ways(&[0x88, 0x00, 0x06, 0x02, 0x2c, 0x3c], BusMessage::StartWritten { address: here });
    let lifted = LogEvent::Field { field: field(52), piece: PieceCode::Empty, within_250ms: false };
    let log: EventLog = [lifted].into_iter().collect();
    bus_both_ways(
        &[0x8b, 0x00, 0x08, 0x02, 0x2c, 0x40, 0x34, 0x35],
        BusMessage::Changes { address: here, parity: ChangesParity::Even, log: log.clone() },
    );
    bus_both_ways(&[0x86, 0x00, 0x08, 0x02, 0x2c, 0x40, 0x34, 0x30], BusMessage::FromStart { address: here, log });
    bus_both_ways(
        &[0x84, 0x00, 0x0d, 0x02, 0x2c, 0x00, 0x05, 0x00, 0x00, 0x04, 0x59, 0x0a, 0x2b],
        BusMessage::Clock {
            address: here,
            clock: ClockMessage::Times(ClockTimes {
                left: SideTime::from_seconds(299),
                right: SideTime::from_seconds(300),
                right_side_up: true,
                left_to_move: true,
                ..ClockTimes::default()
            }),
        },
    );
}

#[test]
fn version_replies_of_old_and_new_boards_on_a_bus() {
    let here = address(300);
    let version = |version| BusMessage::Version { address: here, version };
    bus_both_ways(&[0x89, 0x00, 0x06, 0x02, 0x2c, 0x3d], version(None));
    bus_both_ways(&[0x89, 0x00, 0x08, 0x02, 0x2c, 0x01, 0x04, 0x44], version(Some((1, 4))));
    bus_both_ways(
        &[0x8c, 0x00, 0x08, 0x02, 0x2c, 0x02, 0x01, 0x45],
        BusMessage::HardwareVersion { address: here, main: 2, sub: 1 },
    );
    bus_both_ways(
        &[0xb0, 0x00, 0x07, 0x02, 0x2c, 0x31, 0x16],
        BusMessage::Raw { address: here, reply: RawReply::Serial, data: vec![0x31] },
    );
}

#[test]
fn two_answers_at_once_fail_the_checksum() {
    assert_eq!(
        BusMessage::decode(&[0x87, 0x00, 0x06, 0x02, 0x2e, 0x3b]),
        Err(MessageError::Checksum { expected: 0x3d, found: 0x3b })
    );
}

#[test]
fn an_invalid_clock_time_on_a_bus_has_its_offset() {
    let mut reply = [0x84, 0x00, 0x0d, 0x02, 0x2c, 0x00, 0x00, 0x00, 0x00, 0x6a, 0x00, 0x01, 0x00];
    reply[12] = reply.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7f;
    let part = ClockPart::Minutes;
    assert_eq!(BusMessage::decode(&reply), Err(MessageError::Clock { part, offset: 9, byte: 0x6a }));
}
