/** A whole hall of 200 tables on the pages beside the hall: what they hold, and that no row moves below a finger. */
import { expect, test, type Page } from "@playwright/test";
import { AT, SECTION, board, game, hall, speak } from "./spoken-dashboard";

const TABLES = 200;
const numbers = Array.from({ length: TABLES }, (_, index) => index + 1);
const seats = Object.fromEntries(numbers.map((number) => [number, `${100 + number}`]));
const EVERYTHING = {
  hall: { ...hall([SECTION]), seats },
  ...Object.fromEntries(numbers.map((number) => [`board/${100 + number}`, board(number)])),
  ...Object.fromEntries(numbers.map((number) => [`game/g${number}`, game(number)])),
  "players/open": Object.fromEntries(
    numbers.flatMap((number) => [2 * number - 1, 2 * number]).map((id) => [id, { name: `Player ${id}` }]),
  ),
};

async function openRound(page: Page) {
  const spoken = await speak(page, EVERYTHING);
  const games = numbers.map((number) => ({
    id: `g${number}`,
    pair: { number, white: 2 * number - 1, black: 2 * number, boardless: false },
    state: "playing",
    result: null,
    imported: null,
  }));
  const tables = Object.fromEntries(numbers.map((number) => [`g${number}`, number]));
  const round = { number: 1, state: "running", settings: {}, games, byes: {} };
  await page.route(/admin\/sections\/open\/rounds\/1$/, (route) =>
    route.fulfill({ json: { version: 1, round, tables } }),
  );
  await page.getByRole("link", { name: "Rounds" }).click();
  return spoken;
}

test("a table to which a person turns has all boards to choose from, and the others have none", async ({
  page,
}) => {
  const { orders } = await openRound(page);
  await page.getByRole("button", { name: "Boards", exact: true }).click();
  const select = (table: number) => page.getByLabel(`Board of table ${table}`, { exact: true });
  await expect(select(TABLES)).toHaveValue("300");
  await expect(select(1)).toHaveValue("101");
  expect(await page.locator("option").count()).toBe(2 * TABLES);

  // The browser opens its list after the press: it has all of them by then.
  await select(1).dispatchEvent("pointerdown");
  await select(1).focus();
  expect(await select(1).locator("option").count()).toBe(TABLES + 1);
  await expect(select(1)).toHaveValue("101");
  await expect(select(2).locator("option")).toHaveCount(2);

  await select(TABLES).focus();
  await expect(select(TABLES).locator("option")).toHaveCount(TABLES + 1);
  await expect(select(TABLES).locator("option").nth(1)).toHaveText("101 (1)");
  await expect(select(TABLES)).toHaveValue("300");
  await select(TABLES).selectOption("101");
  await expect
    .poll(() => orders)
    .toEqual([{ order: "seat_boards", seats: [{ table: TABLES, board: "101" }] }]);
});

test("of many boards those with something to put right come first, and the others when they are asked for", async ({
  page,
}) => {
  const all = numbers.map((number) => [
    `board/${100 + number}`,
    board(number, {
      battery: null,
      ...(number === 5 ? { connected: false } : number === 77 ? { faulty: ["e4"] } : {}),
    }),
  ]);
  await speak(page, { ...EVERYTHING, ...Object.fromEntries(all) }, "/admin#/system");
  const found = page.getByRole("region", { name: "200 boards found" });
  const rows = found.getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("105");
  await expect(rows.nth(2)).toContainText("177");
  await expect(rows.nth(2).getByRole("button")).toBeVisible();
  await found.getByText("Boards that work: 198").click();
  await expect(rows).toHaveCount(3 + 1 + 198);
  await expect(rows.last()).toContainText("300");
});

test("a move of a game moves no row of the results desk, and a result that is missing comes first", async ({
  page,
}) => {
  const { say } = await speak(page, EVERYTHING);
  await page.getByRole("link", { name: "Results" }).click();
  const rows = page.getByTestId("missing");
  await expect(rows).toHaveCount(TABLES);
  const order = () =>
    rows.evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset["table"])));
  expect(await order()).toEqual(numbers);
  await rows.first().evaluate((row) => (row.id = "kept"));
  say({
    "game/g1": game(1, { plies: 2, last_at: AT + 60_000 }),
    "game/g9": game(9, { state: "result_missing" }),
  });
  const rest = numbers.filter((number) => number !== 9);
  await expect.poll(order).toEqual([9, ...rest]);
  await expect(page.locator("#kept")).toHaveAttribute("data-table", "1");
});

