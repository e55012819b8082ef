//! Probes of silent lines, boards, buses and other devices.

use super::*;

fn at(ms: u64) -> Timestamp {
    Timestamp::from_ms(ms)
}

fn serial(number: &str) -> Vec<u8> {
    Message::Serial(SerialNumber::new(number).unwrap()).encode()
}

#[test]
fn a_serial_number_is_believed_when_it_was_said_twice() {
    // «1000$» and «10086» are 10004 with a bit or a digit damaged on the line.
    for (answers, outcome) in [
        (&["1000$", "10004", "10004"][..], Some("10004")),
        (&["10004", "10086", "10004"], None),
        (&["10004"], Some("10004")),
    ] {
        let mut probe = Probe::new(at(0), FirstQuestion::Version);
        probe.handle_bytes(at(50), &Message::Version { main: 1, sub: 8 }.encode());
        for answer in answers {
            assert_eq!(probe.outcome(), None, "{answers:?}");
            probe.handle_bytes(at(100), &serial(answer));
        }
        for ms in (2_200..20_000).step_by(2_200) {
            probe.handle_timeout(at(ms));
        }
        let board = outcome.map(|serial| ProbeOutcome::Board { serial: serial.into(), version: (1, 8) });
        assert_eq!(probe.outcome(), Some(&board.unwrap_or(ProbeOutcome::NotABoard)), "{answers:?}");
    }
}

#[test]
fn a_line_that_may_be_a_bus_hears_no_single_board_command_before_the_silence_is_over() {
    let mut probe = Probe::new(at(0), FirstQuestion::Ping);
    assert_eq!(probe.poll_command(), Some(Command::Bus(BusCommand::Ping(Address::ALL))));
    probe.handle_timeout(at(1_299));
    assert_eq!(probe.poll_command(), None);
    probe.handle_timeout(at(1_300));
    assert_eq!(probe.poll_command(), Some(Command::UpdateNice), "the ping muted a board that was playing");
    assert_eq!(probe.poll_command(), Some(Command::Version));
    probe.handle_bytes(at(1_400), &Message::Version { main: 1, sub: 8 }.encode());
    assert_eq!(probe.poll_command(), Some(Command::Serial));
    probe.handle_bytes(at(1_500), &serial("01025"));
    assert_eq!((probe.poll_command(), probe.outcome()), (Some(Command::Serial), None));
    probe.handle_bytes(at(1_500), &serial("01025"));
    let board = ProbeOutcome::Board { serial: "01025".into(), version: (1, 8) };
    assert_eq!(probe.outcome(), Some(&board));
}

#[test]
fn a_line_on_which_a_board_was_found_before_is_asked_at_once_and_as_a_bus_when_it_is_silent() {
    let mut probe = Probe::new(at(0), FirstQuestion::VersionThenPing);
    assert_eq!(probe.poll_command(), Some(Command::Version));
    let mut gone = probe.clone();
    probe.handle_bytes(at(60), &Message::Version { main: 1, sub: 8 }.encode());
    assert_eq!(probe.poll_command(), Some(Command::Serial));
    probe.handle_bytes(at(120), &serial("01025"));
    assert_eq!((probe.poll_command(), probe.outcome()), (Some(Command::Serial), None));
    probe.handle_bytes(at(120), &serial("01025"));
    let board = ProbeOutcome::Board { serial: "01025".into(), version: (1, 8) };
    assert_eq!(probe.outcome(), Some(&board));
    assert_eq!(probe.poll_command(), None);

    gone.handle_timeout(at(1_000));
    assert_eq!(gone.poll_command(), Some(Command::ToBus), "several boards may have heard the question");
    assert_eq!(gone.poll_command(), Some(Command::Bus(BusCommand::Ping(Address::ALL))));
    for number in [1025, 1026] {
        let address = Address::new(number).unwrap();
        gone.handle_bytes(at(1_500), &BusMessage::Ping { address }.encode());
    }
    gone.handle_timeout(at(2_300));
    assert_eq!(gone.outcome(), Some(&ProbeOutcome::Bus { addresses: vec![1025, 1026] }));
}

