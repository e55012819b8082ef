//! Every number of the search, in one table: what it is, its value, and the fact that it rests on.
//!
//! Costs are negative logarithms of frequencies in millinats (1000 = a factor of e, 2303 = a factor of ten); times are in
//! milliseconds. No other file of the search has a number that decides anything.

/// A cost in millinats.
pub(crate) type Cost = i32;

// How rare things are. One of these prices everything that is about as rare.

/// One in three. A square that differs at a press and has to do with pieces of the other player alone: in fast play he begins
/// before the press (tuned on even seeds of plies that share a scan; none at all loses plies of games on a bus, whose presses are
/// late). Once a ply, a player who begins while a piece of the other one stands where the line has none: he waits for the move
/// that he answers. Two lines that differ by less are equal where quiet decides.
pub(crate) const ONE_IN_THREE: Cost = 1_200;
/// One in five. A ply that is complete long after its press (section 0: never in 198 presses; in a scramble often). A square that was
/// faulty before, in this game or an earlier one of the same board. A ply that is made unseen while the board is out of reach.
/// A change of a board on which nothing is played: a ply with two or three changes costs less.
pub(crate) const ONE_IN_FIVE: Cost = 1_500;
/// One in seven. A promotion to another piece than a queen. A press after the opponent's reply: all 198 presses of the captures come
/// before it; in a scramble some do not.
pub(crate) const ONE_IN_SEVEN: Cost = 2_000;
/// One in twenty. A square that was filled and left again within one round of the scan. A press that no ply of that side belongs
/// to: players press twice, or press back (9.7). The last ply becomes another one: a promotion, mostly to a queen at first (5.3);
/// a rook's move that was half of castling, where the press came before the king was seen.
pub(crate) const ONE_IN_TWENTY: Cost = 3_000;
/// One in 150. Plies are taken back at all (6.2). The most that it costs that a ply was overlooked at first: that happens whenever a
/// message was lost. What is done on the board may be no play when the best hypothesis costs so much more than at the last
/// certain position.
pub(crate) const ONE_IN_150: Cost = 5_000;
/// One in four hundred. A message that was lost and that nothing proves, on a bad line. The lever shows after a gap that the other
/// side is to move: presses are forgotten rarely.
pub(crate) const ONE_IN_FOUR_HUNDRED: Cost = 6_000;
/// One table in some hundreds, at any of its plies. A square that begins to report wrongly, or a piece that is read as another: one
/// board in a hundred (10.6). White does not sit where the first lever or the orientation says: one table in four hundred (9.2),
/// and before the times of a whole game change sides, some presses have to say so: where both hands are fast they fit either
/// seat for many plies.
pub(crate) const ONE_TABLE_IN_HUNDREDS: Cost = 12_000;
/// Each further ply of several that come at once: complete with the same observation, or taken back together.
pub(crate) const EACH_FURTHER: Cost = 1_000;

// What the board disagrees with.

/// A square that shows something else than the line says, for each second. A round of the scan takes 0.2 to 0.25 s
/// (behaviour paper, section 0), so one round costs a quarter of a nat.
pub(crate) const DIFFERS_PER_S: Cost = 1_000;
/// The same for a square that is only empty: a hand holds its piece. Players hold pieces for many seconds (1.4).
pub(crate) const LIFTED_PER_S: Cost = 900;
/// Time without any observation counts no longer than this: a player who thinks with a piece in his hand does nothing odd (1.4).
pub(crate) const SILENCE_COUNTS_MS: u64 = 1_500;
/// What each differing square costs at each change of the board: plies are completed with few changes between (median 2).
pub(crate) const DIFFERS_PER_CHANGE: Cost = 120;
/// What each differing square costs at a press: all 198 presses of the captures come with the position complete (section 0):
/// two squares that differ are one press in a hundred, so that a ply whose messages come at one instant is told with its press.
pub(crate) const DIFFERS_AT_PRESS: Cost = 2_400;
/// A square that is known to have changed unseen, compared with one that differs: a tenth.
pub(crate) const PATCHED_PART: Cost = 10;

/// One round of the scan, and what a line needs: what a dump shows may be told by an update as well for so long (protocol paper, 4.1).
pub(crate) const ROUND_MS: u64 = 300;
/// Two rounds of a slow scan. So long a ply is not late, a press that comes before its ply costs nothing, and what changes after
/// the clock stopped may have been there before.
pub(crate) const TWO_ROUNDS_MS: u64 = 600;
/// A board must be still for so long before it is looked at as a whole: two to three rounds of the scan (docs/protocol.md, 9).
pub(crate) const SETTLE_MS: u64 = 700;

// What a ply costs.

