//! Bytes and what they mean, example by example: each is read and written.

use dgt_protocol::{
    AckKind, Address, Ascii, Battery, BusCommand, BusMessage, ChangesParity, ClockAck, ClockButton,
    ClockMessage, ClockPart, ClockTimes, Command, EventLog, Field, Fields, HalfBoard, HoursMinutes,
    LogEvent, Message, MessageError, PieceCode, RawReply, SerialNumber, Side, SideTime, Standby,
};

fn field(number: u8) -> Field {
    Field::new(number).unwrap()
}

fn address(number: u16) -> Address {
    Address::new(number).unwrap()
}

/// `bytes` read as `message`, and `message` is written as `bytes`.
#[track_caller]
fn both_ways(bytes: &[u8], message: Message) {
    assert_eq!(Message::decode(bytes), Ok(message.clone()));
    assert_eq!(message.encode(), bytes);
}

#[track_caller]
fn bus_both_ways(bytes: &[u8], message: BusMessage) {
    assert_eq!(BusMessage::decode(bytes), Ok(message.clone()));
    assert_eq!(message.encode(), bytes);
}

fn clock(content: [u8; 7]) -> Result<ClockMessage, MessageError> {
    let bytes = [&[0x8d, 0x00, 0x0a][..], &content].concat();
    match Message::decode(&bytes)? {
        Message::Clock(clock) => {
            assert_eq!(
                Message::Clock(clock).encode(),
                bytes,
                "written as it was read"
            );
            Ok(clock)
        }
        other => panic!("{other:?} is no clock message"),
    }
}

// Boards.

#[test]
fn a_board_tells_its_start_position() {
    use PieceCode::{BlackBishop, BlackKing, BlackKnight, BlackPawn, BlackQueen, BlackRook};
    use PieceCode::{WhiteBishop, WhiteKing, WhiteKnight, WhitePawn, WhiteQueen, WhiteRook};
    let mut fields: Fields = [PieceCode::Empty; 64];
    let black = [
        BlackRook,
        BlackKnight,
        BlackBishop,
        BlackQueen,
        BlackKing,
        BlackBishop,
        BlackKnight,
        BlackRook,
    ];
    let white = [
        WhiteRook,
        WhiteKnight,
        WhiteBishop,
        WhiteQueen,
        WhiteKing,
        WhiteBishop,
        WhiteKnight,
        WhiteRook,
    ];
    fields[..8].copy_from_slice(&black);
    fields[8..16].fill(BlackPawn);
    fields[48..56].fill(WhitePawn);
    fields[56..].copy_from_slice(&white);

    let mut bytes = vec![
        0x86, 0x00, 0x43, 8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7,
    ];
    bytes.extend([0; 32]);
    bytes.extend([1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 5, 4, 3, 2]);
    both_ways(&bytes, Message::BoardDump(fields));
}

#[test]
fn a_field_update_names_the_field_and_what_stands_there_now() {
    both_ways(
        &[0x8e, 0x00, 0x05, 0x00, 0x00],
        Message::FieldUpdate {
            field: field(0),
            piece: PieceCode::Empty,
        },
    );
    both_ways(
        &[0x8e, 0x00, 0x05, 0x3f, 0x0f],
        Message::FieldUpdate {
            field: field(63),
            piece: PieceCode::BlackWinsPiece,
        },
    );
    assert_eq!(
        Message::decode(&[0x8e, 0x00, 0x05, 0x40, 0x01]),
        Err(MessageError::Field {
            place: 3,
            byte: 0x40
        })
    );
}

#[test]
fn a_rotated_board_counts_from_the_other_corner() {
    assert_eq!(field(52).rotated(), field(11)); // e2 under White's eyes is d7 under the board's
    assert_eq!(
        Field::all().map(Field::rotated).rev().collect::<Vec<_>>(),
        Field::all().collect::<Vec<_>>()
    );
    assert_eq!(Field::new(64), None);
}

