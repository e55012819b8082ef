/** Moves that a visitor tries beside the game. Loaded with the rules of chess when a game is opened. */
import type { Key } from "@lichess-org/chessground/types";
import { Chess } from "chessops/chess";
import { chessgroundDests } from "chessops/compat";
import { makeFen, parseFen } from "chessops/fen";
import { makeSanAndPlay } from "chessops/san";
import type { NormalMove } from "chessops/types";
import { makeUci, parseSquare } from "chessops/util";
import type { Move } from "./wire";

function positionAt(fen: string): Chess | null {
  return parseFen(fen)
    .chain((setup) => Chess.fromSetup(setup))
    .unwrap(
      (position) => position,
      () => null,
    );
}

/** Where each piece may go. */
export function destinations(fen: string): Map<Key, Key[]> {
  const position = positionAt(fen);
  return position === null ? new Map() : (chessgroundDests(position) as Map<Key, Key[]>);
}

/** What a pawn can become. */
export const ROLES = ["queen", "rook", "bishop", "knight"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a move is a pawn's to the last rank, and possible. */
export function promotes(fen: string, from: string, to: string): boolean {
  return tried(fen, from, to, 1)?.uci.length === 5;
}

/** A move tried in a position. Null for what is not possible. */
export function tried(
  fen: string,
  from: string,
  to: string,
  ply: number,
  promotion: Role = "queen",
): Move | null {
  const position = positionAt(fen);
  const [start, end] = [parseSquare(from), parseSquare(to)];
  if (position === null || start === undefined || end === undefined) return null;
  const last = position.board.pawn.has(start) && (end < 8 || end >= 56);
  const move: NormalMove = { from: start, to: end, ...(last ? { promotion } : {}) };
  if (!position.isLegal(move)) return null;
  const uci = makeUci(move);
  const san = makeSanAndPlay(position, move);
  return { ply, san, uci, fen: makeFen(position.toSetup()), clk_ms: null, emt_ms: null };
}
