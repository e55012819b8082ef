//! Properties of all byte streams and all messages.

use dgt_protocol::{
    Address, Ascii, Battery, BusMessage, ChangesParity, ClockAck, ClockMessage, ClockTimes, CommandReader, EventLog,
    Field, FrameReader, HalfBoard, HostMessage, HoursMinutes, LogEvent, Message, MessageError, Mode, PieceCode,
    RawReply, SerialNumber, Side, SideTime, Standby,
};
use proptest::{
    array::{uniform4, uniform32},
    collection::vec,
    prelude::*,
    sample::select,
};

// Streams.

/// Bytes of a damaged line: noise, parts of messages, complete messages.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let noise = vec(any::<u8>(), 0..8);
    let whole = message().prop_map(|message| message.encode());
    let on_bus = bus_message().prop_map(|message| message.encode());
    let torn = (message(), any::<prop::sample::Index>()).prop_map(|(message, at)| {
        let mut bytes = message.encode();
        bytes.truncate(at.index(bytes.len()));
        bytes
    });
    let flipped = (message(), any::<prop::sample::Index>(), 0..8).prop_map(|(message, at, bit)| {
        let mut bytes = message.encode();
        let at = at.index(bytes.len());
        bytes[at] ^= 1_u8 << bit;
        bytes
    });
    vec(prop_oneof![noise, whole, on_bus, torn, flipped], 0..12).prop_map(|parts| parts.concat())
}

fn mode() -> impl Strategy<Value = Mode> {
    select(vec![Mode::Single, Mode::Bus])
}

/// Frames, dropped bytes and the unfinished tail of a stream that comes in these chunks.
fn read<'b>(mode: Mode, chunks: impl IntoIterator<Item = &'b [u8]>) -> (Vec<Vec<u8>>, u64, Vec<u8>) {
    let mut reader = FrameReader::new(mode);
    let mut frames = Vec::new();
    for mut chunk in chunks {
        while let Some(frame) = reader.next_frame(&mut chunk) {
            frames.push(frame.bytes().to_vec());
        }
        assert!(chunk.is_empty());
        assert!(reader.pending().len() < mode.longest_message());
    }
    (frames, reader.dropped(), reader.pending().to_vec())
}

/// The slices between these cuts, which need not be in order.
fn cut<'b>(bytes: &'b [u8], cuts: &[prop::sample::Index]) -> Vec<&'b [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    cuts.extend([0, bytes.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}

proptest! {
    #[test]
    fn chunk_borders_do_not_matter(
        mode in mode(),
        bytes in line(),
        cuts in vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let at_once = read(mode, [&bytes[..]]);
        prop_assert_eq!(&at_once, &read(mode, cut(&bytes, &cuts)));
        prop_assert_eq!(&at_once, &read(mode, bytes.chunks(1)));
    }

    #[test]
    fn every_byte_is_in_a_frame_or_dropped_or_pending(mode in mode(), bytes in line()) {
        let (frames, dropped, pending) = read(mode, [&bytes[..]]);
        let kept = (frames.concat().len() + pending.len()) as u64;
        prop_assert_eq!(kept + dropped, bytes.len() as u64);
    }

    #[test]
    fn a_frame_never_makes_decoding_panic(mode in mode(), bytes in line()) {
        for frame in read(mode, [&bytes[..]]).0 {
            let mut reader = FrameReader::new(mode);
            let mut input = &frame[..];
            let frame = reader.next_frame(&mut input).expect("a frame decodes as a frame");
            let (single, bus) = (frame.message().err(), frame.bus_message().err());
            let other = if mode == Mode::Single { bus } else { single };
            prop_assert_eq!(other, Some(MessageError::WrongMode));
            prop_assert_eq!(frame.unknown_bits() & 0x8f, 0);
        }
    }

    #[test]
    fn messages_after_any_bytes_are_read(
        before in line(),
        messages in vec(message(), 1..5),
    ) {
        let bytes: Vec<u8> = messages.iter().flat_map(Message::encode).collect();
        let mut reader = FrameReader::new(Mode::Single);
        let mut input = &before[..];
        while reader.next_frame(&mut input).is_some() {}
        let mut input = &bytes[..];
        for message in messages {
            let found = reader.next_frame(&mut input).map(|frame| frame.message());
            prop_assert_eq!(found, Some(Ok(message)));
        }
        prop_assert!(reader.next_frame(&mut input).is_none());
    }

    #[test]
    fn a_decoded_message_encodes_to_the_same_message(bytes in line()) {
        if let Ok(message) = Message::decode(&bytes) {
            prop_assert_eq!(Message::decode(&message.encode()), Ok(message));
        }
        if let Ok(message) = BusMessage::decode(&bytes) {
            prop_assert_eq!(BusMessage::decode(&message.encode()), Ok(message));
        }
    }

    #[test]
    fn a_log_keeps_every_byte(bytes in vec(0..0x80_u8, 0..200)) {
        let log = EventLog::from_bytes(&bytes);
        let mut events = log.events();
        let written: EventLog = events.by_ref().collect();
        prop_assert_eq!([written.as_bytes(), events.remainder()].concat(), bytes);
        prop_assert!(events.remainder().len() < 3);
    }

    #[test]
    fn chunk_borders_in_commands_do_not_matter(
        bytes in vec(prop_oneof![any::<u8>(), select(vec![0x2b, 0x60, 0x63, 0x03, 0x07])], 0..200),
        cuts in vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let read = |chunks: Vec<&[u8]>| {
            let mut reader = CommandReader::new();
            let mut messages = Vec::new();
            for mut chunk in chunks {
                while let Some(message) = reader.next_message(&mut chunk) {
                    messages.push(message);
                }
                assert!(chunk.is_empty());
                assert!(reader.pending().len() < 2 + 127);
            }
            (messages, reader.pending().to_vec())
        };
        let at_once = read(vec![&bytes[..]]);
        prop_assert_eq!(&at_once, &read(cut(&bytes, &cuts)));
        for message in at_once.0 {
            if let HostMessage::Command(command) = message {
                let written = command.encode();
                prop_assert!(!FORBIDDEN.contains(&written[0]));
                let sent = vec![HostMessage::Command(command)];
                prop_assert_eq!(read(vec![&written[..]]), (sent, vec![]));
            }
        }
    }
}

