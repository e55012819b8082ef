//! `%clk` and `%emt` of every time control against what the players really took: the simulated clock tells the readings,
//! and a hand makes legal moves at known times.

mod damage;
mod table;

use board_sim::clock::{Bonus, ClockSettings, SimClock, other_side};
use dgt_protocol::{ClockMessage, ClockTimes, Message, Side as ClockSide};
use game_core::event::Side;
use game_core::input::{Attach, Detach, Input, Notice};
use notation::time_control::Period;

use table::Table;

/// Plays games with a control that is told and with one that is not.
fn play_both(control: &str, bonus: Bonus, counts_moves: bool, longest_ms: u64, told: &str) {
    for seed in 0..6 {
        let mut table = Table::new(control, bonus, counts_moves, Some(told));
        table.start();
        let truth = table.play(60, longest_ms, seed);
        table.check(&truth, 1_000);
        let mut untold = Table::new(control, bonus, counts_moves, None);
        untold.start();
        let truth = untold.play(60, longest_ms, seed);
        // Without the control a delay cannot be told from no bonus at all, and a Fischer second from the next one.
        let hidden_ms = if bonus == Bonus::Delay { 5_000 } else { 1_000 };
        untold.check(&truth, 1_000 + hidden_ms);
    }
}

#[test]
fn sudden_death_and_fischer() {
    play_both("1800", Bonus::Fischer, true, 12_000, "1800");
    play_both("300+3", Bonus::Fischer, true, 9_000, "300+3");
}

#[test]
fn bronstein_and_us_delay() {
    play_both("900+5", Bonus::Bronstein, true, 15_000, "900+5");
    play_both("900+5", Bonus::Delay, true, 15_000, "900+5");
}

#[test]
fn byo_yomi_in_several_periods() {
    let bonus = Bonus::ByoYomi { seconds: 30, periods: 10 };
    play_both("60", bonus, true, 20_000, "60");
}

#[test]
fn a_new_period_comes_with_the_last_move_of_the_old_one_or_at_zero() {
    play_both("20/900+10:600+10", Bonus::Fischer, true, 15_000, "20/900+10:600+10");
    play_both("20/120:1200", Bonus::Fischer, false, 15_000, "20/120:1200");
}

#[test]
fn what_the_control_explains_needs_no_amendment() {
    for control in ["1800", "300+3", "20/900+10:600+10"] {
        let mut table = Table::new(control, Bonus::Fischer, true, Some(control));
        table.start();
        table.play(60, 9_000, 1);
        assert_eq!(table.amends, 0, "{control}");
    }
    let mut table = Table::new("900+5", Bonus::Delay, true, Some("900+5"));
    table.start();
    table.play(60, 9_000, 1);
    assert!(
        (1..=8).contains(&table.amends),
        "each side's first two presses show what the clock does: {}",
        table.amends
    );
}

#[test]
fn a_clock_that_stands_the_other_way_round_is_mended_for_the_whole_game_in_one_step() {
    // White sits at the right, and the clock is plugged in when it runs: nothing tells so before the presses.
    let mut table = Table::new("300+3", Bonus::Fischer, true, None);
    let settings = ClockSettings {
        first: Period { moves: None, seconds: 300, increment_s: 3 },
        later: Vec::new(),
        counts_moves: true,
        bonus: Bonus::Fischer,
    };
    let unplugged = ClockTimes { no_clock: true, ..ClockTimes::default() };
    table.send(&Message::Clock(ClockMessage::Times(unplugged)));
    table.white = ClockSide::Right;
    table.clock = SimClock::new(settings, table.white, table.now);
    table.clock.start(table.now);
    table.send_reading();
    let truth = table.play(20, 9_000, 7);
    let told: Vec<_> = table.game.moves().iter().map(|played| played.clk_ms).collect();
    let shown: Vec<_> = truth.iter().map(|(_, clk_ms)| Some(*clk_ms)).collect();
    assert_eq!(told, shown);
    assert_eq!(table.session.orientation().white_is_left, Some(false));
}

