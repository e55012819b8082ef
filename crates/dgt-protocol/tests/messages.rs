//! Messages of a board in single-board mode: each example is decoded and encoded.

use dgt_protocol::{
    Address, Ascii, Battery, Field, Fields, HalfBoard, HoursMinutes, Message, MessageError, PieceCode, SerialNumber,
    Standby,
};

fn field(number: u8) -> Field {
    Field::new(number).unwrap()
}

fn address(number: u16) -> Address {
    Address::new(number).unwrap()
}

/// Checks that `bytes` decode to `message` and `message` encodes to `bytes`.
#[track_caller]
fn both_ways(bytes: &[u8], message: Message) {
    assert_eq!(message.encode(), bytes);
    assert_eq!(Message::decode(bytes), Ok(message));
}

#[test]
fn a_board_dump_of_the_start_position() {
    use PieceCode::{BlackBishop, BlackKing, BlackKnight, BlackPawn, BlackQueen, BlackRook};
    use PieceCode::{WhiteBishop, WhiteKing, WhiteKnight, WhitePawn, WhiteQueen, WhiteRook};
    let mut fields: Fields = [PieceCode::Empty; 64];
    let black = [BlackRook, BlackKnight, BlackBishop, BlackQueen, BlackKing, BlackBishop, BlackKnight, BlackRook];
    let white = [WhiteRook, WhiteKnight, WhiteBishop, WhiteQueen, WhiteKing, WhiteBishop, WhiteKnight, WhiteRook];
    fields[..8].copy_from_slice(&black);
    fields[8..16].fill(BlackPawn);
    fields[48..56].fill(WhitePawn);
    fields[56..].copy_from_slice(&white);

    let mut bytes = vec![0x86, 0x00, 0x43, 8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7];
    bytes.extend([0; 32]);
    bytes.extend([1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 5, 4, 3, 2]);
    both_ways(&bytes, Message::BoardDump(fields));
}

#[test]
fn a_field_update_has_the_field_and_its_new_content() {
    both_ways(&[0x8e, 0x00, 0x05, 0x00, 0x00], Message::FieldUpdate { field: field(0), piece: PieceCode::Empty });
    both_ways(
        &[0x8e, 0x00, 0x05, 0x3f, 0x0f],
        Message::FieldUpdate { field: field(63), piece: PieceCode::BlackWinsPiece },
    );
    assert_eq!(Message::decode(&[0x8e, 0x00, 0x05, 0x40, 0x01]), Err(MessageError::Field { offset: 3, byte: 0x40 }));
}

#[test]
fn a_rotated_board_is_numbered_from_the_opposite_corner() {
    assert_eq!(field(52).rotated(), field(11)); // e2 on the table is d7 in the board's numbering
    assert_eq!(Field::all().map(Field::rotated).rev().collect::<Vec<_>>(), Field::all().collect::<Vec<_>>());
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
    both_ways(&bytes, Message::HalfDump { half: HalfBoard::Dark, pieces: [man; 50] });
    let bytes = [&[0x95, 0x00, 0x35][..], &[1; 50]].concat();
    both_ways(&bytes, Message::HalfDump { half: HalfBoard::Light, pieces: [man; 50] });
}

#[test]
fn identity_messages() {
    both_ways(b"\x91\x00\x0843210", Message::Serial(SerialNumber::new("43210").unwrap()));
    both_ways(
        b"\x91\x00\x0c00201 1.0",
        Message::Serial(SerialNumber { number: Ascii::new("00201").unwrap(), eeprom_version: Ascii::new("1.0") }),
    );
    both_ways(b"\xa2\x00\x0d3.24000777", Message::LongSerial(Ascii::new("3.24000777").unwrap()));
    both_ways(b"\x92\x00\x0bA board\r", Message::Trademark("A board\r".into()));
    both_ways(&[0x93, 0x00, 0x05, 0x01, 0x08], Message::Version { main: 1, sub: 8 });
    both_ways(&[0x96, 0x00, 0x05, 0x02, 0x00], Message::HardwareVersion { main: 2, sub: 0 });
    both_ways(&[0x90, 0x00, 0x05, 0x08, 0x01], Message::BusAddress(address(1025)));
}