#[test]
fn piece_codes_are_four_bits() {
    for byte in 0..=255 {
        assert_eq!(PieceCode::from_byte(byte).to_byte(), byte & 0x0f);
    }
    assert_eq!(PieceCode::from_byte(5), PieceCode::WhiteKing); // king before queen
    assert_eq!(PieceCode::from_byte(12), PieceCode::BlackQueen);
}

#[test]
fn draughts_boards_have_more_squares() {
    let man = PieceCode::WhitePawn;
    let bytes = [&[0x86, 0x00, 0x67][..], &[1; 100]].concat();
    both_ways(&bytes, Message::DraughtsDump([man; 100]));
    let bytes = [&[0x94, 0x00, 0x35][..], &[1; 50]].concat();
    both_ways(
        &bytes,
        Message::HalfDump {
            half: HalfBoard::Dark,
            pieces: [man; 50],
        },
    );
    let bytes = [&[0x95, 0x00, 0x35][..], &[1; 50]].concat();
    both_ways(
        &bytes,
        Message::HalfDump {
            half: HalfBoard::Light,
            pieces: [man; 50],
        },
    );
}

#[test]
fn a_board_tells_who_it_is() {
    both_ways(
        b"\x91\x00\x0843210",
        Message::Serial(SerialNumber::new("43210").unwrap()),
    );
    both_ways(
        b"\x91\x00\x0c00201 1.0",
        Message::Serial(SerialNumber {
            number: Ascii::new("00201").unwrap(),
            eeprom_version: Ascii::new("1.0"),
        }),
    );
    both_ways(
        b"\xa2\x00\x0d3.24000777",
        Message::LongSerial(Ascii::new("3.24000777").unwrap()),
    );
    both_ways(
        b"\x92\x00\x0bA board\r",
        Message::Trademark("A board\r".into()),
    );
    both_ways(
        &[0x93, 0x00, 0x05, 0x01, 0x08],
        Message::Version { main: 1, sub: 8 },
    );
    both_ways(
        &[0x96, 0x00, 0x05, 0x02, 0x00],
        Message::HardwareVersion { main: 2, sub: 0 },
    );
    both_ways(
        &[0x90, 0x00, 0x05, 0x08, 0x01],
        Message::BusAddress(address(1025)),
    );
}

#[test]
fn a_serial_number_is_five_printable_characters() {
    assert_eq!(SerialNumber::new("1234"), None);
    assert_eq!(SerialNumber::new("12\u{e9}4"), None);
    assert_eq!(
        Message::decode(b"\x91\x00\x0812\x07456"[..8].as_ref()),
        Err(MessageError::Text {
            place: 5,
            byte: 0x07
        })
    );
    let old = SerialNumber {
        number: Ascii::new("00201").unwrap(),
        eeprom_version: Ascii::new("1.0"),
    };
    assert_eq!(old.to_string(), "00201"); // the EEPROM's version is no part of who the board is
}

#[test]
fn a_long_trademark_needs_both_length_bytes() {
    let text = "t".repeat(300);
    let bytes = Message::Trademark(text.clone()).encode();
    assert_eq!(bytes[..3], [0x92, 0x02, 0x2f]); // 303
    assert_eq!(Message::decode(&bytes), Ok(Message::Trademark(text)));
}

#[test]
fn text_that_cannot_travel_is_replaced_or_cut() {
    assert_eq!(
        Message::Trademark("caf\u{e9}\u{2654}".into()).encode(),
        b"\x92\x00\x08caf??"
    );
    let long = Message::Trademark("x".repeat(20_000)).encode();
    assert_eq!(long.len(), 7939);
    assert!(Message::decode(&long).is_ok());
}

#[test]
fn a_board_tells_its_battery() {
    let (left, on) = (
        HoursMinutes {
            hours: 5,
            minutes: 20,
        },
        HoursMinutes {
            hours: 1,
            minutes: 2,
        },
    );
    let standby = Standby {
        days: 3,
        hours: 4,
        minutes: 5,
    };
    let battery = |time_left, charging| {
        Message::Battery(Battery {
            percent: 75,
            time_left,
            time_on: on,
            standby,
            charging,
            discharging: !charging,
        })
    };
    both_ways(
        &[0xa0, 0x00, 0x0c, 75, 5, 20, 1, 2, 3, 4, 5, 0x02],
        battery(Some(left), false),
    );
    both_ways(
        &[0xa0, 0x00, 0x0c, 75, 0x7f, 0x7f, 1, 2, 3, 4, 5, 0x01],
        battery(None, true),
    );
}

