/** The rules of chess, as far as the pages need them: legal moves on a board, lines of play, a way to a position. */
import { Chess, normalizeMove } from "chessops/chess";
import { chessgroundDests } from "chessops/compat";
import { makeBoardFen, makeFen, parseFen } from "chessops/fen";
import { makeSanAndPlay, parseSan } from "chessops/san";
import { isNormal, makeUci, type Move, type NormalMove, parseSquare, parseUci } from "chessops";
import { moveNumber } from "../../lib/game";
import type { GameMoves } from "./wire";

/** The most positions that are looked at for a line. */
const MOST_POSITIONS = 60_000;

export function position(fen: string): Chess | null {
  return parseFen(fen)
    .chain((setup) => Chess.fromSetup(setup))
    .unwrap(
      (position) => position,
      () => null,
    );
}

/** The legal moves by square; none where the position is not legal. */
export function destinations(fen: string): ReadonlyMap<string, readonly string[]> {
  const start = position(fen);
  return start === null ? new Map() : chessgroundDests(start);
}

/** The SAN of a move on the board; a pawn on the last rank becomes `promotion`. */
export function sanOf(
  fen: string,
  from: string,
  to: string,
  promotion: "queen" | "knight" | "rook" | "bishop" = "queen",
) {
  const start = position(fen);
  const [a, b] = [parseSquare(from), parseSquare(to)];
  if (start === null || a === undefined || b === undefined) return null;
  const last = b >> 3 === 7 || b >> 3 === 0;
  const move: NormalMove = { from: a, to: b };
  if (last && start.board.get(a)?.role === "pawn") move.promotion = promotion;
  return start.isLegal(move) ? makeSanAndPlay(start, move) : null;
}

/** Whether a move on the board is a pawn's to the last rank. */
export function promotes(fen: string, from: string, to: string): boolean {
  const start = position(fen);
  const [a, b] = [parseSquare(from), parseSquare(to)];
  if (start === null || a === undefined || b === undefined) return false;
  return start.board.get(a)?.role === "pawn" && (b >> 3 === 7 || b >> 3 === 0);
}

/** The position after moves in SAN; null when one of them is not legal. */
export function after(fen: string, line: readonly string[]): string | null {
  const current = position(fen);
  if (current === null) return null;
  for (const san of line) {
    const move = parseSan(current, san);
    if (move === undefined) return null;
    current.play(move);
  }
  return makeFen(current.toSetup());
}

/** A line of a list of moves: the plies from 1 of a move, White's first; null where a side has not moved. */
export interface MoveRow {
  readonly number: number;
  /** Moves went unseen before it. */
  readonly unseen: boolean;
  readonly plies: readonly [number | null, number | null];
}

/** The moves of a game in lines. After moves that went unseen, number and side are those of the position from which it went on. */
export function moveRows({ start, moves, gaps }: Pick<GameMoves, "start" | "moves" | "gaps">): MoveRow[] {
  const rows: { number: number; unseen: boolean; plies: [number | null, number | null] }[] = [];
  for (let ply = 1; ply <= moves.length; ply++) {
    const { number, side } = moveNumber({ fen: start, gaps }, ply);
    const unseen = gaps.some((gap) => gap.after_ply === ply - 1);
    let row = rows.at(-1);
    if (row?.number !== number || unseen) {
      row = { number, unseen, plies: [null, null] };
      rows.push(row);
    }
    row.plies[side === "white" ? 0 : 1] = ply;
  }
  return rows;
}

/** Whether moves went unseen after the last one of a game. */
export function endsUnseen({ moves, gaps }: Pick<GameMoves, "moves" | "gaps">): boolean {
  return gaps.some((gap) => gap.after_ply === moves.length);
}

/** Typed moves, without numbers, comments and results; null with the first that is not legal. */
export function typedLine(fen: string, text: string): { line: string[]; wrong: string | null } {
  const words = text
    .replaceAll(/\{[^}]*\}/g, " ")
    .replaceAll(/\d+\.+/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "" && !/^(1-0|0-1|1\/2-1\/2|\*|…)$/.test(word));
  const line: string[] = [];
  const current = position(fen);
  if (current === null) return { line, wrong: words[0] ?? null };
  for (const word of words) {
    const move = parseSan(current, word.replaceAll("0", "O").replaceAll(/[!?]+$/g, ""));
    if (move === undefined) return { line, wrong: word };
    line.push(makeSanAndPlay(current, move));
  }
  return { line, wrong: null };
}