#[test]
fn a_serial_number_is_five_printable_characters() {
    assert_eq!(SerialNumber::new("1234"), None);
    assert_eq!(SerialNumber::new("12\u{e9}4"), None);
    assert_eq!(
        Message::decode(b"\x91\x00\x0812\x07456"[..8].as_ref()),
        Err(MessageError::Text { offset: 5, byte: 0x07 })
    );
    let old = SerialNumber { number: Ascii::new("00201").unwrap(), eeprom_version: Ascii::new("1.0") };
    assert_eq!(old.to_string(), "00201"); // the EEPROM version is not part of the identity
}

#[test]
fn a_long_trademark_needs_both_length_bytes() {
    let text = "t".repeat(300);
    let bytes = Message::Trademark(text.clone()).encode();
    assert_eq!(bytes[..3], [0x92, 0x02, 0x2f]); // 303
    assert_eq!(Message::decode(&bytes), Ok(Message::Trademark(text)));
}

#[test]
fn text_that_is_not_ascii_or_too_long_is_replaced_or_cut() {
    assert_eq!(Message::Trademark("caf\u{e9}\u{2654}".into()).encode(), b"\x92\x00\x08caf??");
    let long = Message::Trademark("x".repeat(20_000)).encode();
    assert_eq!(long.len(), 7939);
    assert!(Message::decode(&long).is_ok());
}

#[test]
fn a_battery_message() {
    let (left, on) = (HoursMinutes { hours: 5, minutes: 20 }, HoursMinutes { hours: 1, minutes: 2 });
    let standby = Standby { days: 3, hours: 4, minutes: 5 };
    let battery = |time_left, charging| {
        Message::Battery(Battery { percent: 75, time_left, time_on: on, standby, charging, discharging: !charging })
    };
    both_ways(&[0xa0, 0x00, 0x0c, 75, 5, 20, 1, 2, 3, 4, 5, 0x02], battery(Some(left), false));
    both_ways(&[0xa0, 0x00, 0x0c, 75, 0x7f, 0x7f, 1, 2, 3, 4, 5, 0x01], battery(None, true));
}

#[test]
fn messages_without_a_public_layout_keep_their_bytes() {
    both_ways(&[0xa3, 0x00, 0x05, 0x12, 0x34], Message::I2cClock(vec![0x12, 0x34]));
    both_ways(&[0xa4, 0x00, 0x04, 0x01], Message::LockState(vec![0x01]));
    both_ways(&[0xa5, 0x00, 0x03], Message::DeveloperKey(vec![]));
}

#[test]
fn an_error_has_the_offset() {
    use MessageError::{HighBit, Incomplete, Length, UnknownId};
    assert_eq!(Message::decode(&[]), Err(Incomplete { length: 0 }));
    assert_eq!(Message::decode(&[0x8e, 0x00]), Err(Incomplete { length: 2 }));
    assert_eq!(Message::decode(&[0x00, 0x00, 0x03]), Err(UnknownId { id: 0x00 }));
    assert_eq!(Message::decode(&[0x8e, 0x00, 0x05, 0x34]), Err(Length { id: 0x8e, announced: 5, given: 4 }));
    assert_eq!(Message::decode(&[0x8e, 0x00, 0x06, 0, 0, 0]), Err(Length { id: 0x8e, announced: 6, given: 6 }));
    assert_eq!(Message::decode(&[0x8e, 0x00, 0x05, 0x34, 0x81]), Err(HighBit { offset: 4, byte: 0x81 }));
    assert_eq!(
        Message::decode(&[0x8d, 0x00, 0x0a, 0, 0x60, 0, 0, 0, 0, 1]).unwrap_err().to_string(),
        "byte 4 is 60, but minutes are 00 to 59 in decimal digits: keep the last good clock times"
    );
}
