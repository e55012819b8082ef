/** The dashboard before a hall that the test speaks itself: doubts, 0 and 300 tables, hostile text. */
import { expect, test, type Page, type WebSocketRoute } from "@playwright/test";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
const AT = 1_795_000_000_000;

const game = (number: number, more: object = {}) => ({
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
const board = (number: number, more: object = {}) => ({
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
  claim: null,
  game: `g${number}`,
  ...more,
});
const hall = (sections: object[] = []) => ({
  version: 1,
  sections,
  seats: {},
  kept_apart: [],
  tournaments: {},
});
const SECTION = {
  section: "open",
  settings: { name: "Open", site: "?", zone: "UTC", time_control: {}, first_table: 1 },
  over: false,
  over_from: null,
  rounds: [{ round: 1, title: "Round 1", state: "running", games: 1 }],
};
const moves = (id: string) => ({
  id,
  start: START,
  chess960: false,
  moves: [{ san: "e4", uci: "e2e4", fen: AFTER_E4, clk_ms: 5_400_000, emt_ms: 3000 }],
  events: [],
  corrections: [],
});

/** Opens the dashboard on these values; returns how to say more and what was ordered. */
async function speak(page: Page, set: Record<string, unknown>, address = "/admin", role = "administrator") {
  let socket: WebSocketRoute | undefined;
  const orders: unknown[] = [];
  const say = (values: Record<string, unknown>, gone: string[] = []) =>
    socket?.send(JSON.stringify({ at: AT, speed: 1, whole: false, set: values, gone }));
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
  await expect(page.getByTestId("link")).toContainText("Connected");
  return { say, orders };
}

test("an empty hall says what to do first", async ({ page }) => {
  await speak(page, { hall: hall() });
  await expect(page.getByTestId("empty")).toContainText("No boards and no pairings yet");
  await page.getByRole("link", { name: "Start the set-up" }).click();
  await expect(page.getByRole("button", { name: "A tournament" })).toBeVisible();
});

test("a doubtful gap is decided in two taps from the hall", async ({ page }) => {
  const set = {
    hall: hall([SECTION]),
    "game/g7": game(7),
    "board/107": board(7, {
      candidates: [
        ["e5", "Nf3"],
        ["d5", "Nf3"],
      ],
    }),
    "moves/g7": moves("g7"),
  };
  const { orders } = await speak(page, set);
  const tile = page.getByTestId("now").getByTestId("tile");
  await expect(tile).toContainText("Table 7");
  await expect(tile).toContainText("doubtful");
  await expect(tile).toContainText("e5 Nf3 / d5 Nf3");
  await tile.click();
  await page.getByRole("button", { name: "It was played: d5 Nf3" }).click();
  await expect(page.getByTestId("bar")).toContainText("Recorded: d5 Nf3");
  const edit = { edit: "set", after: 1, moves: [{ san: "d5" }, { san: "Nf3" }], instead_of: 1 };
  expect(orders).toEqual([{ order: "edit_moves", game: "g7", edit }]);
  await page.getByTestId("bar").getByRole("button", { name: "Undo" }).click();
  expect(orders[1]).toEqual({ order: "undo", number: 7 });
});

test("an unexplained board shows the squares and the moves that would explain it", async ({ page }) => {
  const set = {
    hall: hall([SECTION]),
    "game/g3": game(3, { unexplained: true }),
    "board/103": board(3, { fen: E4_E5, unexplained: ["e5", "e7"] }),
    "moves/g3": moves("g3"),
  };
  const { orders, say } = await speak(page, set, "/admin#/table/g3");
  await expect(page.getByTestId("state")).toContainText("not readable");
  await expect(page.getByTestId("differing")).toContainText("e7 e5");
  await expect(page.locator("square.differs")).toHaveCount(4);
  await page.getByRole("button", { name: "It was played: e5" }).click();
  expect(orders).toHaveLength(1);
  say({ "board/103": board(3, { fen: E4_E5 }), "game/g3": game(3) });
  await expect(page.getByTestId("state")).toContainText("playing");
});

test("a cable that is out comes first; the board is swapped in three taps", async ({ page }) => {
  const set = {
    hall: { ...hall([SECTION]), seats: { 1: "101", 2: "102" } },
    "game/g1": game(1),
    "board/101": board(1),
    "game/g2": game(2),
    "board/102": board(2, { connected: false }),
    "board/900": board(9, { board: "900", game: null, fen: "" }),
    "moves/g2": moves("g2"),
  };
  const { orders } = await speak(page, set);
  const tile = page.getByTestId("now").getByTestId("tile");
  await expect(tile).toHaveCount(1);
  await expect(tile).toContainText("moves unseen (cable)");
  await tile.click();
  await page.getByRole("button", { name: "Another board" }).click();
  await page.getByRole("button", { name: "Board 900" }).click();
  await expect.poll(() => orders).toEqual([{ order: "swap_board", game: "g2", board: "900" }]);
});

test("alarms are heard only where the sound is on, and acknowledged in one tap", async ({ page }) => {
  const { say } = await speak(page, { hall: hall([SECTION]), "game/g1": game(1), "board/101": board(1) });
  await page.evaluate(() => {
    const counted = window as unknown as { tones: number };
    counted.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) {
      counted.tones++;
      return start.apply(this, given);
    };
  });
  const tones = () => page.evaluate(() => (window as unknown as { tones: number }).tones);
  const alarm = (id: number, more: object = {}) => ({
    id,
    kind: "flag_down",
    audience: "arbiter",
    rule: "6.9",
    game: "g1",
    tables: [1],
    sides: ["white"],
    text: "White's flag is down. <b>Check</b>",
    can_wait: false,
    raised_at: AT,
    acknowledged_by: null,
    ...more,
  });
  say({ "alarm/1": alarm(1) });
  await expect(page.getByTestId("alarms")).toContainText("Flag down");
  await expect(page.getByTestId("alarms")).toContainText("Laws 6.9");
  await expect(page.getByTestId("alarms")).toContainText("<b>Check</b>");
  expect(await tones()).toBe(0);
  await page.getByRole("button", { name: "Sound is off" }).click();
  const before = await tones();
  say({ "alarm/2": alarm(2) });
  await expect.poll(tones).toBeGreaterThan(before);
  const acknowledged: string[] = [];
  await page.route(/\/alarms\/\d+\/acknowledge$/, (route) => {
    acknowledged.push(route.request().url());
    say({ "alarm/2": alarm(2, { acknowledged_by: "anna" }) });
    return route.fulfill({ json: {} });
  });
  await page.getByRole("button", { name: "Acknowledge" }).last().click();
  await expect(page.getByRole("heading", { name: "1 alarm", exact: true })).toBeVisible();
  expect(acknowledged).toHaveLength(1);
});

test("300 tables: those that need a person stand first, on a phone too", async ({ page }) => {
  const set: Record<string, unknown> = { hall: hall([SECTION]), "players/open": {} };
  for (let number = 1; number <= 300; number++) {
    set[`game/g${number}`] = game(number);
    set[`board/${100 + number}`] = board(number, { connected: number !== 222 });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await speak(page, set);
  await expect(page.getByTestId("tile")).toHaveCount(1);
  await expect(page.getByTestId("tile")).toContainText("Table 222");
  await expect(page.getByTestId("small")).toHaveCount(299);
  const height = await page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
  expect(height, "screens to scroll").toBeLessThan(6);
});

test("names of any length and script stay in their place, and stay text", async ({ page }) => {
  const long = `<script>document.title="x"</script>${"W".repeat(170)}`;
  const players = {
    1: { name: long },
    2: { name: "عبد الرحمن، محمد" },
    3: { name: "王".repeat(200) },
    4: { name: "🙂" },
  };
  const set = {
    hall: hall([SECTION]),
    "players/open": players,
    "game/g1": game(1),
    "board/101": board(1),
    "game/g2": game(2),
    "board/102": board(2, { connected: false }),
    "moves/g1": moves("g1"),
  };
  await page.setViewportSize({ width: 390, height: 844 });
  await speak(page, set);
  await page.getByRole("button", { name: "Names", exact: true }).click();
  await expect(page.getByText("<script>").first()).toBeVisible();
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await sideways()).toBeLessThanOrEqual(0);
  await page.goto("/admin#/table/g1");
  await expect(page.getByText("<script>").first()).toBeVisible();
  expect(await sideways()).toBeLessThanOrEqual(0);
  await expect(page).toHaveTitle("Table · boardcast");
});

test("a king on e4 says which board stands at which table", async ({ page }) => {
  const empty = (number: number, fen: string) => board(number, { game: null, fen });
  const seats = { 1: "105", 2: "106" };
  const set = { hall: { ...hall([SECTION]), seats }, "board/101": empty(1, ""), "board/102": empty(2, "") };
  const { orders, say } = await speak(page, set, "/admin#/setup/boards");
  await page.getByRole("button", { name: "Put a king on e4" }).click();
  await expect(page.getByTestId("king")).toContainText("e4 of table 1");
  say({ "board/102": empty(2, "8/8/8/8/4K3/8/8/8") });
  await expect(page.getByTestId("king")).toContainText("e4 of table 2");
  // The king that still stands there is not taken for the next table; one seen from the other end is.
  say({ "board/102": empty(2, "8/8/8/8/4K3/8/8/8"), "board/101": empty(1, "8/8/8/3k4/8/8/8/8") });
  await expect(page.getByTestId("king")).toHaveCount(0);
  expect(orders).toEqual([
    { order: "seat_boards", seats: [{ table: 1, board: "102" }] },
    { order: "seat_boards", seats: [{ table: 2, board: "101" }] },
  ]);
});
