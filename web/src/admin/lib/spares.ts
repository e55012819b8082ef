/** Boards for games that they do not have: free ones with the position of a running game, and exchanged ones. Pure. */
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

export interface Exchanged {
  readonly board: string;
  /** The table whose board it is. */
  readonly own: Tile;
  /** The table whose game is played on it. */
  readonly tile: Tile;
}

/** Boards on which the game of another table is played; of two that show each other's game the first one. */
export function exchangedBoards(tiles: readonly Tile[]): Exchanged[] {
  const running = tiles.filter((tile) => tile.game?.state === "playing");
  const found = running.flatMap((own) => {
    const tile = running.find(({ game }) => game?.id === own.board?.shows_other);
    const here = own.board !== null && own.board.game === own.game?.id;
    return here && tile !== undefined ? [{ board: own.board.board, own, tile }] : [];
  });
  return found.filter(
    ({ own, tile }, at) =>
      !found.slice(0, at).some((before) => before.own.key === tile.key && before.tile.key === own.key),
  );
}
