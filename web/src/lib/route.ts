/** What the part of the address after `#` asks for. Knows no game and no document. */

export type Route =
  | { readonly view: "hall" }
  | { readonly view: "game"; readonly game: string }
  /** Follows the board from game to game. */
  | { readonly view: "board"; readonly board: number };

export function parseRoute(hash: string): Route {
  const game = /^#\/game\/(.+)$/.exec(hash)?.[1];
  if (game !== undefined) return { view: "game", game: decoded(game) };
  const board = /^#\/board\/(\d{1,6})$/.exec(hash)?.[1];
  if (board !== undefined) return { view: "board", board: Number(board) };
  return { view: "hall" };
}

export function gameHref(game: string): string {
  return `#/game/${encodeURIComponent(game)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray percent sign typed by hand
  }
}