#[test]
fn what_no_source_describes_passes_through() {
    both_ways(
        &[0xa3, 0x00, 0x05, 0x12, 0x34],
        Message::I2cClock(vec![0x12, 0x34]),
    );
    both_ways(&[0xa4, 0x00, 0x04, 0x01], Message::LockState(vec![0x01]));
    both_ways(&[0xa5, 0x00, 0x03], Message::DeveloperKey(vec![]));
}

#[test]
fn an_error_names_the_place() {
    use MessageError::{HighBit, Incomplete, Length, UnknownId};
    assert_eq!(Message::decode(&[]), Err(Incomplete { length: 0 }));
    assert_eq!(
        Message::decode(&[0x8e, 0x00]),
        Err(Incomplete { length: 2 })
    );
    assert_eq!(
        Message::decode(&[0x00, 0x00, 0x03]),
        Err(UnknownId { id: 0x00 })
    );
    assert_eq!(
        Message::decode(&[0x8e, 0x00, 0x05, 0x34]),
        Err(Length {
            id: 0x8e,
            announced: 5,
            given: 4
        })
    );
    assert_eq!(
        Message::decode(&[0x8e, 0x00, 0x06, 0, 0, 0]),
        Err(Length {
            id: 0x8e,
            announced: 6,
            given: 6
        })
    );
    assert_eq!(
        Message::decode(&[0x8e, 0x00, 0x05, 0x34, 0x81]),
        Err(HighBit {
            place: 4,
            byte: 0x81
        })
    );
    assert_eq!(
        Message::decode(&[0x8d, 0x00, 0x0a, 0, 0x60, 0, 0, 0, 0, 1])
            .unwrap_err()
            .to_string(),
        "byte 4 is 60, but minutes are 00 to 59 in decimal digits: keep the last good clock times"
    );
}

// Clocks.

#[test]
fn a_clock_runs_for_the_side_whose_lever_is_up() {
    let left = SideTime {
        hours: 1,
        minutes: 29,
        seconds: 58,
        per_move: true,
        ..SideTime::default()
    };
    let right = SideTime {
        per_move: true,
        ..SideTime::from_seconds(5400)
    };
    let times = ClockTimes {
        left,
        right,
        running: true,
        right_side_up: false,
        left_to_move: true,
        ..ClockTimes::default()
    };
    assert_eq!(
        clock([0x21, 0x30, 0x00, 0x21, 0x29, 0x58, 0x09]),
        Ok(ClockMessage::Times(times))
    );
    assert_eq!(times.side(Side::Left).total_seconds(), 5398);
    assert_eq!(times.side(Side::Right).total_seconds(), 5400);
    let pressed = ClockTimes {
        right_side_up: true,
        left_to_move: false,
        right_to_move: true,
        ..times
    };
    assert_eq!(
        clock([0x21, 0x30, 0x00, 0x21, 0x29, 0x58, 0x13]),
        Ok(ClockMessage::Times(pressed))
    );
}

#[test]
fn a_fallen_flag_blocks_or_goes_on() {
    let blocked = SideTime {
        flag_blocked: true,
        per_move: true,
        ..SideTime::default()
    };
    let goes_on = SideTime {
        flag_continues: true,
        ..SideTime::from_seconds(3599)
    };
    let times = ClockTimes {
        left: goes_on,
        right: blocked,
        battery_low: true,
        ..ClockTimes::default()
    };
    assert_eq!(
        clock([0x30, 0x00, 0x00, 0x40, 0x59, 0x59, 0x04]),
        Ok(ClockMessage::Times(times))
    );
}