test("a player is chosen by name among 400, and an open list stays as it is while games go on", async ({
  page,
}) => {
  const { orders, say } = await openRound(page);
  await page.getByRole("button", { name: "By hand" }).click();
  const player = page.locator("label", { hasText: /^Player/ }).locator("select");
  await expect(player.locator("option")).toHaveCount(2 * TABLES + 1);
  await player
    .locator("option")
    .last()
    .evaluate((option) => (option.id = "kept"));
  say({ "game/g1": game(1, { plies: 2 }) });
  say({ "game/g2": game(2, { plies: 2 }) });
  await player.selectOption("Player 17");
  await expect(page.locator("#kept")).toBeAttached();
  await page.getByRole("button", { name: "Set the bye" }).click();
  await expect
    .poll(() => orders)
    .toEqual([{ order: "set_bye", section: "open", round: 1, player: 17, kind: "half" }]);
});

test("the formats of times are made once, not once for each row", async ({ page }) => {
  await page.addInitScript(() => {
    const made = { count: 0 };
    Object.assign(window, { made });
    Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
      construct: (format, options) => ((made.count += 1), Reflect.construct(format, options) as object),
    });
  });
  await speak(page, EVERYTHING);
  await page.getByRole("link", { name: "Results" }).click();
  await expect(page.getByTestId("missing")).toHaveCount(TABLES);
  await expect(page.getByTestId("missing").last().locator(".wide")).toHaveText(/^\d\d:\d\d$/);
  const made = await page.evaluate(() => (window as unknown as { made: { count: number } }).made.count);
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(10);
});

test("who may not enter results reads what is missing, and has nothing to press", async ({ page }) => {
  await speak(page, EVERYTHING, "/admin#/results", "viewer");
  await expect(page.getByTestId("missing").first()).toBeVisible();
  await expect(page.getByTestId("missing").getByRole("button")).toHaveCount(0);
  await expect(page.getByTestId("desk-table")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "TRF" })).toBeVisible();
});

test("on paper each page of a long list has its headings, no row is on two pages, and fields are left out", async ({
  page,
}) => {
  await openRound(page);
  const style = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => {
        const { display, breakInside } = getComputedStyle(one);
        return `${display} ${breakInside}`;
      });
  await expect(page.locator("table.long tbody tr").first()).toBeVisible();
  await page.emulateMedia({ media: "print" });
  expect(await style("table.long thead")).toBe("table-header-group avoid");
  expect(await style("table.long tbody tr")).toBe("table-row avoid");
  await page.evaluate(() => (location.hash = "#/results"));
  await expect(page.getByTestId("missing").first()).toBeVisible();
  expect(await style("table.long thead")).toBe("table-header-group avoid");
  await expect(page.getByTestId("desk-table")).toBeHidden();
});

test("on the smallest phones the longest word of a name stands in one line, beside its mark", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const heightOf = (mark: string, text: string) =>
    page
      .locator(mark)
      .first()
      .evaluate((one, text) => {
        one.textContent = text;
        return one.getBoundingClientRect().height;
      }, text);
  await openRound(page);
  for (const name of ["Rounds", "Results"]) {
    await page.getByRole("link", { name }).click();
    await expect(page.locator(".of-black").first()).toBeVisible();
    for (const mark of [".of-white", ".of-black"])
      expect(await heightOf(mark, "Capablanca,"), name).toBe(await heightOf(mark, "J"));
    // A word that is longer than its column is broken, and does not lie on what is beside it.
    await heightOf(".of-white", "Wolfeschlegelsteinhausenbergerdorff");
    const room = await page
      .locator("td:has(> .of-white)")
      .first()
      .evaluate((cell) => cell.clientWidth - cell.scrollWidth);
    expect(room, name).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }
});

test("the mark of White is lighter than that of Black, on light and on dark ground", async ({ page }) => {
  await openRound(page);
  await expect(page.locator(".of-black").first()).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const [white = 0, black = 0] = await page.evaluate(() =>
      [".of-white", ".of-black"].map((mark) => {
        const one = document.querySelector(mark);
        const { backgroundColor, content } = getComputedStyle(one as Element, "::before");
        const levels = content === '""' ? /\d+/.exec(backgroundColor) : null;
        return Number(levels?.[0] ?? NaN);
      }),
    );
    expect(white, colorScheme).toBeGreaterThan(black + 100);
  }
});
