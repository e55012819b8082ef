/** What the hall says at first sight, and the way from there to what is put right. */
import { expect, test, type Locator } from "@playwright/test";
import { SECTION, board, game, hall, moves, speak } from "./spoken-dashboard";

const round = (delay_s: number | "until_over") => ({
  ...SECTION,
  rounds: [{ round: 1, name: null, state: "running", games: 1, without_result: 1, delay_s }],
});
const PLAYED = { "game/g1": game(1), "board/101": board(1) };

for (const [delay, words] of [
  [0, "no delay"],
  [900, "delay 15 min"],
  ["until_over", "shown after each game ends"],
] as const) {
  test(`the hall says by how much viewers see a round later: ${words}`, async ({ page }) => {
    await speak(page, { ...PLAYED, hall: hall([round(delay)]) });
    await expect(page.getByTestId("delay")).toHaveText(`· ${words}`);
  });
}

test("the alarm about boards without a table leads to the boards of the round", async ({ page }) => {
  const alarm = {
    id: 3,
    kind: "board_without_table",
    audience: "operator",
    rule: null,
    game: null,
    tables: [],
  };
  const about = { sides: [], text: "", sentences: [], can_wait: false, raised_at: 0, acknowledged_by: null };
  const set = { ...PLAYED, hall: hall([round(0)]), "alarm/3": { ...alarm, ...about } };
  await speak(page, { ...set, "board/900": board(9, { board: "900", game: null }) });
  await page.getByRole("link", { name: "Assign", exact: true }).click();
  const tab = page.getByRole("main").getByRole("button", { name: "Boards", exact: true });
  await expect(tab).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("group", { name: "Boards without a table" })).toContainText("900");
});

test("the ready check says that no board is connected", async ({ page }) => {
  const state = { ...PLAYED, hall: hall([round(0)]), "board/101": board(1, { connected: false }) };
  await speak(page, state);
  await page.route(/rounds\/1\/ready$/, (route) => route.fulfill({ json: { problems: [] } }));
  await page.getByRole("link", { name: "Rounds", exact: true }).click();
  await page.getByRole("main").getByRole("button", { name: "Ready check", exact: true }).click();
  await expect(page.getByTestId("ready")).toContainText("No board is found yet.");
  await expect(page.getByTestId("ready")).not.toContainText("Everything is ready");
});

test("the ready check says that the computer's clock cannot be right, also where nothing else is to be done", async ({
  page,
}) => {
  await speak(page, { ...PLAYED, hall: hall([round(0)]) });
  await page.route(/rounds\/1\/ready$/, (route) => route.fulfill({ json: { problems: [] } }));
  await page.route(/admin\/clock$/, (route) =>
    route.fulfill({ json: { at: 60_000, is_known: false, given_by: null } }),
  );
  await page.getByRole("link", { name: "Rounds", exact: true }).click();
  await page.getByRole("main").getByRole("button", { name: "Ready check", exact: true }).click();
  await expect(page.getByTestId("ready")).toContainText(
    "The computer's clock cannot be right: it shows 1/1/1970",
  );
  await expect(page.getByTestId("ready")).not.toContainText("Everything is ready");
});

test("on a phone the tick for Chess960 stands beside its word", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await speak(page, { ...PLAYED, hall: hall([round(0)]) }, "/admin#/table/g1");
  await page.getByRole("button", { name: "More", exact: true }).click();
  const label = page.locator("label", { hasText: "Chess960" });
  const [box, tick] = [await label.boundingBox(), await label.getByRole("checkbox").boundingBox()];
  expect((tick?.x ?? 99) - (box?.x ?? 0)).toBeLessThan(10);
});

test("a doubt is decided by keyboard alone, from the hall", async ({ page }) => {
  const lines = [
    ["e5", "Nf3"],
    ["Nf6", "Nf3"],
  ];
  const doubt = { "game/g1": game(1), "board/101": board(1, { candidates: lines }), "moves/g1": moves("g1") };
  const { orders } = await speak(page, { ...doubt, hall: hall([round(0)]) });
  const tile = page.locator("main a[data-table='1']");
  await expect(tile).toBeVisible();
  const reach = async (wanted: Locator) => {
    const focused = () => wanted.evaluate((one) => one === document.activeElement);
    for (let presses = 0; presses < 40 && !(await focused()); presses++) await page.keyboard.press("Tab");
    await expect(wanted).toBeFocused();
    expect(await wanted.evaluate((one) => getComputedStyle(one).outlineStyle)).not.toBe("none");
    await page.keyboard.press("Enter");
  };
  await reach(tile);
  const line = page.getByRole("button", { name: "It was played: Nf6 Nf3", exact: true });
  await expect(line).toBeVisible();
  await reach(line);
  await expect.poll(() => orders.length).toBe(1);
  expect(orders[0]).toMatchObject({
    order: "edit_moves",
    game: "g1",
    edit: { moves: [{ san: "Nf6" }, { san: "Nf3" }] },
  });
  await reach(page.getByTestId("bar").getByRole("button", { name: "Undo", exact: true }));
  await expect.poll(() => orders.length).toBe(2);
});
