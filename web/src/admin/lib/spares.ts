/** Boards that stand ready to replace another: a free board with the position of a running game. Pure. */
import type { Tile } from "./tiles";

export interface Spare {
  readonly board: string;
  readonly tile: Tile;
}

/** Below this number of plies several games may have the same position. */
const FEWEST_PLIES = 4;

/**
 * Free boards, each with the only running game whose last recorded position it shows while the game's own board does not.
 */
export function spares(tiles: readonly Tile[]): Spare[] {
  const running = tiles.filter((tile) => tile.game?.state === "playing" && tile.game.section !== null);
  const busy = new Set(running.map((tile) => tile.board?.board));
  const free = tiles.filter((tile) => tile.board?.connected && !busy.has(tile.board.board));
  const serials = new Map(free.map((tile) => [tile.board?.board ?? "", tile.board?.fen ?? ""]));
  return [...serials].flatMap(([board, placement]) => {
    const found = running.filter(
      ({ game, board: own }) =>
        game !== null &&
        game.plies >= FEWEST_PLIES &&
        game.fen.split(" ")[0] === placement &&
        (own === null || !own.connected || own.fen !== placement),
    );
    const [tile] = found;
    return found.length === 1 && tile !== undefined ? [{ board, tile }] : [];
  });
}