/// A ply that the board shows: one of a few that could have been made.
pub(crate) const PLY: Cost = 400;
/// A ply whose squares were complete so long before it is assumed, for each second after the first round or two of the scan.
pub(crate) const PLY_LATE_PER_S: Cost = 2_000;
/// A ply whose squares were changed while the clock stood, as long as it stands: players move pieces then only to repair, analyse
/// or reset (7.4, 9.6). What stands there when it is started again is what play goes on from.
pub(crate) const PLY_CLOCK_STANDS: Cost = 30_000;
/// A second ply of a side whose last ply was never pressed: in fast play presses go unread, where two come between two
/// readings of the clock (tuned on even seeds of the time scramble).
pub(crate) const PLY_NOT_PRESSED: Cost = 3_500;
/// How much less it costs that a press comes before its pieces are seen, or after the reply, where that has happened before at
/// this table, or that a square goes unseen: a ninth of the price where each of the last 32 was so, a fifth where every second one was (in a time
/// scramble 45 of 100 presses come before their ply is complete; tuned on even seeds).
pub(crate) const HABIT: Cost = 8;
/// After this time a press belongs to no later ply.
pub(crate) const PRESS_FIRST_AT_MOST_MS: u64 = 5_000;
/// A square of a ply that changed unseen, as a later message proves.
pub(crate) const PLY_PATCHED: Cost = 600;
/// A fault is borne out by so many plies, two of each side, before another one is assumed: a piece that vanishes on one square
/// and shows on another was put there.
pub(crate) const FAULT_PLIES: u32 = 4;

/// An illegal move stands, and the game goes on from it: one game in a thousand (6.1), at any of its plies, to any square.
pub(crate) const ILLEGAL: Cost = 14_000;
/// What is done on the board is no play any more: an illegal move that stands, pieces knocked over, analysis, setting up (6.1, 6.6, 7.4).
pub(crate) const OFF: Cost = 20_000;

// How wide and how long is searched.

/// Hypotheses that are kept in quiet times.
pub(crate) const NARROW: usize = 16;
/// Hypotheses that are kept when the best one is poor.
pub(crate) const WIDE: usize = 160;
/// Hypotheses dearer than the best one by more than this are dropped.
pub(crate) const WINDOW: Cost = 24_000;
/// The best hypothesis is poor when it costs so much more than at the last certain position.
pub(crate) const POOR: Cost = 10_000;
/// Positions whose moves one call lists before it leaves the rest to the next deadline.
pub(crate) const SLICE: u32 = 600;
/// Positions whose moves are listed for one observation at most: some 15 ms.
pub(crate) const OBSERVATION: u32 = 4_000;

/// A gap is searched for lines of at most so many plies.
pub(crate) const GAP_PLIES: u32 = 16;
/// Pieces that hands hold when the board comes in reach again, at most: one each.
pub(crate) const IN_HANDS: usize = 2;
/// Positions that are looked at for one gap at most.
pub(crate) const GAP_POSITIONS: u32 = 10_000;
/// Lines across one gap that are taken at most.
pub(crate) const GAP_LINES: usize = 200;

/// Observations of a game that are kept to be searched again: 15 minutes of the fastest play, or a whole slow game.
pub(crate) const KEPT: usize = 1_600;

// What is told.

/// A ply is told when no line without it is as near to the best as this: one error in ninety, most of them at once overtaken by the next message.
pub(crate) const TELL_MARGIN: Cost = 4_500;
/// A told ply is taken back when the best line with it is dearer than the best without it by this.
pub(crate) const RETRACT_MARGIN: Cost = 8_000;
/// Quiet time in ms that confirms an unpressed ply at a table without a clock when its hand cannot go on.
pub(crate) const QUIET_FIRM_MS: u64 = 800;
/// The same while it can: a sliding hand goes on within a second (2.1).
pub(crate) const QUIET_MS: u64 = 2_500;
/// The same for a promotion and for a king in the centre: another piece may be looked for (5.3), a result be shown (7.2).
pub(crate) const QUIET_CHOICE_MS: u64 = 6_500;
/// Told plies are taken back without others in their place when the board has been still for so long: hands take back one ply after the other.
pub(crate) const TAKEN_BACK_MS: u64 = 3_000;
/// Pieces that are only missing, and that players may hold, are not told as unexplained for so long (1.4).
pub(crate) const IN_HAND_MS: u64 = 60_000;
/// Kings that stand in the centre for so long show the result (7.1 says about 5 s), and a mate that stands so long is one.
pub(crate) const SHOWN_MS: u64 = 3_500;
/// After a gap nothing of it is told for so long: the board's log takes up to so much of the line, and tells more (protocol paper, 1.1).
pub(crate) const LOG_MS: u64 = 5_000;
/// What stands for so long is meant, or needs a person: an unpressed ply at a table with a clock, where players put a piece down and
/// think before they press; a position that no line explains (recognition paper, 4); a start with wrong pieces.
pub(crate) const STANDS_MS: u64 = 10_000;
/// Play goes on after so many presses alone: when an unexplained position was reported, and at a clock that a fallen flag has
/// blocked, where players have not noticed it. In analysis (7.4) nobody presses.
pub(crate) const PLAYS_ON_PRESSES: u8 = 2;
/// Lines stay equal for so long: the likelier one is told, marked doubtful (recognition paper, 4).
/// A section can set another time.
pub(crate) const DOUBT_MS: u64 = 1_000 * crate::input::Doubting::USUAL_WAIT_S as u64;
