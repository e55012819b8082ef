//! Every number of the search, in one table: what it is, its value, and the fact that it rests on.
//!
//! A cost is the negative logarithm of a frequency in millinats (1000 = a factor of e, 2303 = a factor of ten). There are few
//! frequencies and few times, and each is used for everything that is about as frequent or takes about as long; `terms` has
//! what is paid for. No other file of the search has a number that decides anything: `tests/numbers.rs` looks for them.

/// A cost in millinats.
pub(crate) type Cost = i32;

// How often something happens.

/// A ply that the board shows, one of a few that could have been made; and each of its squares that changed unseen, as a later
/// message proves: two in three.
pub(crate) const PLY: Cost = 400;
/// Three in ten. In fast play: a piece of the other player differs at a press, or a player begins before the piece that he
/// answers stands; further plies with one message; a press long before its ply is complete, or before a square of it has
/// changed. A square that reported wrongly does so again, or one that showed nothing shows a piece again; one begins to report
/// wrongly that has shown a piece, or shows one that is not there, as most are dead from the beginning; each ply that
/// is taken back, or made while the board is out of reach. Quiet tells a line that is likelier than the next one by this.
pub(crate) const OFTEN: Cost = 1_200;
/// One in eleven. A square of the mover differs at a press: all 198 presses of the captures come with the position complete
/// (section 0 of the behaviour paper), so two squares are one press in a hundred, and a ply whose messages come at one instant
/// is told with its press. A press after the reply; the lever shows after a gap that the last ply is not pressed yet; a promotion to another piece than a queen; a change of a board on which
/// nothing is played.
pub(crate) const UNUSUAL: Cost = 2_400;
/// One in twenty. A press without a ply, or a second ply without a press of the first: players press twice or press back
/// (9.7), and in fast play presses go unread; a press long before a square of its ply has changed; a square that was filled
/// and left again within a round of the scan; a ply that becomes another one, a promotion (5.3), castling whose king was seen
/// after the press, or a piece that is put on another square after it; a ply whose piece, not pressed yet, was in a hand again
/// before a gap.
pub(crate) const SELDOM: Cost = 2_996;
/// One in ninety. A message is lost and nothing proves it; a rook stands for the queen that a pawn has become (5.4), or
/// another piece comes there; plies are taken back (6.2); another piece was moved in a gap than the one that was in a hand
/// before (Law 4.3); a ply is noticed long after it stood there, at most; it stood before the one that it answers was begun; its piece was put down beside the middle of the square, which was
/// read later (2.4, 6.5); a rook alone is moved where its king stands as after castling; the clock shows its times exchanged
/// after it stood, and was not turned round. What every line has that is not dearer than the best by this is told, and on which side White sits in all of
/// them; that nothing is played any more is considered when the best costs so much more than at the last certain position.
pub(crate) const RARE: Cost = 4_500;
/// One board or table in a hundred, at any of its plies and squares. A square begins to report wrongly, or a piece is read as
/// another (10.6); White sits at the other side of the clock (9.2); an illegal move stands and the game goes on from it (6.1).
pub(crate) const VERY_RARE: Cost = 12_000;
/// What is done on the board is no play any more: an illegal move that stands, pieces knocked over, analysis, setting up (6.1,
/// 6.6, 7.4).
pub(crate) const OFF: Cost = 20_000;
/// Players move pieces while the clock stands only to repair, analyse or reset (7.4, 9.6): a ply made so is none as long as it
/// stands. A hypothesis dearer than the best one by this is dropped.
pub(crate) const HOPELESS: Cost = 24_000;
/// The best hypothesis is poor, and searched for again, when it costs so much more than at the last certain position.
pub(crate) const POOR: Cost = 10_000;
/// A told ply is taken back when the best line with it is dearer by this than the best without it: more than telling asks for,
/// and less than `VERY_RARE` without `RARE`, so that a rook that moves like a queen is one.
pub(crate) const RETRACT: Cost = 7_000;
/// A square that shows something else than the line says, for each second. A round of the scan takes 0.2 to 0.25 s (section 0),
/// so one round costs a quarter of a nat. So do the squares of a ply that were complete before it is noticed, up to `RARE` in
/// all. A piece that stands where the line has none is in no hand: from `HANDS_DONE_MS` to `LATEST_MS` it costs that once more.
pub(crate) const DIFFERS_PER_S: Cost = 1_000;
/// What each differing square costs at each change of the board: plies are completed with few changes between (median 2).
pub(crate) const DIFFERS_PER_CHANGE: Cost = 120;

// How long something takes.

