/** What the part of the address after `#` asks for. Knows no game and no document. */

export type Route =
  | { readonly view: "hall" }
  | { readonly view: "standings" }
  /** `ply` is the half-move to look at; without one the game is followed. */
  | { readonly view: "game"; readonly game: string; readonly ply?: number }
  /** Follows the board from game to game. */
  | { readonly view: "board"; readonly board: number };

export function parseRoute(hash: string): Route {
  const [, game, ply] = /^#\/game\/([^/]+)(?:\/(\d{1,4}))?$/.exec(hash) ?? [];
  if (game !== undefined) {
    return { view: "game", game: decoded(game), ...(ply === undefined ? {} : { ply: Number(ply) }) };
  }
  const board = /^#\/board\/(\d{1,6})$/.exec(hash)?.[1];
  if (board !== undefined) return { view: "board", board: Number(board) };
  return { view: hash === "#/standings" ? "standings" : "hall" };
}

export function gameHref(game: string, ply: number | null = null): string {
  return `#/game/${encodeURIComponent(game)}${ply === null ? "" : `/${ply}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray percent sign typed by hand
  }
}