#[test]
fn a_clock_that_is_turned_round_or_replaced_in_mid_game_gives_both_players_their_times() {
    for replaced in [false, true] {
        let mut table = Table::new("900+3", Bonus::Fischer, true, None);
        table.start();
        let mut truth = table.play(20, 9_000, 7);
        table.stop();
        if replaced {
            let unplugged = ClockTimes { no_clock: true, ..ClockTimes::default() };
            table.send(&Message::Clock(ClockMessage::Times(unplugged)));
        }
        table.turn_clock_round();
        table.start();
        truth.extend(table.play(30, 9_000, 8));
        let told: Vec<_> = table.game.moves().iter().map(|played| played.clk_ms).collect();
        let shown: Vec<_> = truth.iter().map(|(_, clk_ms)| Some(*clk_ms)).collect();
        assert_eq!(told, shown, "replaced: {replaced}");
        assert_eq!(table.session.orientation().white_is_left, Some(false));
        let white_ms = u64::from(table.clock.shown_s(table.white)) * 1_000;
        assert_eq!(table.session.clock().map(|clock| clock.white_ms), Some(white_ms));
    }
}

#[test]
fn a_pause_and_an_arbiter_s_correction_are_no_time_that_was_used() {
    let mut table = Table::new("300+3", Bonus::Fischer, true, Some("300+3"));
    table.start();
    let mut truth = table.play(4, 9_000, 3);
    table.wait(2_000);
    table.stop();
    table.wait(60_000);
    let mover = table.mover();
    let remaining_ms = table.clock.remaining_ms(mover) + 120_000;
    table.clock.set_remaining(mover, remaining_ms, table.now);
    table.send_reading();
    table.wait(30_000);
    table.start();
    table.wait(3_000);
    table.make_move(5);
    table.press();
    let shown_ms = u64::from(table.clock.shown_s(mover)) * 1_000;
    truth.push((1_500 + 2_000 + 3_000, shown_ms));
    table.wait(1_500);
    table.check(&truth, 1_000);
}

/// An arbiter stops the clock, and pulls the cable or starts the program again before play goes on.
#[test]
fn a_line_that_was_away_while_the_clock_stood_shortens_no_turn() {
    let mut table = Table::new("300+3", Bonus::Fischer, true, Some("300+3"));
    table.start();
    let mut truth = table.play(4, 9_000, 3);
    table.wait(20_000);
    table.stop();
    table.wait(10_000);
    table.feed(&Input::Notice(Notice::Detach(Detach { reason: "unplugged".to_owned() })));
    table.wait(30_000);
    table.feed(&Input::Notice(Notice::Attach(Attach::default())));
    table.send_dump();
    table.send_reading();
    table.wait(30_000);
    table.start();
    table.wait(3_000);
    table.make_move(5);
    table.press();
    truth.push((1_500 + 20_000 + 3_000, u64::from(table.clock.shown_s(other_side(table.mover()))) * 1_000));
    table.wait(1_500);
    table.check(&truth, 1_000);
}

#[test]
fn a_press_forth_and_back_counts_all_the_time_of_the_move() {
    let mut table = Table::new("300+3", Bonus::Fischer, true, Some("300+3"));
    table.start();
    let mut truth = table.play(4, 9_000, 5);
    table.wait(4_000);
    table.make_move(5);
    table.press();
    table.wait(500);
    // The opponent presses back: the piece stands between two squares.
    table.clock.press(table.mover(), table.now);
    table.send_reading();
    table.wait(3_000);
    table.press();
    truth.push((1_500 + 4_000 + 3_000, u64::from(table.clock.shown_s(other_side(table.mover()))) * 1_000));
    table.wait(1_500);
    table.check(&truth, 1_000);
}

#[test]
fn a_flag_is_told_with_the_side_it_belongs_to() {
    let mut table = Table::new("60", Bonus::Fischer, true, Some("60"));
    table.start();
    table.play(2, 2_000, 1);
    assert_eq!(table.session.clock().and_then(|clock| clock.flag), None);
    table.wait(70_000);
    assert_eq!(table.session.clock().and_then(|clock| clock.flag), Some(Side::White));
    assert_eq!(table.flags.last(), Some(&Some(Side::White)));
    assert_eq!(table.game.clock().and_then(|clock| clock.flag), Some(Side::White));

    let mut goes_on = Table::new("20/60:600", Bonus::Fischer, false, Some("20/60:600"));
    goes_on.start();
    goes_on.play(2, 2_000, 1);
    goes_on.wait(61_000);
    assert!(goes_on.session.clock().and_then(|clock| clock.running) == Some(Side::White));
    assert_eq!(goes_on.flags.last(), Some(&Some(Side::White)), "shown while the next period runs");
}
