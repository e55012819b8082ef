/** Names, texts and halls that nobody would make up on purpose: sensible pages, and nothing executed. */
import { expect, test } from "@playwright/test";
import { E4, START, game, hall } from "./spoken";

const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const NAMES = [
  "ж".repeat(200),
  "漢字".repeat(100),
  "مباراة ".repeat(28),
  "W".repeat(200),
  HOSTILE,
  "👑".repeat(200),
];

test("names of any length and script stay names, and nothing scrolls sideways", async ({ page }) => {
  const games = NAMES.map((name, index) =>
    game(index + 1, {
      tags: { White: name, Black: name, WhiteTeam: name, BlackFed: HOSTILE, WhiteTitle: HOSTILE },
    }),
  );
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const address of ["/", "/#/board/1", "/#/board/5"]) {
      await page.goto("about:blank");
      await hall(page, games, address);
      await expect(page.locator("piece.king").first()).toBeAttached();
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sideways, `${address} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
  expect(await page.evaluate(() => "hacked" in window)).toBe(false);
});

test("a game of 300 moves can be stepped through", async ({ page }) => {
  const fens = [START, E4.fen];
  const moves = Array.from({ length: 600 }, (_, index) => ({
    ...E4,
    ply: index + 1,
    fen: fens[index % 2] ?? START,
  }));
  await hall(page, [game(1, { moves })], "/#/board/1");
  await expect(page.getByTestId("moves").getByRole("button")).toHaveCount(600);
  await page.keyboard.press("Home");
  await page.keyboard.press("End");
  await expect(page.getByTestId("moves").locator("[aria-current=step]")).toHaveAttribute("data-ply", "600");
});

test("300 boards are searched and filtered", async ({ page }) => {
  const games = Array.from({ length: 300 }, (_, index) =>
    game(index + 1, index % 2 === 0 ? {} : { result: "1-0", state: "ended" }),
  );
  await hall(page, games);
  const tiles = page.getByRole("region", { name: "Boards of the hall" }).getByRole("link");
  await expect(tiles).toHaveCount(300);
  await page.getByRole("button", { name: "Running" }).click();
  await expect(tiles).toHaveCount(150);
});

test("team matches have a running score", async ({ page }) => {
  const tags = (white: string, black: string) => ({
    White: "A",
    Black: "B",
    WhiteTeam: white,
    BlackTeam: black,
  });
  await hall(page, [
    game(1, { tags: tags("Nord", "Sued"), result: "1-0" }),
    game(2, { tags: tags("Sued", "Nord"), result: "1/2-1/2" }),
    game(3, { tags: tags("Nord", "Sued") }),
  ]);
  await expect(page.getByRole("list", { name: "Team matches" })).toContainText(
    /Nord\s*1½–½\s*Sued\s*1 playing/,
  );
});

test("a lost connection is said", async ({ page }) => {
  await page.clock.install();
  await hall(page, [game(1)]);
  await page.context().setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await page.routeWebSocket(/\/api\/v1\/live/, (socket) => void socket.close());
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await page.clock.fastForward(5000);
  await expect(page.getByRole("alert")).toContainText("No connection.");
});
