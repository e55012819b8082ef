//! What viewers are told of the clock, whatever it says: each reading comes with its instant, and nobody's time rises unless
//! something happened that can make it rise.

use dgt_protocol::{ClockMessage, ClockTimes, Message, PieceCode, SideTime};
use game_core::event::{Event, Side};
use game_core::input::{Attach, Input, Notice};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use proptest::prelude::*;

/// A clock as it may be read on a bad line: near what it showed before or anything, lever and state at will.
fn message() -> impl Strategy<Value = ClockTimes> {
    let seconds = || prop_oneof![6 => 280u32..300, 1 => 0u32..2, 1 => 0u32..36_000];
    let state = (prop::bool::weighted(0.85), prop::bool::weighted(0.3), prop::bool::weighted(0.05));
    (seconds(), seconds(), state)
        .prop_map(|(left, right, (running, up, no_clock))| ClockTimes { no_clock, ..shown([left, right], running, up) })
}

/// What a clock with these times tells.
fn shown([left, right]: [u32; 2], running: bool, up: bool) -> ClockTimes {
    ClockTimes {
        left: SideTime::from_seconds(left),
        right: SideTime::from_seconds(right),
        running,
        right_side_up: up,
        battery_low: false,
        left_to_move: !up,
        right_to_move: up,
        no_clock: false,
    }
}

/// A clock that ticks, is pressed, stopped and set as clocks are, with now and then a message that says something else.
fn ticking() -> impl Strategy<Value = Vec<ClockTimes>> {
    let step = prop_oneof![20 => Just(0u8), 3 => Just(1), 1 => Just(2), 1 => Just(3), 2 => Just(4)];
    prop::collection::vec((step, message(), 0u32..40), 1..120).prop_map(|steps| {
        let (mut seconds, mut up, mut running) = ([300u32, 300], false, true);
        let mut messages = vec![shown(seconds, false, up)];
        for (step, noise, by) in steps {
            let mover = usize::from(up);
            match step {
                1 if running => (seconds[mover], up) = (seconds[mover] + by % 4, !up),
                2 => running = !running,
                3 if !running => seconds[mover] += by,
                4 => {
                    messages.push(noise);
                    continue;
                }
                _ if running => seconds[mover] = seconds[mover].saturating_sub(1),
                _ => {}
            }
            messages.push(shown(seconds, running, up));
        }
        messages
    })
}

/// What was told after how many messages.
struct Told {
    after: usize,
    white_ms: Option<u64>,
    black_ms: Option<u64>,
    running: Option<Side>,
    flag: Option<Side>,
    read_at: u64,
}

/// A session at a start position reads a message a second.
fn told(messages: &[ClockTimes]) -> Vec<Told> {
    let mut session = BoardSession::new();
    let back = [8u8, 9, 10, 12, 11, 10, 9, 8];
    let mut fields = [PieceCode::Empty; 64];
    for (file, code) in back.into_iter().enumerate() {
        fields[file] = PieceCode::from_byte(code);
        (fields[8 + file], fields[48 + file]) = (PieceCode::BlackPawn, PieceCode::WhitePawn);
        fields[56 + file] = PieceCode::from_byte(code - 6);
    }
    session.handle_input(Timestamp::ZERO, &Input::Notice(Notice::Attach(Attach::default())));
    session.handle_input(Timestamp::ZERO, &Input::Bytes(Message::BoardDump(fields).encode()));
    let mut told = Vec::new();
    for (index, &times) in messages.iter().enumerate() {
        let now = at(index);
        while let Some(due) = session.next_deadline().filter(|due| *due <= now) {
            session.handle_timeout(due);
        }
        session.handle_input(now, &Input::Bytes(Message::Clock(ClockMessage::Times(times)).encode()));
        while let Some(output) = session.poll_output() {
            if let Output::Event(record) = output
                && let Event::Clock { white_ms, black_ms, running, flag, read_at } = record.event
            {
                told.push(Told { after: index, white_ms, black_ms, running, flag, read_at });
            }
        }
    }
    told
}

fn at(index: usize) -> Timestamp {
    Timestamp::from_ms(1_000 * (index as u64 + 1))
}

/// Whether something in the messages after one and up to another can make a time rise to `ms`: a press, a clock that stood or
/// was away, or a correction, which is told twice.
fn may_rise(messages: &[ClockTimes], from: usize, to: usize, ms: u64) -> bool {
    let happened = messages[from..=to].windows(2).any(|pair| {
        let [then, now] = pair else { return false };
        then.right_side_up != now.right_side_up || !then.running || !now.running || then.no_clock || now.no_clock
    });
    let shows = |times: &&ClockTimes| {
        [times.left, times.right]
            .iter()
            .any(|side| (ms..=ms + 3_000).contains(&(u64::from(side.total_seconds()) * 1_000)))
    };
    happened || messages[..=to].iter().filter(shows).count() >= 2
}

fn check(messages: &[ClockTimes]) -> Result<(), TestCaseError> {
    let told = told(messages);
    let mut last: [Option<(usize, u64)>; 2] = [None; 2];
    for event in &told {
        let heard = &messages[event.after];
        prop_assert_eq!(event.read_at, at(event.after).as_ms(), "the instant of the reading");
        prop_assert_eq!(event.running.is_some(), heard.running && !heard.no_clock, "whose time runs");
        if heard.no_clock {
            prop_assert_eq!((event.white_ms, event.black_ms), (None, None), "a clock that is not there shows nothing");
        }
        for (last, ms) in last.iter_mut().zip([event.white_ms, event.black_ms]) {
            let Some(ms) = ms else { continue };
            if let Some((from, _)) = last.filter(|(_, then)| ms > *then) {
                prop_assert!(may_rise(messages, from, event.after, ms), "a time rose to {} ms by itself", ms);
            }
            *last = Some((event.after, ms));
        }
    }
    Ok(())
}

#[test]
fn of_two_flags_that_a_clock_shows_while_it_goes_on_the_one_that_fell_first_is_told() {
    let flags = |flags: [bool; 2], times: ClockTimes| ClockTimes {
        left: SideTime { flag_continues: flags[0], ..times.left },
        right: SideTime { flag_continues: flags[1], ..times.right },
        ..times
    };
    let mut messages = vec![shown([302, 302], false, false), shown([302, 302], true, false)];
    messages.extend((0..4).map(|passed| flags([true, false], shown([301 - passed, 302], true, false))));
    // The other player's period is over as well, and both go on to be pressed.
    for turn in 0..6u32 {
        let (left, right) = (298 - turn / 2 * 3, 302 - turn.div_ceil(2) * 3);
        let up = turn % 2 == 0;
        for passed in 0..3 {
            let seconds = if up { [left, right - passed] } else { [left - passed, right] };
            messages.push(flags([true, true], shown(seconds, true, up)));
        }
    }
    let told = told(&messages);
    let flags: Vec<_> = told.iter().filter(|told| told.after > 4).map(|told| told.flag).collect();
    assert!(flags.len() >= 6 && flags.iter().all(|flag| *flag == Some(Side::White)), "{flags:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn nothing_rises_by_itself_on_any_stream(messages in prop::collection::vec(message(), 1..60)) {
        check(&messages)?;
    }

    #[test]
    fn nothing_rises_by_itself_on_a_clock_with_noise(messages in ticking()) {
        check(&messages)?;
    }
}
