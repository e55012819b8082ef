/** The public pages on a phone and on paper, also with large letters: what is cut, what is said of a delay. */
import { expect, test, type Page } from "@playwright/test";
import { game, hall } from "./spoken";

const NAME = "International Spring Open of the Federation";
const EVENT = { event: { slug: "hall", name: NAME } };

const enlarge = (page: Page) =>
  page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%", "important"));
const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

for (const width of [360, 390]) {
  test(`the title is read whole beside the menu, ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 });
    await hall(page, [game(1), game(2)], "/", EVENT);
    const title = page.getByRole("heading", { level: 1 });
    await expect(title).toHaveText(NAME);
    const cut = await title.evaluate(
      (one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1,
    );
    expect(cut).toBe(false);
    // How far the round is, the connection and the file stand in one line below it.
    const below = await title.evaluate((one) => one.getBoundingClientRect().bottom);
    const lines = await page
      .locator("header > :is([data-testid=counts], [data-testid=status], a.pgn)")
      .evaluateAll((all) =>
        all.map((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return (top + bottom) / 2;
        }),
      );
    expect(lines).toHaveLength(3);
    expect(Math.min(...lines)).toBeGreaterThan(below);
    expect(Math.max(...lines) - Math.min(...lines)).toBeLessThan(4);
  });
}

test("in a frame on a phone the event and its delay are read whole", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await hall(page, [game(1)], "/embed/round/current", { ...EVENT, delay_ms: 900_000 });
  const delay = page.getByTestId("delay");
  await expect(delay).toHaveText("· shown 15 minutes late");
  const { left, right } = await delay.evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(360);
  expect(await sideways(page)).toBeLessThanOrEqual(0);
});

test("with large letters the game is within the window, and its players are read whole", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const clock = { white_ms: 5_400_000, black_ms: 5_400_000, running: "white", read_at: 1_795_000_000_000 };
  await hall(page, [game(1, { clock })], "/#/game/g1", EVENT);
  const names = page.locator(".player .words");
  await expect(names).toHaveCount(2);
  await enlarge(page);
  await expect.poll(() => sideways(page)).toBeLessThanOrEqual(0);
  const cut = () => names.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  await expect.poll(cut).toBe(0);
  const title = await page.getByRole("heading", { level: 1 }).boundingBox();
  expect(title?.width).toBeGreaterThan(200);
});

test("the names of sections are read whole with large letters", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const sections = [
    { slug: "hall", name: NAME },
    { slug: "youth", name: "Youth" },
  ];
  await hall(page, [game(1), game(2)], "/", { ...EVENT, sections });
  const names = page.getByRole("navigation", { name: "Sections" }).getByRole("link");
  await expect(names).toHaveCount(2);
  await enlarge(page);
  expect(
    await names.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length),
  ).toBe(0);
  expect(await sideways(page)).toBeLessThanOrEqual(0);
});

for (const [until_over, delay_ms, words] of [
  [false, 900_000, "shown 15 minutes late"],
  [true, 0, "shown after each game ends"],
  [true, 60_000, "shown 1 minute after each game ends"],
] as const) {
  test(`the delay is said of the pages, not of the games: ${words}`, async ({ page }) => {
    await hall(page, [game(1, { state: "paired" })], "/", { delay_ms, until_over });
    await expect(page.getByTestId("counts")).toContainText(words);
  });
}

for (const address of ["/", "/embed/round/current", "/screen"]) {
  test(`without games a delayed round says that they come later than in the hall: ${address}`, async ({
    page,
  }) => {
    await page.route(/\/api\/v1\/round/, (route) => route.fulfill({ status: 503 }));
    await page.routeWebSocket(/\/api\/v1\/live/, (socket) => {
      const [event, round] = [EVENT.event, { number: 1, name: "Round 1" }];
      const about = { stream: "hall/1/4f1c", seq: 1, at: 1_795_000_000_000, speed: 1, delay_ms: 900_000 };
      socket.send(JSON.stringify({ snapshot: { ...about, event, round, games: [] } }));
    });
    await page.goto(address);
    await expect(page.getByText("No games to show yet. Games are shown 15 minutes late.")).toBeVisible();
  });
}

test("on paper there are the boards and the title, and no buttons", async ({ page }) => {
  await hall(page, [game(1), game(2)], "/", EVENT);
  const running = page.getByRole("button", { name: "Running" });
  await expect(running).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(running).toBeHidden();
  await expect(page.getByTestId("status")).toBeHidden();
  await expect(page.getByRole("link", { name: "PGN" })).toBeHidden();
  await expect(page.getByRole("heading", { name: NAME })).toBeVisible();
  await expect(page.locator("[data-board]")).toHaveCount(2);
});
