/** What an engine thinks of positions: as a text, as White's share of the bar, as a point of the plot. Pure. */
import { moveNumber } from "./game";
import type { Game, Side } from "./wire";

/** The evaluation of a position: either `centipawns` or `mate`, from White's side. */
export interface Evaluation {
  /** The half-move after which the position stands on the board, 0 for the start. */
  readonly ply: number;
  readonly centipawns?: number;
  /** Moves to mate, below 0 when Black mates; 0 is a checkmate on the board. */
  readonly mate?: number;
  readonly depth: number;
}

/** What is known of a game, as the daemon gives it. */
export interface Evaluated {
  readonly engine: string;
  /** By ply; those that are missing are not evaluated yet. */
  readonly positions: readonly Evaluation[];
}

/** Pawns at the edge of the plot. */
const EDGE = 5;

/** How fast the bar fills: a pawn is 59 %, three pawns 75 %. The curve of Lichess. */
const STEEPNESS = 0.00368208;

/** The side to move after `ply` half-moves. */
export function sideToMove(game: Game, ply: number): Side {
  return moveNumber(game, ply + 1).side;
}

/** The side that is ahead; null for none. `toMove` is the side to move. */
export function ahead(one: Evaluation, toMove: Side): Side | null {
  if (one.mate === 0) return toMove === "white" ? "black" : "white";
  const value = one.mate ?? one.centipawns ?? 0;
  if (value === 0) return null;
  return value > 0 ? "white" : "black";
}

/** `+0.7`, `−12`, `M5`, `−M5`, `#` for a checkmate on the board. */
export function evaluationText(one: Evaluation): string {
  if (one.mate === 0) return "#";
  const value = one.mate ?? (one.centipawns ?? 0) / 100;
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  if (one.mate !== undefined) return `${sign}M${size}`;
  const number = size < 9.95 ? size.toFixed(1) : String(Math.round(size));
  return number === "0.0" ? number : `${sign || "+"}${number}`;
}

/** White's share of the bar, 0 to 1. */
export function share(one: Evaluation, toMove: Side): number {
  if (one.mate !== undefined) return ahead(one, toMove) === "white" ? 1 : 0;
  return 1 / (1 + Math.exp(-STEEPNESS * (one.centipawns ?? 0)));
}

/** The evaluation of the position after `ply` half-moves, or of the latest one before it. */
export function latest(evaluated: Evaluated, ply: number): Evaluation | null {
  return evaluated.positions.findLast((one) => one.ply <= ply) ?? null;
}

/** Points of the plot by half-move: pawns up to the edge, which a mate is; null where nothing is known. */
export function points(game: Game, evaluated: Evaluated): { at: number[]; pawns: (number | null)[] } {
  const at = Array.from({ length: game.moves.length + 1 }, (_, ply) => placeOf(game, ply));
  const pawns: (number | null)[] = at.map(() => null);
  for (const one of evaluated.positions) {
    if (one.ply >= at.length) continue;
    const value = (one.centipawns ?? 0) / 100;
    const edge = ahead(one, sideToMove(game, one.ply)) === "white" ? EDGE : -EDGE;
    pawns[one.ply] = one.mate === undefined ? Math.max(-EDGE, Math.min(EDGE, value)) : edge;
  }
  return { at, pawns };
}

/** Where the position after a half-move stands on the axis of moves: after White's move at its number, after Black's half on. */
export function placeOf(game: Game, ply: number): number {
  if (ply === 0) return placeOf(game, 1) - 0.5;
  const { number, side } = moveNumber(game, ply);
  return side === "white" ? number : number + 0.5;
}
