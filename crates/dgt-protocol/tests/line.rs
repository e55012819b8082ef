//! Damaged byte streams of boards, and commands of computers.

use dgt_protocol::{
    BusCommand, BusMessage, ClockCommand, Command, CommandReader, Field, ForbiddenBusCommand, FrameReader, HostMessage,
    LedCommand, Message, MessageError, Mode, PieceCode,
};

const E2_LIFTED: [u8; 5] = [0x8e, 0x00, 0x05, 0x34, 0x00];
const E4_PAWN: [u8; 5] = [0x8e, 0x00, 0x05, 0x24, 0x01];

/// All frames of these bytes; checks that no input is left.
fn frames(reader: &mut FrameReader, mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    while let Some(frame) = reader.next_frame(&mut bytes) {
        frames.push(frame.bytes().to_vec());
    }
    frames
}

#[test]
fn a_cable_plugged_in_during_a_dump() {
    let mut reader = FrameReader::new(Mode::Single);
    let tail_of_a_dump = [0x01, 0x01, 0x02, 0x03, 0x04];
    assert_eq!(frames(&mut reader, &[&tail_of_a_dump[..], &E2_LIFTED].concat()), [E2_LIFTED]);
    assert_eq!(reader.dropped(), 5);
}

#[test]
fn a_lost_byte_costs_one_message() {
    for lost in 0..E2_LIFTED.len() {
        let mut damaged = E2_LIFTED.to_vec();
        damaged.remove(lost);
        let mut reader = FrameReader::new(Mode::Single);
        assert_eq!(frames(&mut reader, &[&damaged[..], &E4_PAWN].concat()), [E4_PAWN], "byte {lost} lost");
        assert_eq!(reader.dropped(), 4, "byte {lost} lost");
    }
}

#[test]
fn a_long_announced_length_in_noise_hides_no_message() {
    let mut reader = FrameReader::new(Mode::Single);
    // An unknown id, then a log above the longest one, each followed by possible content.
    let noise = [0xb0, 0x7f, 0x7f, 0x01, 0x8f, 0x3e, 0x04, 0x01];
    assert_eq!(frames(&mut reader, &noise), [[0; 0]; 0]);
    assert_eq!((reader.dropped(), reader.pending().len()), (8, 0));
    assert_eq!(frames(&mut reader, &E4_PAWN), [E4_PAWN]);
}

#[test]
fn an_unfinished_message_is_abandoned() {
    let mut reader = FrameReader::new(Mode::Single);
    assert_eq!(frames(&mut reader, &E2_LIFTED[..4]), [[0; 0]; 0]);
    assert_eq!(reader.pending(), &E2_LIFTED[..4]);
    reader.abandon(); // a long silence
    assert_eq!((reader.dropped(), reader.pending().len()), (4, 0));
    assert_eq!(frames(&mut reader, &[0x00]), [[0; 0]; 0]); // its last byte, too late
    assert_eq!(reader.dropped(), 5);
}

#[test]
fn a_message_in_two_chunks_is_complete_and_not_dropped_later() {
    let mut reader = FrameReader::new(Mode::Single);
    assert_eq!(frames(&mut reader, &E2_LIFTED[..2]), [[0; 0]; 0]);
    let mut input = &E2_LIFTED[2..];
    assert_eq!(reader.next_frame(&mut input).map(|frame| frame.bytes().to_vec()), Some(E2_LIFTED.to_vec()));
    assert_eq!(reader.pending(), [0; 0]);
    reader.abandon();
    assert_eq!(reader.dropped(), 0);
}

#[test]
fn a_full_log_is_the_longest_message() {
    let log = [&[0x8f, 0x3e, 0x03][..], &[0x7f; 0x1f00]].concat();
    let mut reader = FrameReader::new(Mode::Single);
    let mut found = Vec::new();
    for chunk in log.chunks(100) {
        found.extend(frames(&mut reader, chunk));
    }
    assert_eq!(found, [log]);
}

