//! The board's own log: what it tells about the time when the board was out of reach.
//!
//! Knows the log's order and what of it is known already. Must not know lines.

use std::ops::Range;

use dgt_protocol::{EventLog, Field, LogEvent, PieceCode, Side};

use super::history::{Event, History, Observation, shown_by};
use super::shown::Shown;
use super::weights as w;
use crate::placement::square_of;
use shakmaty::{Bitboard, Board};

/// What the log tells beyond what was heard before a gap and after the last one, and the place of that gap among the messages;
/// nothing if they do not fit. It is the first one of which nothing is known, if the log goes back so far. Where messages were lost
/// before the gap, it is the place after the last change from which the log leads over them and the gap. Where the board lost
/// power meanwhile, what stood there when it came back is another gap.
pub(crate) fn beyond(log: &EventLog, history: &History) -> Option<(Vec<Event>, usize)> {
    let mut parts = vec![Vec::new()];
    for event in log.events() {
        let told = match event {
            LogEvent::Field { field, piece, .. } => Event::Square(field, piece),
            LogEvent::Clock { side, .. } => Event::Press { left: side == Side::Left },
            // All pieces follow, in any order: what came before is no way to what comes after.
            LogEvent::PowerUp | LogEvent::Watchdog | LogEvent::StartTag => {
                parts.push(Vec::new());
                continue;
            }
            _ => continue,
        };
        parts.last_mut()?.push(told);
    }
    let (last, before) = parts.split_last()?;
    let gaps = history.open_gaps();
    let of_last = gaps.iter().find_map(|&gap| Some((without_power_up(last.clone(), history, gap)?, gap)));
    let of_last = of_last.or_else(|| over_lost(last, history));
    if of_last.is_some() || before.is_empty() {
        return of_last;
    }
    let over = gaps.iter().find_map(|&gap| Some((over_power_ups(before, last.clone(), history, gap)?, gap)));
    over.or_else(|| Some((after_power_up(last.clone(), history)?, *gaps.last()?)))
}

/// What a log tells of lost messages and of the gap after them: it goes on after changes that were all heard, and leads to what
/// stands there.
fn over_lost(told: &[Event], history: &History) -> Option<(Vec<Event>, usize)> {
    let stands = history.gap_shown()?;
    history.changes_before_gap().find_map(|place| {
        let (before, after, stood) = history.around(place)?;
        let known = last_squares(&before);
        let mut told = told.to_vec();
        if known.len() < w::FEW_SQUARES || !drop_heard(&mut told, &after) {
            return None;
        }
        let from = meeting(&told, &known)?;
        let end = from + leads_within(&told[from..], stood.shown.clone(), stands, history.rotated())?;
        told.truncate(end);
        Some((not_heard(told.split_off(from), &before), place))
    })
}

/// What a log without a power-up in the gaps tells: the last one and those from a `gap` on.
fn without_power_up(mut told: Vec<Event>, history: &History, gap: usize) -> Option<Vec<Event>> {
    let (before, after, stood) = history.around(gap)?;
    let whole = drop_heard(&mut told, &after);
    let met = meeting(&told, &last_squares(&before));
    // What was heard between gaps is in the log as well, and gives way to it where that leads over all of them.
    let stands = history.gap_shown()?;
    let leads = |from: usize| Some(from + leads_within(&told[from..], stood.shown.clone(), stands, history.rotated())?);
    let end = met.and_then(leads);
    let is_last = history.open_gaps().last() == Some(&gap);
    let met = met.filter(|_| is_last && whole || end.is_some());
    // Where nothing was heard before, the log leads from what stood there to what stands there.
    let from = if let Some(from) = met {
        told.truncate(end.unwrap_or(told.len()));
        from
    } else {
        let (from, end) = ends(&told).find_map(|end| Some((leading(&told[..end], stood, history)?, end)))?;
        told.truncate(end);
        from
    };
    Some(not_heard(told.split_off(from), &before))
}

/// Where the log may come to what stands there: at its end, or before a few changes that the board has not told yet.
fn ends(told: &[Event]) -> impl Iterator<Item = usize> {
    let changes = (0..told.len()).rev().filter(|&at| matches!(told[at], Event::Square(..)));
    std::iter::once(told.len()).chain(changes.take(w::FEW_SQUARES))
}