#[test]
fn a_missing_clock_is_told_whatever_the_times_are() {
    let none = ClockTimes {
        no_clock: true,
        ..ClockTimes::default()
    };
    assert_eq!(
        clock([0, 0, 0, 0, 0, 0, 0x20]),
        Ok(ClockMessage::Times(none))
    );
    let garbage = Message::decode(&[0x8d, 0x00, 0x0a, 0x0f, 0x7f, 0x7f, 0, 0x01, 0x02, 0x20]);
    let left = SideTime::from_seconds(62);
    assert_eq!(
        garbage,
        Ok(Message::Clock(ClockMessage::Times(ClockTimes {
            left,
            ..none
        })))
    );
}

#[test]
fn only_zeros_is_no_time() {
    assert_eq!(clock([0; 7]), Ok(ClockMessage::Blank));
}

#[test]
fn times_that_no_clock_shows_are_refused() {
    use ClockPart::{Hours, Minutes, Seconds};
    let error = |part, place, byte| Err(MessageError::Clock { part, place, byte });
    assert_eq!(clock([0x0b, 0, 0, 0, 0, 0, 1]), error(Hours, 3, 0x0b));
    assert_eq!(clock([0, 0x60, 0, 0, 0, 0, 1]), error(Minutes, 4, 0x60));
    assert_eq!(clock([0, 0, 0x1a, 0, 0, 0, 1]), error(Seconds, 5, 0x1a));
    assert_eq!(clock([0, 0, 0, 0x2c, 0, 0, 1]), error(Hours, 6, 0x2c));
    assert_eq!(clock([0, 0, 0, 0, 0x5a, 0, 1]), error(Minutes, 7, 0x5a));
    assert_eq!(clock([0, 0, 0, 0, 0, 0x71, 1]), error(Seconds, 8, 0x71));
}

#[test]
fn a_simulated_clock_never_shows_more_than_a_real_one() {
    assert_eq!(SideTime::from_seconds(1_000_000).total_seconds(), 35_999);
    let wild = SideTime {
        hours: 255,
        minutes: 255,
        seconds: 255,
        ..SideTime::default()
    };
    let times = ClockTimes {
        left: wild,
        right: wild,
        ..ClockTimes::default()
    };
    assert_eq!(
        Message::Clock(ClockMessage::Times(times)).encode(),
        [0x8d, 0x00, 0x0a, 0x09, 0x59, 0x59, 0x09, 0x59, 0x59, 0x00]
    );
}

#[test]
fn the_top_bits_of_an_ack_travel_elsewhere() {
    let ack = |content| match clock(content) {
        Ok(ClockMessage::Ack(ack)) => ack,
        other => panic!("{other:?} is no ack"),
    };
    // Each of the four bits alone.
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
        LogEvent::Field {
            field: field(60),
            piece: PieceCode::WhiteKing,
            within_250ms: false,
        },
        LogEvent::Field {
            field: field(4),
            piece: PieceCode::BlackKing,
            within_250ms: true,
        },
        LogEvent::StartTag,
        LogEvent::Field {
            field: field(60),
            piece: PieceCode::Empty,
            within_250ms: false,
        },
        LogEvent::Field {
            field: field(52),
            piece: PieceCode::WhiteKing,
            within_250ms: true,
        },
        LogEvent::Clock {
            side: Side::Left,
            total_seconds: 9 * 3600 + 58 * 60 + 7,
        },
        LogEvent::EndOfLog,
    ];
    let bytes = [
        0x8f, 0x00, 0x17, 0x7f, 0x7f, 0x7f, 0x6a, 0x45, 0x3c, 0x5b, 0x04, 0x7b, 0x40, 0x3c, 0x55,
        0x34, 0x79, 0x58, 0x07, 0x6b,
    ];
    let bytes = [&[0x8f, 0x00, bytes.len() as u8][..], &bytes[3..]].concat();
    both_ways(&bytes, Message::Log(events.into_iter().collect()));
    assert_eq!(log(&bytes[3..]), events);
}