/// One round of the scan: what a dump shows may be told by an update as well for so long (protocol paper, 4.1).
pub(crate) const ROUND_MS: u64 = 300;
/// Three rounds of the scan and the latency of the clock. Until then a ply is not late, a press before the last square of its
/// ply costs nothing, what the board shows was there before the clock stopped, and a square may have been empty a moment ago; a
/// board that is still for so long shows what stands there.
pub(crate) const SETTLED_MS: u64 = 800;
/// Time without any observation counts no longer than this: a player who thinks with a piece in his hand does nothing odd
/// (1.4). A hand that clears a square for a king goes on with the king within it.
pub(crate) const SILENCE_MS: u64 = 1_500;
/// A running clock is read every second: after so long without a byte something may have gone unseen. A position that is no
/// start stands so long before the board's log is asked for.
pub(crate) const SILENT_MS: u64 = 2_000;
/// The hands are done: a sliding hand goes on within a second (2.1), plies are taken back one after the other, kings in the
/// centre show a result (7.1 says about 5 s), a mate stands.
pub(crate) const HANDS_DONE_MS: u64 = 3_000;
/// What belongs to something comes within this time: a ply to its press, another piece to a promotion (5.3), a second king to
/// one in the centre (7.2), the board's log to the dump after a gap (it takes up to 5 s of the line; protocol paper, 1.1).
pub(crate) const LATEST_MS: u64 = 6_000;
/// Patience: so long is the best hypothesis poor, or a start set up wrongly, before arbiters are told (recognition paper, 4),
/// and a position without a press stands before it is told at a table with a clock: players put a piece down and think.
pub(crate) const PATIENCE_MS: u64 = 10_000;
/// The same while pieces are only missing, which players may hold (1.4).
pub(crate) const IN_HAND_MS: u64 = 60_000;
/// How long an answer with the board's own log is waited for; sending it takes 8 s (protocol paper, 3).
pub(crate) const LOG_ANSWER_MS: u64 = 20_000;

// What is few and what is many.

/// What one message may fake is believed the second time: presses by which play goes on, plies of each player; how often the
/// log is asked for.
pub(crate) const TWICE: u32 = 2;
/// Plies that can come within one round of the scan; as often plies that were found with an observation go on with the same
/// one.
pub(crate) const TOGETHER: u32 = 3;
/// So often something happens before it is borne out: plies, two of each player, after a fault before another one is assumed (a
/// piece that vanishes on one square and shows on another was put there), after an illegal move, and in play after a gap. Where
/// something has happened so often of the last 32 times (the bits of a word) it costs half, a third where twice as often, and
/// so on: a press before its pieces are seen or after the reply, a square that goes unseen (in a time scramble 45 of 100 presses
/// come before their ply is complete; tuned on even seeds).
pub(crate) const BORNE_OUT: u32 = 4;
/// About so many moves are legal in a middle game. Each is as likely as the others, so a ply that was one of fewer costs less,
/// by the logarithm of the ratio: of two ways that a piece may have gone unseen, one with a check allows few replies.
pub(crate) const LEGAL_MOVES: Cost = 30;
/// Squares that one ply can change: more that differ at once went unseen, and more of a start stand wrongly only in a game.
pub(crate) const FEW_SQUARES: usize = 4;
/// Squares that differ by unseen plies: more are another position.
pub(crate) const MANY_SQUARES: usize = 8;
/// The longest stretch that is looked over at once: plies of a gap, plies that are taken back, changes by which the board's log
/// and the observations meet, observations before the last certain position, observations in which a piece may have stood unread,
/// squares by which another game has left its start.
pub(crate) const STRETCH: usize = 16;

// How wide and how long is searched.

/// Hypotheses that are kept in quiet times.
pub(crate) const NARROW: usize = 16;
/// Hypotheses that are kept when the best one is poor, and lines across one gap.
pub(crate) const WIDE: usize = 160;
/// Positions whose moves one call lists before it leaves the rest to the next deadline.
pub(crate) const SLICE: u32 = 600;
/// Positions whose moves are listed for one observation at most: some 15 ms.
pub(crate) const OBSERVATION: u32 = 4_000;
/// Positions that are looked at for one gap at most.
pub(crate) const GAP_POSITIONS: u32 = 10_000;
/// So many positions that are looked at count as one whose moves are listed.
pub(crate) const LOOKED_AT: u32 = 8;
/// Observations of a game that are kept to be searched again: 15 minutes of the fastest play, or a whole slow game.
pub(crate) const KEPT: usize = 1_600;
/// Plies of one line that are compared with what was observed at most.
pub(crate) const LINE_PLIES: usize = 400;
/// Observations between two places from which the search can begin again.
pub(crate) const EVERY: usize = 8;
/// Such places at most; older ones become rarer.
pub(crate) const PLACES: usize = 48;
/// Of the last ones so many keep all hypotheses of a wide search.
pub(crate) const WIDE_PLACES: usize = 5;