/// The changes of squares that were heard last before a gap.
fn last_squares(before: &[&Event]) -> Vec<Event> {
    let squares = before.iter().filter(|event| matches!(event, Event::Square(..)));
    let squares: Vec<Event> = squares.map(|&event| event.clone()).collect();
    squares[squares.len().saturating_sub(w::STRETCH)..].to_vec()
}

/// What the log tells after the last change that was heard before a gap, without the presses that were heard after it.
fn not_heard(mut told: Vec<Event>, before: &[&Event]) -> Vec<Event> {
    let presses = before.iter().rev().take_while(|event| !matches!(event, Event::Square(..)));
    let heard = presses.filter(|event| matches!(event, Event::Press { .. })).count();
    let first = told.iter().take_while(|event| matches!(event, Event::Press { .. })).count();
    told.drain(..first.min(heard));
    told
}

/// What was heard after the gap is the log's end: takes it away. The board may have written its log before it told the last of
/// these changes; whether all of them were in it.
fn drop_heard(told: &mut Vec<Event>, after: &[&Event]) -> bool {
    let mut heard = after;
    loop {
        let mut rest = told.clone();
        if drop_all(&mut rest, heard).is_some() {
            *told = rest;
            return heard.len() == after.len();
        }
        let last = heard.iter().rposition(|event| matches!(event, Event::Square(..)));
        heard = &heard[..last.unwrap_or(0)];
    }
}

/// The same where the log has all of it. Of changes of one square in a row the log may have the last alone.
fn drop_all(told: &mut Vec<Event>, after: &[&Event]) -> Option<()> {
    let mut dropped = None;
    for heard in after.iter().rev().filter(|event| is_logged(event)) {
        match heard {
            Event::Square(field, _) => {
                let last = told.iter().rposition(|event| matches!(event, Event::Square(..)));
                match last.filter(|&last| told[last] == **heard) {
                    Some(last) => told.truncate(last),
                    None if dropped == Some(*field) => {}
                    None => return None,
                }
                dropped = Some(*field);
            }
            _ => {
                if told.last() == Some(heard) {
                    told.pop();
                }
            }
        }
    }
    Some(())
}

/// What a log tells of a gap, or of several from this one on, in which the board lost power: what was done before that, the
/// pieces that stood there at each power-up, and what was done with them.
fn over_power_ups(before: &[Vec<Event>], mut last: Vec<Event>, history: &History, gap: usize) -> Option<Vec<Event>> {
    let (heard, after, stood) = history.around(gap)?;
    let known = last_squares(&heard);
    let (part, met) = (0..before.len()).rev().find_map(|part| Some((part, meeting(&before[part], &known)?)))?;
    let mut told = not_heard(before[part][met..].to_vec(), &heard);
    drop_heard(&mut last, &after);
    let mut shown = stood.shown.clone();
    apply(&told, &mut shown, history.rotated());
    for part in before[part + 1..].iter().chain([&last]) {
        let (fields, rest) = since_power_up(part)?;
        // More is another position, which the log before the power-up does not lead to.
        if shown_by(&fields, history.rotated()).differs_from(&shown).count() > w::STRETCH {
            return None;
        }
        told.push(Event::Gap { fields, late: Bitboard::EMPTY });
        told.extend_from_slice(rest);
        apply(&told, &mut shown, history.rotated());
    }
    let rest = told.iter().rposition(Event::is_gap)?;
    let end = leads_within(&told[rest..], Shown::default(), history.gap_shown()?, history.rotated())?;
    told.truncate(rest + end);
    told.iter().any(|event| !event.is_gap()).then_some(told)
}

/// What a log tells that begins in the gap with all pieces: these, and what was done with them.
fn after_power_up(mut told: Vec<Event>, history: &History) -> Option<Vec<Event>> {
    let (_, after, _) = history.around(*history.open_gaps().last()?)?;
    drop_heard(&mut told, &after);
    let (fields, rest) = since_power_up(&told)?;
    let stood = shown_by(&fields, history.rotated());
    let end = leads_within(rest, stood.without_odd(), history.gap_shown()?, history.rotated())?;
    let rest = rest[..end].iter().cloned();
    (end > 0).then(|| [Event::Gap { fields, late: Bitboard::EMPTY }].into_iter().chain(rest).collect())
}