#[test]
fn a_log_that_begins_or_breaks_inside_an_event_reads_on() {
    let e7 = LogEvent::Field {
        field: field(12),
        piece: PieceCode::Empty,
        within_250ms: false,
    };
    // The tail of a field event, then the delay markers of newer boards, then a whole event.
    let unknown = LogEvent::Unknown;
    assert_eq!(
        log(&[0x24, 0x10, 0x05, 0x40, 0x0c]),
        [unknown(0x24), unknown(0x10), unknown(0x05), e7]
    );
    // A field event and clock events that lost a byte do not swallow the event behind them.
    assert_eq!(log(&[0x45, 0x40, 0x0c]), [unknown(0x45), e7]);
    assert_eq!(
        log(&[0x60, 0x6b, 0x40, 0x0c]),
        [unknown(0x60), LogEvent::EndOfLog, e7]
    );
    assert_eq!(
        log(&[0x72, 0x30, 0x6b]),
        [unknown(0x72), unknown(0x30), LogEvent::EndOfLog]
    );
}

#[test]
fn changes_that_are_cut_go_on_in_the_next_packet() {
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
    assert_eq!(
        BusCommand::Clock(address(2054)).encode(),
        [0x81, 0x10, 0x06, 0x17]
    );
    assert_eq!(
        BusCommand::Ping(Address::ALL).encode(),
        [0x87, 0x00, 0x00, 0x07]
    );
    assert_eq!(
        BusCommand::Ping(address(16_383)).encode(),
        [0x87, 0x7f, 0x7f, 0x05]
    );
    assert_eq!(
        Command::Bus(BusCommand::Changes(address(300))).encode(),
        [0x83, 0x02, 0x2c, 0x31]
    );
    assert_eq!(Address::new(16_384), None);

    let here = address(300);
    bus_both_ways(
        &[0x87, 0x00, 0x06, 0x02, 0x2c, 0x3b],
        BusMessage::Ping { address: here },
    );
    bus_both_ways(
        &[0x88, 0x00, 0x06, 0x02, 0x2c, 0x3c],
        BusMessage::StartWritten { address: here },
    );
    let lifted = LogEvent::Field {
        field: field(52),
        piece: PieceCode::Empty,
        within_250ms: false,
    };
    let log: EventLog = [lifted].into_iter().collect();
    bus_both_ways(
        &[0x8b, 0x00, 0x08, 0x02, 0x2c, 0x40, 0x34, 0x35],
        BusMessage::Changes {
            address: here,
            parity: ChangesParity::Even,
            log: log.clone(),
        },
    );
    bus_both_ways(
        &[0x86, 0x00, 0x08, 0x02, 0x2c, 0x40, 0x34, 0x30],
        BusMessage::FromStart { address: here, log },
    );
    bus_both_ways(
        &[
            0x84, 0x00, 0x0d, 0x02, 0x2c, 0x00, 0x05, 0x00, 0x00, 0x04, 0x59, 0x0a, 0x2b,
        ],
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
fn boards_on_the_bus_tell_their_versions_by_age() {
    let here = address(300);
    let version = |version| BusMessage::Version {
        address: here,
        version,
    };
    bus_both_ways(&[0x89, 0x00, 0x06, 0x02, 0x2c, 0x3d], version(None));
    bus_both_ways(
        &[0x89, 0x00, 0x08, 0x02, 0x2c, 0x01, 0x04, 0x44],
        version(Some((1, 4))),
    );
    bus_both_ways(
        &[0x8c, 0x00, 0x08, 0x02, 0x2c, 0x02, 0x01, 0x45],
        BusMessage::HardwareVersion {
            address: here,
            main: 2,
            sub: 1,
        },
    );
    bus_both_ways(
        &[0xb0, 0x00, 0x07, 0x02, 0x2c, 0x31, 0x16],
        BusMessage::Raw {
            address: here,
            reply: RawReply::Serial,
            data: vec![0x31],
        },
    );
}

#[test]
fn two_boards_that_answer_at_once_are_noticed() {
    assert_eq!(
        BusMessage::decode(&[0x87, 0x00, 0x06, 0x02, 0x2e, 0x3b]),
        Err(MessageError::Checksum {
            expected: 0x3d,
            found: 0x3b
        })
    );
}
