//! Whether two recognisers reach the same conclusions from now on; always false while one of them follows hypotheses.

use super::Recogniser;
use super::log::JoinedGame;
use crate::play::{Play, Standing};
use crate::time::Timestamp;

/// The instant of a change older than this, in ms, has no effect unless the board has been off the line since before it.
const LONG_AGO_MS: u64 = 30_000;

impl Recogniser {
    /// Whether this recogniser and another one, both at `now`, conclude the same from all further inputs.
    pub(crate) fn is_equivalent_to(&self, other: &Self, now: Timestamp) -> bool {
        let Self {
            placement,
            known,
            rotated,
            start,
            start_hashes,
            chess960_start,
            dead,
            found_dead,
            crosstalk,
            working,
            hypotheses,
            supposed: _, // Asked only while there are hypotheses.
            played_on,
            speculative,
            ghost,
            suspected_dead,
            refuted,
            settles_at,
            wrong_start,
            joined: JoinedGame { search, asked, due, game: logged_game, confirmed },
            touched,
            changed_at,
            play,
            lever,
            running,
            stopped,
            dump_wanted,
            log_wanted,
            dump_again_at,
            conclusions,
        } = self;
        let same_play = match (play, &other.play) {
            (Some(play), Some(other)) => play.is_equivalent_to(other, now),
            (None, None) => true,
            _ => false,
        };
        let same_start = match (chess960_start, &other.chess960_start) {
            (Some((line, turned)), Some((other, other_turned))) => line.is_same_line(other) && turned == other_turned,
            (None, None) => true,
            _ => false,
        };
        let open_since = match play.as_ref().map(|play| play.standing) {
            Some(Standing::Open { since, .. }) => since,
            _ => now,
        };
        let matters = |at: Timestamp| at >= open_since || now.since(at) <= LONG_AGO_MS;
        let mut changes = changed_at.iter().zip(&other.changed_at);
        same_play
            && placement == &other.placement
            && touched == &other.touched
            && changes.all(|(&one, &other)| one == other || !matters(one) && !matters(other))
            && hypotheses.is_empty()
            && other.hypotheses.is_empty()
            && played_on.is_none()
            && other.played_on.is_none()
            && logged_game.is_none()
            && other.joined.game.is_none()
            && (known, rotated, start, start_hashes)
                == (&other.known, &other.rotated, &other.start, &other.start_hashes)
            && same_start
            && (dead, found_dead, working, speculative, suspected_dead, refuted)
                == (
                    &other.dead,
                    &other.found_dead,
                    &other.working,
                    &other.speculative,
                    &other.suspected_dead,
                    &other.refuted,
                )
            && (ghost, crosstalk) == (&other.ghost, &other.crosstalk)
            && (settles_at, wrong_start) == (&other.settles_at, &other.wrong_start)
            && (search, asked, due, confirmed)
                == (&other.joined.search, &other.joined.asked, &other.joined.due, &other.joined.confirmed)
            && (lever, running, stopped) == (&other.lever, &other.running, &other.stopped)
            && (dump_wanted, log_wanted, dump_again_at, conclusions)
                == (&other.dump_wanted, &other.log_wanted, &other.dump_again_at, &other.conclusions)
    }
}

impl Play {
    /// Whether two games go on the same way. The instants of confirmed moves do not matter.
    fn is_equivalent_to(&self, other: &Self, now: Timestamp) -> bool {
        let long_ago = Timestamp::from_ms(now.as_ms().saturating_sub(LONG_AGO_MS));
        let Self {
            line,
            seen,
            confirmed,
            by_delay,
            alternative,
            ordered,
            shown,
            standing,
            over,
            claim,
            gap,
            unseen,
            log,
            logs_asked,
            presses,
            press,
            observed,
            stable,
            candidates,
            unexplained_told,
            presses_unexplained,
            played_on_told,
            dump_agreement,
            messages,
            signal_since,
        } = self;
        (standing, confirmed, ordered, over, claim, gap, log, logs_asked)
            == (
                &other.standing,
                &other.confirmed,
                &other.ordered,
                &other.over,
                &other.claim,
                &other.gap,
                &other.log,
                &other.logs_asked,
            )
            && (shown, unseen) == (&other.shown, &other.unseen)
            && (by_delay, alternative) == (&other.by_delay, &other.alternative)
            && seen.get(*confirmed..) == other.seen.get(*confirmed..)
            && (presses, press, observed, candidates)
                == (&other.presses, &other.press, &other.observed, &other.candidates)
            && (unexplained_told, signal_since) == (&other.unexplained_told, &other.signal_since)
            && (stable, presses_unexplained, played_on_told)
                == (&other.stable, &other.presses_unexplained, &other.played_on_told)
            && dump_agreement == &other.dump_agreement
            && messages.since(long_ago).eq(other.messages.since(long_ago))
            && line.is_same_line(&other.line)
    }
}