/// The pieces with which the log since a power-up begins, and what was done with them.
fn since_power_up(told: &[Event]) -> Option<(Box<[PieceCode; 64]>, &[Event])> {
    let mut fields = Box::new([PieceCode::Empty; 64]);
    let mut pieces = 0;
    while let Some(Event::Square(field, piece)) = told.get(pieces) {
        let stands = fields.get_mut(field.index()).filter(|stands| **stands == PieceCode::Empty);
        let Some(stands) = stands.filter(|_| *piece != PieceCode::Empty) else { break };
        *stands = *piece;
        pieces += 1;
    }
    (pieces > 0).then(|| (fields, &told[pieces..]))
}

/// After how many of these changes a start position was on the board last; `before` is what it showed before them.
pub(crate) fn start_within(told: &[Event], before: &Shown, start: &Board, rotated: bool) -> Option<usize> {
    let mut shown = before.clone();
    let stands_after = |(at, event): (usize, &Event)| {
        apply(std::slice::from_ref(event), &mut shown, rotated);
        shown.differs(start).is_empty().then_some(at + 1)
    };
    told.iter().enumerate().filter_map(stands_after).last()
}

/// Whether these changes lead from a start to about what stood on the board: it may be the game of that start that is recorded, and
/// not one before it that went the same way.
pub(crate) fn comes_near(told: &[Event], start: &Board, stood: &Shown, rotated: bool) -> bool {
    let mut shown = Shown::new(start);
    let near = |event: &Event| {
        apply(std::slice::from_ref(event), &mut shown, rotated);
        shown.differs_from(stood).count() <= w::FEW_SQUARES
    };
    stood.differs(start).count() > w::MANY_SQUARES && told.iter().any(near)
}

