/** What the page makes of a feed that the test speaks itself: states that a playing hall does not show at will. */
import { expect, test } from "@playwright/test";
import { E4, START, game, hall } from "./spoken";

test("an empty hall says how games come", async ({ page }) => {
  const say = await hall(page, []);
  const text = "No games yet. They appear here when they begin.";
  await expect(page.getByText(text)).toBeVisible();
  const begun = { event: "game_started", game: "g1", board: 1, fen: START, variant: "standard", tags: {} };
  say({ seq: 2, at: 0, ...begun });
  await expect(page.getByText(text)).toBeHidden();
  await expect(page.getByRole("link", { name: "Board 1: White against Black, not started" })).toBeVisible();
});

test("a Chess960 game says from which start it is played", async ({ page }) => {
  const fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
  const drawn = { fen, variant: "chess960", chess960_number: 0 };
  const say = await hall(page, [game(1, drawn), game(2)], "/#/board/1");
  await expect(page.getByText("Chess960, start 0", { exact: true })).toBeVisible();
  await page.goto("/#/board/2");
  await expect(page.getByText(/Chess960/)).toHaveCount(0);
  say({ seq: 2, at: 0, game: "g3", event: "game_started", board: 2, ...drawn, tags: {} });
  await expect(page.getByText("Chess960, start 0", { exact: true })).toBeVisible();
});

test("a clock at zero shows 0:00 and nothing more", async ({ page }) => {
  const clock = { white_ms: 0, black_ms: 65_000, running: "white", read_at: 1_794_999_990_000 };
  await hall(page, [game(1, { clock })]);
  await expect(page.getByTestId("clock-white")).toHaveText("0:00");
  await expect(page.getByTestId("clock-black")).toHaveText("1:05");
  await expect(page.getByText(/flag|alarm/i)).toHaveCount(0);
});

test("a board that is being sorted out waits calmly, and goes on", async ({ page }) => {
  const say = await hall(page, [game(1)]);
  const news = page.getByTestId("news");
  say({ seq: 2, at: 0, game: "g1", event: "waiting", waiting: true });
  await expect(news).toHaveText("waiting for the next move");
  say({ seq: 3, at: 0, game: "g1", event: "waiting", waiting: false });
  say({ seq: 4, at: 0, game: "g1", event: "move", ...E4 });
  await expect(news).toHaveText("1. e4");
  await expect(page.locator("square.last-move:visible")).toHaveCount(2);
});

test("a result stands beside the players, and can be taken back", async ({ page }) => {
  const say = await hall(page, [game(1)], "/#/board/1");
  say({ seq: 2, at: 0, game: "g1", event: "result", result: "1/2-1/2", reason: "agreement" });
  await expect(page.getByTestId("state")).toHaveText("Draw · agreement");
  await expect(page.getByText("½", { exact: true })).toHaveCount(2);
  say({ seq: 3, at: 0, game: "g1", event: "result", result: "*", reason: null });
  await expect(page.getByText("½", { exact: true })).toHaveCount(0);
});

test("who looks at a finished game is told of the next one on its board", async ({ page }) => {
  const say = await hall(page, [game(1, { state: "ended", result: "1-0" })], "/#/game/g1");
  say({
    seq: 2,
    at: 0,
    game: "g9",
    event: "game_started",
    board: 1,
    fen: START,
    variant: "standard",
    tags: {},
  });
  await expect(page.getByTestId("state")).toHaveText("White wins");
  await page.getByRole("link", { name: /A new game has begun/ }).click();
  await expect(page).toHaveURL(/#\/game\/g9$/);
});

test("a move withdrawn while somebody looks at it leaves the position before it", async ({ page }) => {
  const e4 = { ...E4, clk_ms: 60_000, emt_ms: 4000 };
  const say = await hall(page, [game(1, { moves: [e4] })], "/#/board/1");
  await expect(page.getByRole("button", { name: "1. e4" })).toHaveText(/e4\s*1:00\s*4s/);
  say({ seq: 2, at: 0, game: "g1", event: "retract", to_ply: 0 });
  await expect(page.getByRole("button", { name: "1. e4" })).toHaveCount(0);
  await expect(page.locator("square.last-move:visible")).toHaveCount(0);
});

test("a large hall can be searched, and draws only the boards in sight", async ({ page }) => {
  await hall(
    page,
    Array.from({ length: 200 }, (_, i) => game(i + 1)),
  );
  const tiles = page.locator("[data-board]");
  await expect(tiles).toHaveCount(200);
  await expect(tiles.first().locator("piece")).toHaveCount(32);
  expect(await page.locator("cg-board").count()).toBeLessThan(80);
  await page.getByRole("searchbox").fill("anna 17");
  await expect(tiles).toHaveCount(1);
  await page.getByRole("searchbox").fill("Zugzwang");
  await expect(page.getByText("No board matches.")).toBeVisible();
});

test("a game that is not in the round any more leads to its PGN", async ({ page }) => {
  await hall(page, [game(1)], "/#/game/12345-20261120-1");
  await expect(page.getByRole("main").getByRole("link", { name: "PGN" })).toHaveAttribute(
    "href",
    "/pgn/game/12345-20261120-1.pgn",
  );
});

test("pieces do not slide for those who asked for less motion", async ({ page }) => {
  const slides = () =>
    page
      .locator("piece")
      .first()
      .evaluate((piece) => getComputedStyle(piece).transitionDuration);
  const say = await hall(page, [game(1)]);
  await expect(page.locator("piece")).toHaveCount(32);
  expect(await slides()).toBe("0.22s");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await slides()).toBe("0s");
  say({ seq: 2, at: 0, game: "g1", event: "move", ...E4 });
  await expect(page.locator("square.last-move:visible")).toHaveCount(2);
  await expect(page.locator("piece")).toHaveCount(32);
});