#[test]
fn boards_that_were_added_to_the_line_of_a_single_one_are_brought_back_to_bus_mode() {
    for (first, collide) in [(FirstQuestion::Version, false), (FirstQuestion::Ping, true)] {
        let mut probe = Probe::new(at(0), first);
        // In single-board mode they do not hear the ping.
        probe.handle_timeout(at(1_300));
        let mut ms = 1_300;
        let mut brought_back = false;
        while probe.outcome().is_none() && ms < 30_000 {
            ms += 10;
            while let Some(command) = probe.poll_command() {
                match command {
                    Command::Version => {
                        probe.handle_bytes(at(ms), &Message::Version { main: 1, sub: 8 }.encode());
                    }
                    Command::Serial if collide => probe.handle_bytes(at(ms), &[0x91, 0x00, 0x08, 0x30, 0x91]),
                    Command::Serial => {
                        probe.handle_bytes(at(ms), &serial("01025"));
                        probe.handle_bytes(at(ms), &serial("01026"));
                    }
                    Command::ToBus => brought_back = true,
                    Command::Bus(BusCommand::Ping(_)) if brought_back => {
                        for number in [1025, 1026] {
                            let address = Address::new(number).unwrap();
                            probe.handle_bytes(at(ms), &BusMessage::Ping { address }.encode());
                        }
                    }
                    _ => {}
                }
            }
            if probe.next_deadline().is_some_and(|due| due <= at(ms)) {
                probe.handle_timeout(at(ms));
            }
        }
        assert_eq!(probe.outcome(), Some(&ProbeOutcome::Bus { addresses: vec![1025, 1026] }), "{first:?}");
    }
}

#[test]
fn a_bus_is_recognised_and_left_alone() {
    let mut probe = Probe::new(at(0), FirstQuestion::Ping);
    probe.poll_command();
    for number in [1025, 1026] {
        let address = Address::new(number).unwrap();
        probe.handle_bytes(at(500), &BusMessage::Ping { address }.encode());
    }
    probe.handle_timeout(at(1_300));
    assert_eq!(probe.outcome(), Some(&ProbeOutcome::Bus { addresses: vec![1025, 1026] }));
    assert_eq!(probe.poll_command(), None);
}

#[test]
fn a_board_alone_that_woke_up_in_bus_mode_is_ignoring_and_found_after_the_others_silence() {
    let address = Address::new(1025).unwrap();
    let mut probe = Probe::new(at(0), FirstQuestion::Ping);
    probe.poll_command();
    probe.handle_bytes(at(500), &BusMessage::Ping { address }.encode());
    probe.handle_timeout(at(1_300));
    assert_eq!(probe.poll_command(), Some(Command::Bus(BusCommand::IgnoreNextPing(address))));
    probe.handle_bytes(at(1_310), &BusMessage::Ping { address }.encode());
    assert_eq!(probe.poll_command(), Some(Command::Bus(BusCommand::Ping(Address::ALL))));
    assert_eq!(probe.poll_command(), None);
    let mut crowded = probe.clone();
    probe.handle_timeout(at(2_610));
    assert_eq!(probe.poll_command(), Some(Command::UpdateNice));
    assert_eq!(probe.poll_command(), Some(Command::Version));

    let other = Address::new(1030).unwrap();
    crowded.handle_bytes(at(1_900), &BusMessage::Ping { address: other }.encode());
    crowded.handle_timeout(at(2_610));
    assert_eq!(crowded.outcome(), Some(&ProbeOutcome::Bus { addresses: vec![1025, 1030] }));
}

#[test]
fn answers_that_damaged_each_other_are_no_silence() {
    let mut probe = Probe::new(at(0), FirstQuestion::Ping);
    probe.poll_command();
    for round in 1..=2 {
        probe.handle_bytes(at(round * 1_300 - 100), &[0x87, 0x00, 0x06, 0x08, 0x87, 0x01]);
        probe.handle_timeout(at(round * 1_300));
        assert_eq!(probe.poll_command(), Some(Command::Bus(BusCommand::Ping(Address::ALL))));
    }
    probe.handle_bytes(at(3_800), &[0x11, 0x22]);
    probe.handle_timeout(at(3_900));
    assert_eq!((probe.poll_command(), probe.outcome()), (None, Some(&ProbeOutcome::NotABoard)));
}

#[test]
fn silence_and_strangers_are_told_apart_and_a_late_board_is_waited_for() {
    let mut silent = Probe::new(at(0), FirstQuestion::Version);
    let mut stranger = Probe::new(at(0), FirstQuestion::Version);
    stranger.handle_bytes(at(10), b"OK\r\n");
    for ms in [2_000, 4_000, 6_000] {
        assert_eq!(silent.outcome(), None);
        silent.handle_timeout(at(ms));
        stranger.handle_timeout(at(ms));
    }
    assert_eq!(silent.outcome(), Some(&ProbeOutcome::Silent));
    assert_eq!(stranger.outcome(), Some(&ProbeOutcome::NotABoard));
    assert_eq!(std::iter::from_fn(|| silent.poll_command()).count(), 3);
}

