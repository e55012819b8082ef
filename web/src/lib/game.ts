/**
 * Questions about one game: whose move, which squares, what to call it.
 * Pure; the positions come from the daemon, so no rules of chess are needed here.
 */
import { remaining } from "./clock";
import type { Game, Move, Side } from "./wire";

export interface Player {
  readonly name: string;
  readonly title: string;
  readonly rating: string;
  readonly federation: string;
  readonly team: string;
}

/** A line of the move list; a side is null where the game starts with Black or has not got there. */
export interface MoveRow {
  readonly number: number;
  /** Moves went unseen before it. */
  readonly unseen: boolean;
  readonly white: Move | null;
  readonly black: Move | null;
}

/** What the tags say of one player; unknown fields are empty, an unknown name is the colour. */
export function player(game: Game, side: Side): Player {
  const colour = side === "white" ? "White" : "Black";
  const tag = (name: string) => {
    const value = game.tags[colour + name]?.trim() ?? "";
    return value === "?" || value === "-" ? "" : value;
  };
  return {
    name: tag("") || colour,
    title: tag("Title"),
    rating: tag("Elo") === "0" ? "" : tag("Elo"),
    federation: tag("Fed"),
    team: tag("Team"),
  };
}

/** `Nepomniachtchi, I.` for narrow places; a name without a comma stays as it is. */
export function shortName(name: string): string {
  const [surname, given] = name.split(",", 2);
  const initial = [...(given?.trim() ?? "")][0];
  return initial === undefined ? name : `${surname}, ${initial}.`;
}

/** Whether the tags name at least one player. */
export function isPaired(game: Game): boolean {
  return player(game, "white").name !== "White" || player(game, "black").name !== "Black";
}

/** Number of the move and the side that plays it. */
export function moveNumber(game: Pick<Game, "fen" | "gaps">, ply: number): { number: number; side: Side } {
  // Where moves went unseen, the numbers go on with the position after them.
  const gap = (game.gaps ?? []).findLast((gap) => gap.after_ply < ply);
  const fields = (gap?.fen ?? game.fen).split(" ");
  const blackFirst = fields[1] === "b" ? 1 : 0;
  const first = Number(fields[5]) || 1;
  const half = ply - (gap?.after_ply ?? 0) - 1 + blackFirst;
  return { number: first + Math.floor(half / 2), side: half % 2 === 0 ? "white" : "black" };
}

/** `24. Nf3` or `24... Nf6`. */
export function moveText(game: Game, move: Move): string {
  const { number, side } = moveNumber(game, move.ply);
  return `${number}${side === "white" ? "." : "..."} ${move.san}`;
}

export function moveRows(game: Game): MoveRow[] {
  const rows: { number: number; unseen: boolean; white: Move | null; black: Move | null }[] = [];
  for (const move of game.moves) {
    const { number, side } = moveNumber(game, move.ply);
    let row = rows.at(-1);
    const unseen = (game.gaps ?? []).some((gap) => gap.after_ply === move.ply - 1);
    if (row?.number !== number || unseen) {
      row = { number, unseen, white: null, black: null };
      rows.push(row);
    }
    row[side] = move;
  }
  return rows;
}

export interface Position {
  readonly fen: string;
  /** Squares of the move that led here, none at the start. */
  readonly lastMove: readonly string[];
  /** The side whose king stands in check. */
  readonly check: Side | null;
}

/** The position after `ply` half-moves; 0 is the start. */
export function position(game: Game, ply: number): Position {
  const gap = game.gaps?.at(-1);
  if (gap?.after_ply === ply && ply === game.moves.length) {
    return { fen: gap.fen, lastMove: [], check: null };
  }
  const move = game.moves[ply - 1];
  if (move === undefined) return { fen: game.fen, lastMove: [], check: null };
  const checked = move.fen.split(" ")[1] === "b" ? "black" : "white";
  return {
    fen: move.fen,
    lastMove: [move.uci.slice(0, 2), move.uci.slice(2, 4)],
    check: /[+#]/.test(move.san) ? checked : null,
  };
}

/** The side whose clock runs in a game that goes on. */
export function runningSide(game: Game): Side | null {
  return game.state === "ended" || game.result !== "*" ? null : (game.clock?.running ?? null);
}

/** The live clock of `side` at `instant` (UTC ms of the hall); without readings, what its last move said. */
export function liveClock(game: Game, side: Side, instant: number): number | null {
  if (game.clock === null) return clockAt(game, side, game.moves.length);
  return remaining({ ...game.clock, running: runningSide(game) }, side, instant);
}

/** What the last move of `side` up to `ply` said about its clock. */
export function clockAt(game: Game, side: Side, ply: number): number | null {
  for (let i = Math.min(ply, game.moves.length); i > 0; i--) {
    const move = game.moves[i - 1];
    if (move !== undefined && moveNumber(game, move.ply).side === side) return move.clk_ms;
  }
  return null;
}

/** The points of `side`, as shown beside its name; empty while there is no result. */
export function score(game: Game, side: Side): string {
  if (game.result === "1/2-1/2") return "½";
  const points = game.result.split("-");
  return points.length === 2 ? (points[side === "white" ? 0 : 1] ?? "").replace("1/2", "½") : "";
}

/** `1–0`, `½–½`; empty while there is no result. */
export function resultText(game: Game): string {
  return game.result === "*" ? "" : game.result.replaceAll("1/2", "½").replace("-", "–");
}

/**
 * Whether every word of `query` begins a word of the players' names, teams and federations; a number must be the
 * board's or a rating.
 */
export function matches(game: Game, query: string): boolean {
  const words = (text: string) =>
    text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== "");
  const sides = [player(game, "white"), player(game, "black")];
  const known = words(`${game.board} ${sides.flatMap((side) => Object.values(side)).join(" ")}`);
  const found = (wanted: string) =>
    /^\d+$/.test(wanted) ? known.includes(wanted) : known.some((word) => word.startsWith(wanted));
  return words(query).every(found);
}