/** The shortest lines of at most three plies from a position to a placement, all of the same length. */
export function linesTo(fen: string, placement: string): string[][] {
  const start = position(fen);
  const wanted = placement.split(" ")[0] ?? "";
  if (start === null || wanted === "") return [];
  let seen = 0;
  let level: { at: Chess; line: string[] }[] = [{ at: start, line: [] }];
  for (let plies = 1; plies <= 3; plies++) {
    const next: typeof level = [];
    const found: string[][] = [];
    for (const { at, line } of level) {
      for (const move of legal(at)) {
        if (++seen > MOST_POSITIONS) return found;
        const after = at.clone();
        const san = makeSanAndPlay(after, move);
        const here = makeBoardFen(after.board);
        if (here === wanted) found.push([...line, san]);
        else if (apart(here, wanted) <= 4 * (3 - plies)) next.push({ at: after, line: [...line, san] });
      }
    }
    if (found.length > 0) return found;
    level = next;
  }
  return [];
}

/** A legal move in place of a recorded one. */
export interface Alternative {
  readonly san: string;
  /** How many of the later moves are impossible after it, counted from the first such one. */
  readonly lost: number;
  /** Whether it moves the same piece or ends on the same square. */
  readonly near: boolean;
}

/**
 * The legal moves in place of the move `uci` of a game: first those after which every later move stays possible for the same
 * piece, then those that end nearest to the square where it ended. `later` holds the moves after it in UCI, up to the next gap.
 */
export function alternatives(fen: string, uci: string, later: readonly string[]): Alternative[] {
  const start = position(fen);
  const parsed = parseUci(uci);
  if (start === null || parsed === undefined) return [];
  const recorded = normalizeMove(start, parsed);
  if (!isNormal(recorded) || !start.isLegal(recorded)) return [];
  const movers: (string | undefined)[] = [];
  const played = start.clone();
  played.play(recorded);
  for (const text of later) {
    const move = parseUci(text);
    if (move === undefined) break;
    const normal = normalizeMove(played, move);
    movers.push(isNormal(normal) ? played.board.getRole(normal.from) : undefined);
    played.play(normal);
  }
  const found: (Alternative & { far: number })[] = [];
  for (const move of legal(start)) {
    if (!isNormal(move) || makeUci(move) === makeUci(recorded)) continue;
    const at = start.clone();
    const san = makeSanAndPlay(at, move);
    let kept = 0;
    for (; kept < later.length; kept++) {
      const next = parseUci(later[kept] ?? "");
      if (next === undefined) break;
      const normal = normalizeMove(at, next);
      if (!isNormal(normal) || !at.isLegal(normal) || at.board.getRole(normal.from) !== movers[kept]) break;
      at.play(normal);
    }
    const far = Math.max(
      Math.abs((move.to & 7) - (recorded.to & 7)),
      Math.abs((move.to >> 3) - (recorded.to >> 3)),
    );
    const near = move.from === recorded.from || move.to === recorded.to;
    found.push({ san, lost: later.length - kept, near, far });
  }
  return found
    .sort((a, b) => Number(a.lost > 0) - Number(b.lost > 0) || a.far - b.far || a.san.localeCompare(b.san))
    .map(({ san, lost, near }) => ({ san, lost, near }));
}

function* legal(at: Chess): Iterable<Move> {
  for (const [from, dests] of at.allDests()) {
    for (const to of dests) {
      const pawn = at.board.pawn.has(from) && (to >> 3 === 0 || to >> 3 === 7);
      if (!pawn) yield { from, to };
      else
        for (const promotion of ["queen", "knight", "rook", "bishop"] as const) yield { from, to, promotion };
    }
  }
}

/** The squares on which two placements differ. */
function apart(one: string, other: string): number {
  const spread = (fen: string) =>
    fen.replaceAll("/", "").replaceAll(/\d/g, (empty) => " ".repeat(Number(empty)));
  const [a, b] = [spread(one), spread(other)];
  let count = 0;
  for (let i = 0; i < 64; i++) if (a[i] !== b[i]) count++;
  return count;
}
