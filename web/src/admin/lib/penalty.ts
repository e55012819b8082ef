/** The move at whose clock a penalty is noted. Pure. */
import { moveNumber } from "../../lib/game";
import type { GameMoves, Side } from "./wire";

/** The last ply that a side made; null before its first move. */
export function lastPlyOf(
  { start, moves, gaps }: Pick<GameMoves, "start" | "moves" | "gaps">,
  side: Side,
): number | null {
  for (let ply = moves.length; ply > 0; ply--) {
    if (moveNumber({ fen: start, gaps }, ply).side === side) return ply;
  }
  return null;
}
