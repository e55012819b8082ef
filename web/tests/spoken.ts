/** A feed that a test speaks itself. */
import { expect, type Page, type WebSocketRoute } from "@playwright/test";

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/** White moves the king's pawn, without a clock. */
export const E4 = { ply: 1, san: "e4", uci: "e2e4", fen: AFTER_E4, clk_ms: null, emt_ms: null };

export function game(board: number, more: object = {}) {
  return {
    game: `g${board}`,
    board,
    tags: { White: `White ${board}, Anna`, Black: `Black ${board}, Bo` },
    fen: START,
    variant: "standard",
    moves: [],
    clock: null,
    result: "*",
    reason: null,
    state: "playing",
    waiting: false,
    ...more,
  };
}

/**
 * Opens the page on a feed that begins with these games, and what else `about` says; returns how to say more.
 */
export async function hall(
  page: Page,
  games: object[],
  address = "/",
  about: object = {},
): Promise<(event: object) => void> {
  let feed: WebSocketRoute | undefined;
  // The page begins with the socket's snapshot alone.
  await page.route(/\/api\/v1\/round/, (route) => route.fulfill({ status: 503 }));
  await page.routeWebSocket(/\/api\/v1\/live/, (socket) => {
    feed = socket;
    socket.send(
      JSON.stringify({
        snapshot: {
          stream: "hall/1/4f1c",
          seq: 1,
          at: 1_795_000_000_000,
          speed: 1,
          delay_ms: 0,
          event: { slug: "hall", name: "Spring Open" },
          round: { number: 1, name: "Round 1" },
          games,
          ...about,
        },
      }),
    );
  });
  await page.goto(address);
  await expect(page.getByTestId("status")).toHaveText("Live");
  return (event) => feed?.send(JSON.stringify("event" in event ? { events: [event] } : event));
}