/// First bytes of commands that must never be sent; the last five are bus commands.
const FORBIDDEN: [u8; 13] = [0x2b, 0x2c, 0x4e, 0x51, 0x53, 0x54, 0x60, 0x63, 0x88, 0x89, 0xa0, 0xa1, 0xa2];

// Messages.

proptest! {
    #[test]
    fn messages_round_trip(message in message()) {
        prop_assert_eq!(Message::decode(&message.encode()), Ok(message));
    }

    #[test]
    fn bus_messages_round_trip(message in bus_message()) {
        prop_assert_eq!(BusMessage::decode(&message.encode()), Ok(message));
    }

    #[test]
    fn one_damaged_bit_on_a_bus_is_always_an_error(
        message in bus_message(),
        at in any::<prop::sample::Index>(),
        bit in 0..8,
    ) {
        let mut bytes = message.encode();
        let at = at.index(bytes.len());
        bytes[at] ^= 1_u8 << bit;
        prop_assert!(BusMessage::decode(&bytes).is_err());
    }

    #[test]
    fn log_events_round_trip(events in vec(log_event(), 0..50)) {
        let log: EventLog = events.iter().copied().collect();
        prop_assert_eq!(log.events().collect::<Vec<_>>(), events);
    }
}

fn low() -> impl Strategy<Value = u8> {
    0..0x80_u8
}

fn piece() -> impl Strategy<Value = PieceCode> {
    select(PieceCode::ALL.to_vec())
}

fn field() -> impl Strategy<Value = Field> {
    select(Field::all().collect::<Vec<_>>())
}

fn pieces<const N: usize>() -> impl Strategy<Value = [PieceCode; N]> {
    vec(piece(), N).prop_map(|pieces| pieces.try_into().expect("the requested number"))
}

fn address() -> impl Strategy<Value = Address> {
    (0..1_u16 << 14).prop_filter_map("14 bits", Address::new)
}

fn ascii<const N: usize>() -> impl Strategy<Value = Ascii<N>> {
    vec(select((' '..='~').collect::<Vec<char>>()), N)
        .prop_filter_map("printable", |text| Ascii::new(&text.into_iter().collect::<String>()))
}

fn side_time() -> impl Strategy<Value = SideTime> {
    (0..36_000_u32, any::<[bool; 3]>()).prop_map(|(seconds, [flag_blocked, per_move, flag_continues])| SideTime {
        flag_blocked,
        per_move,
        flag_continues,
        ..SideTime::from_seconds(seconds)
    })
}

fn clock() -> impl Strategy<Value = ClockMessage> {
    let times = (side_time(), side_time(), uniform4(any::<bool>()), any::<(bool, bool)>()).prop_map(
        |(left, right, [running, right_side_up, battery_low, no_clock], (left_to_move, right_to_move))| {
            let times =
                ClockTimes { left, right, running, right_side_up, battery_low, left_to_move, right_to_move, no_clock };
            // Both have the same bytes.
            if times == ClockTimes::default() { ClockMessage::AllZero } else { ClockMessage::Times(times) }
        },
    );
    let ack = any::<[u8; 4]>().prop_map(|bytes| ClockMessage::Ack(ClockAck(bytes)));
    prop_oneof![times, ack, Just(ClockMessage::AllZero)]
}

