/** The move at whose clock a penalty is noted. Pure. */
import type { GameMoves, Side } from "./wire";

/** The last ply that a side made; null before its first move. */
export function lastPlyOf(record: Pick<GameMoves, "start" | "moves">, side: Side): number | null {
  const first: Side = record.start.split(" ")[1] === "b" ? "black" : "white";
  const plies = record.moves.length;
  const mover = (ply: number): Side => ((ply % 2 === 1) === (first === "white") ? "white" : "black");
  if (plies === 0) return null;
  const last = mover(plies) === side ? plies : plies - 1;
  return last === 0 ? null : last;
}