#[test]
fn the_meaning_of_an_id_depends_on_the_mode() {
    // In bus mode 86 is "from start"; in single-board mode it is a dump of invalid length.
    let from_start = [0x86, 0x00, 0x06, 0x02, 0x2c, 0x3a];
    let mut reader = FrameReader::new(Mode::Single);
    assert_eq!(frames(&mut reader, &from_start), [[0; 0]; 0]);
    assert_eq!(reader.dropped(), 6);

    frames(&mut reader, &E2_LIFTED[..3]);
    reader.set_mode(Mode::Bus); // drops the unfinished message
    assert_eq!((reader.mode(), reader.dropped()), (Mode::Bus, 9));
    let mut input = &from_start[..];
    let frame = reader.next_frame(&mut input).unwrap();
    assert!(matches!(frame.bus_message(), Ok(BusMessage::FromStart { .. })));
    assert_eq!(frame.message(), Err(MessageError::WrongMode));
}

#[test]
fn a_wrong_checksum_is_an_error_of_the_frame() {
    let mut reader = FrameReader::new(Mode::Bus);
    let mut input = &[0x85, 0x00, 0x06, 0x02, 0x2c, 0x00][..];
    let frame = reader.next_frame(&mut input).unwrap();
    assert_eq!(frame.bus_message(), Err(MessageError::Checksum { expected: 0x39, found: 0x00 }));
}

#[test]
fn unknown_bits_of_piece_bytes_are_returned() {
    let mut reader = FrameReader::new(Mode::Single);
    let mut input = &[0x8e, 0x00, 0x05, 0x24, 0x41][..];
    let frame = reader.next_frame(&mut input).unwrap();
    assert_eq!(frame.unknown_bits(), 0x40);
    let field = Field::new(36).unwrap();
    assert_eq!(frame.message(), Ok(Message::FieldUpdate { field, piece: PieceCode::WhitePawn }));

    let mut dump = vec![0x86, 0x00, 0x43];
    dump.resize(67, 0x01);
    dump[10] = 0x21;
    let mut input = &dump[..];
    assert_eq!(reader.next_frame(&mut input).unwrap().unknown_bits(), 0x20);
    let mut input = &E4_PAWN[..];
    assert_eq!(reader.next_frame(&mut input).unwrap().unknown_bits(), 0);
}

// Commands of computers.

fn decoded(mut bytes: &[u8]) -> Vec<HostMessage> {
    let mut reader = CommandReader::new();
    let mut messages = Vec::new();
    while let Some(message) = reader.next_message(&mut bytes) {
        messages.push(message);
    }
    assert_eq!(reader.pending(), [0; 0]);
    messages
}

#[test]
fn the_first_commands_of_a_program() {
    use HostMessage::{Clock, Command as Sent};
    assert_eq!(
        decoded(&[0x4b, 0x4d, 0x42, 0x2b, 0x03, 0x03, 0x09, 0x00, 0x45]),
        [
            Sent(Command::UpdateNice),
            Sent(Command::Version),
            Sent(Command::Board),
            Clock(ClockCommand::Version),
            Sent(Command::Serial)
        ]
    );
}

#[test]
fn counted_bytes_are_not_decoded_as_commands() {
    // The text "ABCDEFGH" has the codes of eight commands, the developer key those of bus commands.
    let text = *b"\x2b\x0c\x03\x0cABCDEFGH\x01\x00";
    assert_eq!(decoded(&text), [HostMessage::Clock(ClockCommand::Text(*b"ABCDEFGH", 1))]);
    let key = [0x63, 0x07, 0x81, 0x10, 0x06, 0x17, 0x42, 0xff, 0x00];
    assert_eq!(decoded(&key), [HostMessage::DeveloperKey(key[2..].to_vec())]);
    let (from, to) = (Field::new(0x34).unwrap(), Field::new(0x24).unwrap());
    assert_eq!(
        decoded(&[0x60, 0x04, 0x01, 0x34, 0x24, 0x00]),
        [HostMessage::Leds(LedCommand::Squares { on: true, from, to })]
    );
}

#[test]
fn led_commands_of_every_kind() {
    let leds = |content: &[u8]| decoded(&[&[0x60, content.len() as u8], content].concat());
    let one = |command| vec![HostMessage::Leds(command)];
    assert_eq!(leds(&[0x00, 0x40, 0x40, 0x00]), one(LedCommand::AllOff));
    assert_eq!(leds(&[0x02, 0x01, 0x01, 0x00]), one(LedCommand::OffOnChange(true)));
    assert_eq!(leds(&[0x02, 0x02, 0x00, 0x00]), one(LedCommand::AutomaticTurn(false)));
    assert_eq!(leds(&[0x00, 0x00]), one(LedCommand::PegasusOff));
    let fields = vec![Field::new(0).unwrap(), Field::new(63).unwrap()];
    let pegasus = LedCommand::Pegasus { speed: 1, repeat: 2, brightness: 3, fields };
    assert_eq!(leds(&[0x05, 1, 2, 3, 0, 63, 0x00]), one(pegasus));
    assert_eq!(leds(&[0x01, 0x34, 0x50, 0x00]), one(LedCommand::Other(vec![0x01, 0x34, 0x50, 0x00])));
}