/// What the log tells since a start position was last on the board, and whether White sat at the far end.
pub(crate) fn since_start(log: &EventLog, start: &Board) -> Option<(Vec<Event>, bool)> {
    let mut found = None;
    let mut boards = [(Shown::default(), false), (Shown::default(), true)];
    for event in log.events() {
        match event {
            // All pieces follow.
            LogEvent::PowerUp | LogEvent::Watchdog | LogEvent::StartTag => {
                (found, boards) = (None, [(Shown::default(), false), (Shown::default(), true)]);
            }
            LogEvent::StartPosition | LogEvent::StartPositionRotated => {
                boards = [false, true].map(|rotated| (Shown::new(start), rotated));
                found = Some((Vec::new(), event == LogEvent::StartPositionRotated));
            }
            LogEvent::Field { field, piece, .. } => {
                if let Some((told, _)) = &mut found {
                    told.push(Event::Square(field, piece));
                }
                for (shown, rotated) in &mut boards {
                    shown.set(square_of(field, *rotated), piece);
                    if shown.differs(start).is_empty() {
                        found = Some((Vec::new(), *rotated));
                    }
                }
            }
            LogEvent::Clock { side, .. } => {
                if let Some((told, _)) = &mut found {
                    told.push(Event::Press { left: side == Side::Left });
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether what the log tells, and what was heard since it was written, leads from one placement to another; the log is
/// completed by that.
pub(crate) fn goes_on_to(told: &mut Vec<Event>, heard: &[Event], from: &Board, to: &Shown, rotated: bool) -> bool {
    let squares = |events: &[Event]| -> Vec<Event> {
        events.iter().filter(|event| matches!(event, Event::Square(..))).cloned().collect()
    };
    let known = squares(told);
    for since in (0..=heard.len()).rev() {
        let (in_log, later) = heard.split_at(since);
        let in_log = squares(in_log);
        let met = in_log.len() <= known.len() && known.ends_with(&in_log);
        if !met {
            continue;
        }
        let mut whole = told.clone();
        whole.extend_from_slice(later);
        if leads_to(&whole, Shown::new(from), to, rotated) {
            *told = whole;
            return true;
        }
    }
    false
}

/// Whether changes lead from one placement to another.
pub(crate) fn leads_to(told: &[Event], mut shown: Shown, to: &Shown, rotated: bool) -> bool {
    apply(told, &mut shown, rotated);
    shown.differs_from(to).is_empty()
}

/// How many of these changes lead from one placement to another. The board writes those that follow into its log as well, before
/// it tells them: few, as an earlier game may have led there too.
fn leads_within(told: &[Event], mut shown: Shown, to: &Shown, rotated: bool) -> Option<usize> {
    let (mut led, least) = (None, told.len().saturating_sub(w::STRETCH));
    for changes in 0..=told.len() {
        if changes >= least && shown.differs_from(to).is_empty() {
            led = Some(changes);
        }
        apply(told.get(changes..=changes).unwrap_or_default(), &mut shown, rotated);
    }
    led
}

/// What a board shows after these changes.
fn apply(told: &[Event], shown: &mut Shown, rotated: bool) {
    for event in told {
        match event {
            Event::Square(field, piece) => {
                shown.set(square_of(*field, rotated), *piece);
            }
            Event::Gap { fields, .. } => *shown = shown_by(fields, rotated),
            _ => {}
        }
    }
}

fn is_logged(event: &Event) -> bool {
    matches!(event, Event::Square(..) | Event::Press { .. })
}

/// Where the log goes on after the changes that were heard last; none where none were heard.
fn meeting(told: &[Event], known: &[Event]) -> Option<usize> {
    if known.is_empty() {
        return None;
    }
    let squares: Vec<usize> = (0..told.len()).filter(|&at| matches!(told[at], Event::Square(..))).collect();
    let fits = |end: usize| {
        end >= known.len() && squares[end - known.len()..end].iter().zip(known).all(|(&at, event)| told[at] == *event)
    };
    let end = (known.len()..=squares.len()).rev().find(|&end| fits(end));
    end.map(|end| squares[end - 1] + 1).or_else(|| meeting_of_runs(told, known))
}

/// The same for a log that writes a repeated change of one piece over the one before: of changes of one square in a row the last
/// one counts.
fn meeting_of_runs(told: &[Event], known: &[Event]) -> Option<usize> {
    let (logged, heard) = (runs(told), runs(known));
    let (last, earlier) = heard.split_last()?;
    let latest = |fits: &dyn Fn(&Range<usize>) -> Option<usize>| {
        (earlier.len()..logged.len()).rev().find_map(|at| {
            let before = logged[at - earlier.len()..at].iter().zip(earlier);
            let mut same = before.map(|(logged, heard)| told[logged.end - 1] == known[heard.end - 1]);
            if same.all(|same| same) { fits(&logged[at]) } else { None }
        })
    };
    let heard_last = &known[last.end - 1];
    let as_heard =
        |run: &Range<usize>| Some(run.start + told[run.clone()].iter().rposition(|event| event == heard_last)? + 1);
    let goes_on =
        |run: &Range<usize>| (!earlier.is_empty() && same_square(&told[run.start], heard_last)).then_some(run.start);
    latest(&as_heard).or_else(|| latest(&goes_on))
}

/// The changes of one square in a row, one range for each: from the first to the last of them, with the presses between.
fn runs(events: &[Event]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, event) in events.iter().enumerate().filter(|(_, event)| matches!(event, Event::Square(..))) {
        match runs.last_mut().filter(|run| same_square(&events[run.start], event)) {
            Some(run) => run.end = at + 1,
            None => runs.push(at..at + 1),
        }
    }
    runs
}

fn same_square(one: &Event, other: &Event) -> bool {
    matches!((one, other), (Event::Square(one, _), Event::Square(other, _)) if one == other)
}

/// So many changes a board can have logged at most since it showed this, until the dump of the last gap came: hands make three in a
/// round of the scan. How long it was out of reach before the first observation is not known.
fn most_changes(stood: &Observation, history: &History) -> Option<usize> {
    let first = history.get(history.first())?;
    let since_ms = history.last_gap_at()?.saturating_sub(stood.at) + w::LATEST_MS;
    let most = usize::try_from(since_ms * u64::from(w::TOGETHER) / w::ROUND_MS).unwrap_or(usize::MAX);
    Some(if first.at == stood.at { usize::MAX } else { most })
}

/// The place from which the log leads from what stood there before the gap to what stands there after it: of several the one at
/// which the log itself says most nearly that this stood there, and of equal ones the latest. (A piece that is taken on a square
/// from which the taker goes on leaves no trace in what stands there at the end.)
fn leading(told: &[Event], stood: &Observation, history: &History) -> Option<usize> {
    let stands = history.gap_shown()?;
    let first = told.len().saturating_sub(most_changes(stood, history)?);
    let stood = &stood.shown;
    let at = |field: Field| square_of(field, history.rotated());
    // Whether it leads there, and whether each change changes something: a log writes another one only where a piece is put back
    // and that overwrites its lifting.
    let leads = |from: usize| {
        let mut shown = stood.clone();
        let mut changes = true;
        for event in &told[from..] {
            if let Event::Square(field, piece) = event {
                changes &= shown.set(at(*field), *piece);
            }
        }
        (shown == *stands).then_some(changes)
    };
    // What stood there by the log alone, as far as it says so.
    let mut logged = stood.clone();
    let mut differing = vec![0];
    for event in told {
        if let Event::Square(field, piece) = event {
            logged.set(at(*field), *piece);
        }
        differing.push(logged.differs_from(stood).count());
    }
    let places: Vec<(usize, bool)> = (first..=told.len()).rev().filter_map(|from| Some((from, leads(from)?))).collect();
    let plain = places.iter().filter(|(_, changes)| *changes).min_by_key(|(from, _)| differing[*from]);
    // Before a log has told of anything else it does not say what stood there.
    let says_so =
        |&&(from, _): &&(usize, bool)| differing[from] <= 1 && differing[..from].iter().any(|&differs| differs > 1);
    let put_back = || places.iter().filter(says_so).min_by_key(|(from, _)| differing[*from]);
    let from = plain.or_else(put_back).map(|(from, _)| *from)?;
    // Where a whole set-up lies between, that is an earlier game, which began alike.
    let later = |&&(later, _): &&(usize, bool)| later > from + w::TWICE as usize * w::STRETCH;
    let of_later_game = places.iter().filter(later).find(says_so);
    Some(of_later_game.map_or(from, |(from, _)| *from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Square;

    fn change(square: Square, piece: PieceCode) -> Event {
        let field = Field::all().find(|&field| square_of(field, false) == square).unwrap();
        Event::Square(field, piece)
    }

    /// A pawn that slid over e3, and its answer.
    fn slid(over: &[PieceCode]) -> Vec<Event> {
        let lifted = change(Square::E2, PieceCode::Empty);
        let over = over.iter().map(|&piece| change(Square::E3, piece));
        [lifted].into_iter().chain(over).chain([change(Square::E4, PieceCode::WhitePawn)]).collect()
    }

    const LIFTED: PieceCode = PieceCode::Empty;
    const PUT: PieceCode = PieceCode::WhitePawn;

    #[test]
    fn a_log_that_keeps_the_last_of_repeated_changes_goes_on_after_those_that_were_heard() {
        let heard = slid(&[PUT, LIFTED]);
        let mut told = slid(&[LIFTED]);
        told.push(Event::Press { left: true });
        told.push(change(Square::E7, LIFTED));
        assert_eq!(meeting(&told, &heard), Some(3));
        let lifted = [heard, vec![change(Square::E7, LIFTED)]].concat();
        assert_eq!(meeting(&told, &lifted), Some(5));
        // The pawn was put back out of reach, which overwrote that it was lifted.
        told[4] = change(Square::E7, PieceCode::BlackPawn);
        assert_eq!(meeting(&told, &lifted), Some(4));
        assert_eq!(meeting(&told, &[change(Square::D7, LIFTED)]), None);
    }

    #[test]
    fn what_was_heard_after_the_gap_is_its_end_also_where_it_keeps_the_last_of_repeated_changes() {
        let (heard, unseen) = (slid(&[PUT, LIFTED]), [change(Square::E7, LIFTED)]);
        for over in [&[PUT, LIFTED][..], &[LIFTED]] {
            let mut told = [unseen.to_vec(), slid(over)].concat();
            assert!(drop_heard(&mut told, &heard.iter().collect::<Vec<_>>()));
            assert_eq!(told, unseen);
        }
    }
}
