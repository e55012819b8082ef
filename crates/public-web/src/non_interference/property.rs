//! Two halls are compared after every step, until the delay is over.

use std::sync::Arc;

use proptest::prelude::*;
use tokio::runtime::Runtime;

use super::MINUTE;
use super::halls::Site;
use super::steps::{Decision, Happening, Step, happening, step};
use publish::gate::Delay;

fn compare(sites: &mut [Site; 2], when: &str) -> Result<Vec<(String, String)>, TestCaseError> {
    let [one, other] = sites;
    let (one, other) = (one.captured(), other.captured());
    for (one, other) in one.iter().zip(&other) {
        prop_assert_eq!(one, other, "{}", when);
    }
    Ok(one)
}

/// What the two halls do, and when.
#[derive(Clone, Debug)]
struct Story {
    until_over: bool,
    /// In both, with the seconds before each step.
    common: Vec<(u64, Step)>,
    /// A mistake in the first hall only, with the seconds until it is put right.
    mistake: Option<(usize, bool, u64)>,
    /// In each by itself, with the seconds before each.
    futures: [Vec<(u64, Happening)>; 2],
    /// The daemon starts again meanwhile, with the date moved by these minutes.
    restart: Option<(i64, bool)>,
}

fn story() -> impl Strategy<Value = Story> {
    let future = || prop::collection::vec((0..90_u64, happening()), 1..12);
    (
        prop::bool::weighted(0.2),
        prop::collection::vec((0..200_u64, step()), 0..16),
        prop::option::of((0..2_usize, any::<bool>(), 1..120_u64)),
        [future(), future()],
        prop::option::weighted(0.4, (prop_oneof![Just(0_i64), Just(60)], any::<bool>())),
    )
        .prop_map(|(until_over, common, mistake, futures, restart)| Story {
            until_over,
            common,
            mistake,
            futures,
            restart,
        })
}

/// Plays a story; returns whether the halls differ once the delay is over.
fn tell(runtime: &Arc<Runtime>, story: Story) -> Result<bool, TestCaseError> {
    let delay = if story.until_over { Delay::UntilOver } else { Delay::Seconds(600) };
    let mut sites = [Site::open(runtime, delay), Site::open(runtime, delay)];
    let over = |happening: &Happening| {
        matches!(happening, Happening::Result(..) | Happening::NoResult(_) | Happening::Finish | Happening::Reopen)
    };
    // Until the game is over: stories end before the opening.
    let stays = |step: &Step| !story.until_over || !matches!(step, Step::Both(happening) if over(happening));
    for (index, (seconds, step)) in story.common.into_iter().filter(|(_, step)| stays(step)).enumerate() {
        for site in &mut sites {
            site.pass(seconds * 1000);
            match step {
                Step::Both(happening) => site.happen(happening),
                Step::Decision(decision) => site.decide(decision),
            }
        }
        compare(&mut sites, &format!("common step {index}: {step:?}"))?;
    }
    if let Some((index, knight, seconds)) = story.mistake {
        for (number, site) in sites.iter_mut().enumerate() {
            site.happen(Happening::Start(index));
            site.happen(Happening::Play(index, if number == 0 { !knight } else { knight }));
        }
        compare(&mut sites, "after the mistake")?;
        for (number, site) in sites.iter_mut().enumerate() {
            site.pass(seconds * 1000);
            if number == 0 {
                site.happen(Happening::Correct(index, 1));
            }
        }
        compare(&mut sites, "after it was put right")?;
    }
    for site in &mut sites {
        let plies = site.lines.each_ref().map(|line| line.as_ref().map_or(0, Vec::len));
        site.common = (plies, site.results, site.finished);
    }
    let until = match sites[0].delay {
        Delay::Seconds(seconds) => u64::from(seconds) * 1000,
        Delay::UntilOver => 4 * 60 * MINUTE,
    };
    let steps = story.futures.iter().enumerate().flat_map(|(site, future)| {
        let mut at = 0;
        future.iter().map(move |(seconds, happening)| {
            at += seconds * 1000 + 1;
            (at, site, *happening)
        })
    });
    let mut steps: Vec<_> = steps.filter(|(_, _, happening)| !story.until_over || !over(happening)).collect();
    steps.sort_by_key(|(at, site, _)| (*at, *site));
    let mut passed = 0;
    let half = until / 2;
    let mut restart = story.restart;
    for (at, number, happening) in steps.into_iter().filter(|(at, ..)| *at < until) {
        if let Some((moved, same_boot)) = restart.filter(|_| at > half) {
            restart = None;
            for site in &mut sites {
                site.decide(Decision::Restart(moved, same_boot));
            }
            compare(&mut sites, "after a restart")?;
        }
        for site in &mut sites {
            site.pass(at - passed);
        }
        passed = at;
        // Standings wait for what is held back of the games that they follow from: while no game has begun they follow from
        // what is public, and where each game is held back until it is over, no further time holds them.
        let nothing_began = sites[number].lines.iter().all(Option::is_none);
        if story.until_over && nothing_began && matches!(happening, Happening::Standings(_)) {
            continue;
        }
        sites[number].happen(happening);
        compare(&mut sites, &format!("{at} ms after the halls part: {happening:?}"))?;
    }
    for site in &mut sites {
        site.pass(until - passed);
    }
    compare(&mut sites, "when the delay is nearly over")?;
    for site in &mut sites {
        site.pass(61 * MINUTE);
    }
    Ok(sites[0].captured() != sites[1].captured())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_public_byte_tells_what_happens_inside_the_delay(story in story()) {
        let runtime = Arc::new(Runtime::new().unwrap());
        tell(&runtime, story)?;
    }
}

/// Each case plays two halls and reads every address after every step.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(8)
}

#[test]
fn a_result_by_hand_does_not_bring_the_later_start_of_its_round_with_it() {
    let runtime = Arc::new(Runtime::new().unwrap());
    let result = |index, result| Step::Both(Happening::Result(index, result));
    let common = vec![(0, result(0, "1-0")), (52, result(3, "1/2-1/2"))];
    let futures = [vec![(5, Happening::Start(4))], vec![(87, Happening::Play(4, false))]];
    tell(&runtime, Story { until_over: false, common, mistake: None, futures, restart: None }).unwrap();
}

#[test]
fn once_the_delay_is_over_the_halls_differ() {
    let runtime = Arc::new(Runtime::new().unwrap());
    let future = |knight| vec![(30, Happening::Start(0)), (30, Happening::Play(0, knight))];
    let common = vec![(0, Step::Both(Happening::Start(1))), (10, Step::Both(Happening::Play(1, true)))];
    let futures = [future(true), future(false)];
    let story = Story { until_over: false, common, mistake: None, futures, restart: None };
    assert!(tell(&runtime, story).unwrap());
}

#[test]
fn standings_wait_with_a_game_until_it_is_over() {
    let runtime = Arc::new(Runtime::new().unwrap());
    let futures =
        [vec![(5, Happening::Start(0)), (5, Happening::Standings(true))], vec![(5, Happening::Standings(false))]];
    let story = |common| Story { until_over: true, common, mistake: None, futures: futures.clone(), restart: None };
    tell(&runtime, story(Vec::new())).unwrap();
    tell(&runtime, story(vec![(0, Step::Both(Happening::Start(1)))])).unwrap();
}