#[test]
fn no_forbidden_command_can_be_expressed() {
    // All commands, found by decoding every possible first byte.
    let single = (0x00..0x80).map(|byte| vec![byte]);
    let bus = (0x80..=0xff).map(|byte: u8| vec![byte, 0x02, 0x2c, byte.wrapping_add(0x2e) & 0x7f]);
    let mut sendable = Vec::new();
    for bytes in single.chain(bus) {
        let mut reader = CommandReader::new();
        if let Some(HostMessage::Command(command)) = reader.next_message(&mut &bytes[..]) {
            assert_eq!(command.encode(), bytes, "{command:?}");
            sendable.push(bytes[0]);
        }
    }
    let single = (0x40..=0x4d).chain([0x50, 0x52, 0x55, 0x56, 0x57, 0x58]);
    let bus = (0x81..=0x87).chain(0x8a..=0x8d).chain(0x91..=0x9b);
    assert_eq!(sendable, single.chain(bus).collect::<Vec<u8>>());
}

#[test]
fn forbidden_commands_are_decoded() {
    use HostMessage::{BootLoader, I2cClock, ScanAllSquares, ScanDarkSquares, ScanLightSquares, Unknown};
    assert_eq!(
        decoded(&[0x4e, 0x51, 0x53, 0x54, 0x2c, 0x5b]),
        [BootLoader, ScanDarkSquares, ScanLightSquares, ScanAllSquares, I2cClock, Unknown(0x5b)]
    );
    let bus = |code: u8| decoded(&[code, 0x00, 0x00, code & 0x7f]);
    let forbidden = |command| vec![HostMessage::ForbiddenBus { command, address: dgt_protocol::Address::ALL }];
    assert_eq!(bus(0x88), forbidden(ForbiddenBusCommand::EndBusMode));
    assert_eq!(bus(0x89), forbidden(ForbiddenBusCommand::Restart));
    assert_eq!(bus(0xa0), forbidden(ForbiddenBusCommand::Configuration));
    assert_eq!(bus(0xa1), forbidden(ForbiddenBusCommand::Clock));
    assert_eq!(bus(0xa2), forbidden(ForbiddenBusCommand::I2cClock));
    assert_eq!(bus(0xff), [HostMessage::UnknownBus { code: 0xff, address: dgt_protocol::Address::ALL }]);
}

#[test]
fn a_damaged_bus_command_does_not_hide_the_next_one() {
    let ping = BusCommand::Ping(dgt_protocol::Address::ALL);
    let sent = HostMessage::Command(Command::Bus(ping));
    assert_eq!(
        decoded(&[&[0x87, 0x00, 0x01, 0x07][..], &ping.encode()].concat()),
        [HostMessage::BadChecksum([0x87, 0x00, 0x01, 0x07]), sent.clone()]
    );
    assert_eq!(
        decoded(&[&[0x87, 0x00][..], &ping.encode()].concat()),
        [HostMessage::Interrupted(vec![0x87, 0x00]), sent]
    );
}

#[test]
fn an_invalid_clock_message_is_returned_complete() {
    let no_closing_zero = [0x2b, 0x03, 0x03, 0x09, 0x01];
    assert_eq!(decoded(&no_closing_zero), [HostMessage::BadClock(no_closing_zero.to_vec())]);
    let beep_without_duration = [0x2b, 0x03, 0x03, 0x0b, 0x00];
    assert_eq!(decoded(&beep_without_duration), [HostMessage::BadClock(beep_without_duration.to_vec())]);
}

#[test]
fn an_abandoned_command_leaves_no_bytes() {
    let mut reader = CommandReader::new();
    assert_eq!(reader.next_message(&mut &[0x2b, 0x05, 0x03, 0x09, 0x00][..]), None);
    assert_eq!(reader.pending().len(), 5);
    reader.abandon();
    assert_eq!(reader.next_message(&mut &[0x42][..]), Some(HostMessage::Command(Command::Board)));
}