#[test]
fn a_playing_board_on_a_new_line_is_recognised_without_the_ping_and_no_update_is_lost() {
    let update =
        Message::FieldUpdate { field: dgt_protocol::Field::new(52).unwrap(), piece: dgt_protocol::PieceCode::Empty };
    let clock = [0x8d, 0x00, 0x0a, 0x20, 0x10, 0x20, 0x20, 0x10, 0x16, 0x08];
    for first in [update.encode(), clock.to_vec()] {
        let mut probe = Probe::new(at(0), FirstQuestion::Listen);
        assert_eq!(probe.poll_command(), None, "the line is listened to first");
        // The port was opened in the middle of a message.
        probe.handle_bytes(at(300), &[0x20, 0x10, 0x16]);
        probe.handle_bytes(at(400), &first);
        assert_eq!(probe.poll_command(), Some(Command::Version));
        probe.handle_bytes(at(450), &update.encode());
        probe.handle_bytes(at(500), &Message::Version { main: 1, sub: 8 }.encode());
        assert_eq!(probe.poll_command(), Some(Command::Serial));
        probe.handle_bytes(at(550), &serial("01025"));
        assert_eq!((probe.poll_command(), probe.outcome()), (Some(Command::Serial), None));
        probe.handle_bytes(at(550), &serial("01025"));
        assert!(matches!(probe.outcome(), Some(ProbeOutcome::Board { .. })));
        assert_eq!(probe.poll_command(), None);
        assert_eq!(probe.take_heard(), [first, update.encode()].concat());
    }
}

#[test]
fn a_new_line_on_which_nothing_talks_is_asked_as_a_bus() {
    let mut probe = Probe::new(at(0), FirstQuestion::Listen);
    probe.handle_timeout(at(1_099));
    assert_eq!(probe.poll_command(), None);
    probe.handle_timeout(at(1_100));
    assert_eq!(probe.poll_command(), Some(Command::Bus(BusCommand::Ping(Address::ALL))));
    probe.handle_timeout(at(2_400));
    assert_eq!(probe.poll_command(), Some(Command::UpdateNice));
    assert_eq!(probe.poll_command(), Some(Command::Version));
}

#[test]
fn late_replies_of_a_bus_on_a_new_line_lead_to_the_ping_and_damaged_ones_to_no_single_board_command() {
    let address = Address::new(1025).unwrap();
    let mut probe = Probe::new(at(0), FirstQuestion::Listen);
    probe.handle_bytes(at(200), &BusMessage::Ping { address }.encode());
    assert_eq!(probe.poll_command(), Some(Command::Bus(BusCommand::Ping(Address::ALL))));

    let mut probe = Probe::new(at(0), FirstQuestion::Listen);
    let mut damaged = BusMessage::Ping { address }.encode();
    damaged[5] ^= 1;
    probe.handle_bytes(at(200), &damaged);
    assert_eq!(probe.poll_command(), None);
    probe.handle_timeout(at(1_100));
    assert_eq!(probe.poll_command(), Some(Command::Bus(BusCommand::Ping(Address::ALL))));
}

#[test]
fn a_board_that_sends_the_rest_of_a_log_is_found_when_the_log_ends() {
    let clock = [0x8d, 0x00, 0x0a, 0x20, 0x10, 0x20, 0x20, 0x10, 0x16, 0x08];
    for first in [FirstQuestion::Listen, FirstQuestion::Version, FirstQuestion::VersionThenPing] {
        let mut probe = Probe::new(at(0), first);
        let asked = probe.poll_command();
        assert_eq!(asked, (first != FirstQuestion::Listen).then_some(Command::Version));
        for ms in (0..7_000).step_by(100) {
            probe.handle_timeout(at(ms));
            probe.handle_bytes(at(ms), &[0x41, 0x14].repeat(48));
        }
        assert_eq!((probe.poll_command(), probe.outcome()), (None, None), "{first:?}");
        // What was asked meanwhile is answered now, and the clock is running.
        probe.handle_bytes(at(7_050), &clock);
        if asked.is_none() {
            assert_eq!(probe.poll_command(), Some(Command::Version));
        }
        probe.handle_bytes(at(7_100), &Message::Version { main: 1, sub: 8 }.encode());
        assert_eq!(probe.poll_command(), Some(Command::Serial), "{first:?}");
    }
    let mut endless = Probe::new(at(0), FirstQuestion::Listen);
    for ms in (0..11_000).step_by(100) {
        endless.handle_timeout(at(ms));
        endless.handle_bytes(at(ms), &[0x41; 96]);
    }
    assert_eq!((endless.poll_command(), endless.outcome()), (None, Some(&ProbeOutcome::NotABoard)));
}

#[test]
fn a_device_that_talks_another_protocol_hears_nothing() {
    let mut probe = Probe::new(at(0), FirstQuestion::Listen);
    for ms in [100, 600] {
        probe.handle_bytes(at(ms), b"$GPGGA,123519,4807.038,N,01131.000,E\r\n");
    }
    // Bytes of a modem or a plotter may have bit 7 set.
    probe.handle_bytes(at(800), &[0xf0, 0xfe, 0x8d, 0x7f, 0x87, 0x99]);
    probe.handle_timeout(at(1_100));
    assert_eq!((probe.poll_command(), probe.outcome()), (None, Some(&ProbeOutcome::NotABoard)));
}
