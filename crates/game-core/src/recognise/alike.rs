//! Whether two recognisers will conclude the same from now on.
//!
//! Part of the recogniser; knows what it knows. While one of them follows hypotheses the answer is no.

use super::Recogniser;
use super::log::Joined;
use crate::play::{Play, Standing};
use crate::time::Timestamp;

/// When a square changed this long ago is not asked any more, in ms, unless it is part of what is open on the board.
const LONG_AGO_MS: u64 = 30_000;

impl Recogniser {
    /// Whether this recogniser and another one, both at `now`, conclude the same from all that is to come.
    pub fn goes_on_like(&self, other: &Self, now: Timestamp) -> bool {
        let Self {
            placement,
            known,
            rotated,
            start,
            start_hashes,
            stood,
            blind,
            found,
            together,
            working,
            hypotheses,
            supposed: _, // Asked only while there are hypotheses.
            played_on,
            speculative,
            stuck,
            supposed_dead,
            refuted,
            settles_at,
            wrong_start,
            joined: Joined { search, asked, due, game: logged_game, confirmed },
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
            (Some(play), Some(other)) => play.goes_on_like(other, now),
            (None, None) => true,
            _ => false,
        };
        let same_start_stood = match (stood, &other.stood) {
            (Some((line, turned)), Some((other, other_turned))) => line.is_like(other) && turned == other_turned,
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
            && same_start_stood
            && (blind, found, working, speculative, supposed_dead, refuted)
                == (
                    &other.blind,
                    &other.found,
                    &other.working,
                    &other.speculative,
                    &other.supposed_dead,
                    &other.refuted,
                )
            && (stuck, together) == (&other.stuck, &other.together)
            && (settles_at, wrong_start) == (&other.settles_at, &other.wrong_start)
            && (search, asked, due, confirmed)
                == (&other.joined.search, &other.joined.asked, &other.joined.due, &other.joined.confirmed)
            && (lever, running, stopped) == (&other.lever, &other.running, &other.stopped)
            && (dump_wanted, log_wanted, dump_again_at, conclusions)
                == (&other.dump_wanted, &other.log_wanted, &other.dump_again_at, &other.conclusions)
    }
}

impl Play {
    /// Whether this game and another one go on alike. When the moves that are certain were first seen does not matter.
    fn goes_on_like(&self, other: &Self, now: Timestamp) -> bool {
        let long_ago = Timestamp::from_ms(now.as_ms().saturating_sub(LONG_AGO_MS));
        let Self {
            line,
            seen,
            confirmed,
            by_quiet,
            went_on,
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
            stood,
            settled,
            candidates,
            unexplained_told,
            presses_unexplained,
            played_on_told,
            mended,
            heard,
            sign_since,
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
            && (by_quiet, went_on) == (&other.by_quiet, &other.went_on)
            && seen.get(*confirmed..) == other.seen.get(*confirmed..)
            && (presses, press, stood, candidates) == (&other.presses, &other.press, &other.stood, &other.candidates)
            && (unexplained_told, sign_since) == (&other.unexplained_told, &other.sign_since)
            && (settled, presses_unexplained, played_on_told)
                == (&other.settled, &other.presses_unexplained, &other.played_on_told)
            && mended == &other.mended
            && heard.since(long_ago).eq(other.heard.since(long_ago))
            && line.is_like(&other.line)
    }
}
