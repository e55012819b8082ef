/** A hall that a test of the dashboard speaks itself. */
import { expect, type Page, type WebSocketRoute } from "@playwright/test";

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
export const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
export const E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
export const AT = 1_795_000_000_000;

export const game = (number: number, more: object = {}) => ({
  id: `g${number}`,
  section: "open",
  round: 1,
  number,
  table: number,
  board: `${100 + number}`,
  white: number * 2 - 1,
  black: number * 2,
  state: "playing",
  withdrawn: false,
  result: null,
  differs: null,
  started: true,
  plies: 1,
  last_san: "e4",
  last_uci: "e2e4",
  last_at: AT,
  fen: AFTER_E4,
  clock: null,
  reason: "",
  unexplained: false,
  ...more,
});
export const board = (number: number, more: object = {}) => ({
  board: `${100 + number}`,
  connected: true,
  fen: AFTER_E4.split(" ")[0],
  rotated: false,
  white_is_left: true,
  clock: { white_ms: 5_400_000, black_ms: 5_400_000, running: "black", read_at: AT },
  unexplained: [],
  wrong_start: [],
  unsteady: [],
  faulty: [],
  candidates: [],
  shows_other: null,
  claim: null,
  game: `g${number}`,
  ...more,
});
export const hall = (sections: object[] = []) => ({
  version: 1,
  sections,
  seats: {},
  tables_without_board: [],
  proposed_seats: [],
  identifying: null,
  kept_apart: [],
  tournaments: {},
});
export const SECTION = {
  section: "open",
  settings: { name: "Open", site: "?", zone: "UTC", time_control: {}, first_table: 1 },
  over: false,
  over_from: null,
  rounds: [{ round: 1, name: null, state: "running", games: 1, delay_s: 0 }],
};
export const moves = (id: string) => ({
  id,
  start: START,
  chess960: false,
  moves: [{ san: "e4", uci: "e2e4", fen: AFTER_E4, clk_ms: 5_400_000, emt_ms: 3000 }],
  events: [],
  corrections: [],
  gaps: [],
});

/** Opens the dashboard on these values; returns how to say more and what was ordered. */
export async function speak(
  page: Page,
  set: Record<string, unknown>,
  address = "/admin",
  role = "administrator",
) {
  let socket: WebSocketRoute | undefined;
  const orders: unknown[] = [];
  const say = (values: Record<string, unknown>, gone: string[] = []) =>
    socket?.send(JSON.stringify({ at: AT, speed: 1, whole: false, set: values, gone }));
  // What is not spoken here is not there; the daemon behind would ask for a login.
  await page.route(/\/api\/v1\/admin\//, (route) => route.fulfill({ status: 404, json: {} }));
  await page.route(/\/api\/v1\/admin\/session$/, (route) =>
    route.fulfill({ json: { name: "anna", role, csrf_token: "0" } }),
  );
  await page.route(/\/api\/v1\/admin\/orders/, (route) => {
    orders.push(route.request().postDataJSON());
    const facts = [{ fact: "corrected", number: 7, what: "moves edited", undo: { order: "x" } }];
    return route.fulfill({ json: { version: 2, facts, notes: [] } });
  });
  await page.routeWebSocket(/\/api\/v1\/admin\/live/, (opened) => {
    socket = opened;
    const health = { ok: true, troubles: [] };
    opened.send(JSON.stringify({ at: AT, speed: 1, whole: true, set: { health, ...set }, gone: [] }));
  });
  await page.goto(address);
  await expect(page.getByTestId("link")).toContainText("●");
  return { say, orders };
}