fn battery() -> impl Strategy<Value = Battery> {
    // 127 in the time left means "unknown".
    let left = proptest::option::of((0..0x7f_u8, 0..0x7f_u8));
    (left, uniform32(low()), any::<(bool, bool)>()).prop_map(|(left, numbers, (charging, discharging))| Battery {
        percent: numbers[0],
        time_left: left.map(|(hours, minutes)| HoursMinutes { hours, minutes }),
        time_on: HoursMinutes { hours: numbers[1], minutes: numbers[2] },
        standby: Standby { days: numbers[3], hours: numbers[4], minutes: numbers[5] },
        charging,
        discharging,
    })
}

fn log_event() -> impl Strategy<Value = LogEvent> {
    let update = (field(), piece(), any::<bool>()).prop_map(|(field, piece, within_250ms)| LogEvent::Field {
        field,
        piece,
        within_250ms,
    });
    let clock = (select(vec![Side::Left, Side::Right]), 0..36_000_u32)
        .prop_map(|(side, total_seconds)| LogEvent::Clock { side, total_seconds });
    let single = select(vec![
        LogEvent::PowerUp,
        LogEvent::EndOfLog,
        LogEvent::FourRows,
        LogEvent::EmptyBoard,
        LogEvent::Downloaded,
        LogEvent::StartPosition,
        LogEvent::StartPositionRotated,
        LogEvent::StartTag,
        LogEvent::Watchdog,
        LogEvent::Reserved7d,
        LogEvent::Reserved7e,
        LogEvent::Nop,
        LogEvent::NopZero,
    ]);
    prop_oneof![update, clock, single, (1..0x40_u8).prop_map(LogEvent::Unknown)]
}

fn raw() -> impl Strategy<Value = Vec<u8>> {
    vec(low(), 0..40)
}

fn log() -> impl Strategy<Value = EventLog> {
    raw().prop_map(|bytes| EventLog::from_bytes(&bytes))
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        pieces().prop_map(Message::BoardDump),
        pieces().prop_map(Message::DraughtsDump),
        (select(vec![HalfBoard::Dark, HalfBoard::Light]), pieces())
            .prop_map(|(half, pieces)| Message::HalfDump { half, pieces }),
        (field(), piece()).prop_map(|(field, piece)| Message::FieldUpdate { field, piece }),
        clock().prop_map(Message::Clock),
        log().prop_map(Message::Log),
        address().prop_map(Message::BusAddress),
        (ascii(), proptest::option::of(ascii()))
            .prop_map(|(number, eeprom_version)| { Message::Serial(SerialNumber { number, eeprom_version }) }),
        raw().prop_map(|text| Message::Trademark(text.into_iter().map(char::from).collect())),
        (low(), low()).prop_map(|(main, sub)| Message::Version { main, sub }),
        (low(), low()).prop_map(|(main, sub)| Message::HardwareVersion { main, sub }),
        battery().prop_map(Message::Battery),
        ascii().prop_map(Message::LongSerial),
        raw().prop_map(Message::I2cClock),
        raw().prop_map(Message::LockState),
        raw().prop_map(Message::DeveloperKey),
    ]
}

fn bus_message() -> impl Strategy<Value = BusMessage> {
    let reply = select(vec![
        RawReply::Serial,
        RawReply::I2cClock,
        RawReply::Statistics,
        RawReply::Configuration,
        RawReply::Trademark,
        RawReply::Battery,
    ]);
    prop_oneof![
        (address(), pieces()).prop_map(|(address, fields)| BusMessage::Board { address, fields }),
        (address(), clock()).prop_map(|(address, clock)| BusMessage::Clock { address, clock }),
        (address(), select(vec![ChangesParity::Odd, ChangesParity::Even]), log())
            .prop_map(|(address, parity, log)| BusMessage::Changes { address, parity, log }),
        (address(), log()).prop_map(|(address, log)| BusMessage::FromStart { address, log }),
        address().prop_map(|address| BusMessage::Ping { address }),
        address().prop_map(|address| BusMessage::StartWritten { address }),
        (address(), proptest::option::of((low(), low())))
            .prop_map(|(address, version)| BusMessage::Version { address, version }),
        (address(), pieces()).prop_map(|(address, pieces)| BusMessage::HalfBoard { address, pieces }),
        (address(), low(), low()).prop_map(|(address, main, sub)| BusMessage::HardwareVersion { address, main, sub }),
        (address(), reply, raw()).prop_map(|(address, reply, data)| BusMessage::Raw { address, reply, data }),
    ]
}
