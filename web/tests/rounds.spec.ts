/** What the page shows of sections, of a round before it begins, and of corrections. */
import { expect, test } from "@playwright/test";
import { E4, START, game, hall } from "./spoken";

/** 20 November 2026, 12:00 UTC. */
const NOON = 1_795_176_000_000;

const names = (white: string, black: string) => ({ tags: { White: white, Black: black, WhiteElo: "2210" } });

test.describe("before a round", () => {
  test.use({ timezoneId: "America/New_York", locale: "en-GB" });

  test("the pairings stand there with their names, and the time in both zones", async ({ page }) => {
    const about = {
      at: NOON,
      event: {
        slug: "open",
        name: "Open A",
        site: "Örebro",
        time_zone: "Europe/Stockholm",
        tournament: "Cup",
      },
      round: { number: 7, name: "Tie-break 2", date: "2026-11-20", planned_start: NOON + 3_600_000 },
    };
    const paired = [
      game(1, { state: "paired", ...names("Adler, Ida", "Bos, Jan") }),
      game(2, { state: "paired", ...names("Clark, Ann", "Davis, Tom") }),
    ];
    const say = await hall(page, paired, "/", about);
    await expect(page.getByTestId("where")).toHaveText(
      "Cup · Tie-break 2 · Örebro · Starts 14:00 (8:00 your time)",
    );
    const pairings = page.getByRole("region", { name: "Pairings" });
    await expect(pairings.getByRole("link")).toHaveText([
      /Adler, Ida.*2210.*Bos, Jan/s,
      /Clark, Ann.*Davis, Tom/s,
    ]);
    await expect(page.locator("cg-board")).toHaveCount(0);
    // A printer leaves grounds out, and the marks of both players would be alike.
    await expect(pairings.locator(".mark").first()).toHaveCSS("print-color-adjust", "exact");
    await expect(page.getByTestId("counts")).toHaveText("2 to start");

    const begun = { event: "game_started", game: "g2", board: 2, fen: START, variant: "standard" };
    say({ seq: 2, at: 0, ...begun, tags: names("Clark, Ann", "Davis, Tom").tags });
    const boards = page.getByRole("region", { name: "Boards of the hall" });
    await expect(boards.getByRole("link")).toHaveCount(2);
    await expect(boards.getByRole("link").first()).toContainText("not set up yet");
    await expect(boards.getByRole("link").last()).toContainText("Davis");
    await expect(boards.locator("piece.king")).toHaveCount(2);
  });
});

test("sections are one tap away from each other", async ({ page }) => {
  const sections = [
    { slug: "open-a", name: "Open A" },
    { slug: "open-b", name: "Open B" },
  ];
  const asked: string[] = [];
  page.on("websocket", (socket) => asked.push(socket.url()));
  await hall(page, [game(1)], "/", { event: sections[0], sections });
  const nav = page.getByRole("navigation", { name: "Sections" });
  await expect(nav.getByRole("link")).toHaveText(["Open A", "Open B"]);
  await expect(nav.getByRole("link", { name: "Open A" })).toHaveAttribute("aria-current", "page");
  await nav.getByRole("link", { name: "Open B" }).click();
  await expect(page).toHaveURL(/\?event=open-b$/);
  await expect(page.getByRole("link", { name: "PGN" })).toHaveAttribute("href", "/pgn/open-a/live.pgn");
});

test("one section needs no choice", async ({ page }) => {
  await hall(page, [game(1)]);
  await expect(page.getByRole("navigation")).toHaveCount(0);
});

test("a withdrawn game vanishes with the next snapshot", async ({ page }) => {
  const say = await hall(page, [game(1), game(2)]);
  const tiles = page.locator("[data-board]");
  await expect(tiles).toHaveCount(2);
  say({
    snapshot: {
      stream: "hall/1/4f1c-00000001",
      seq: 1,
      at: NOON,
      speed: 1,
      delay_ms: 0,
      event: { slug: "hall", name: "Spring Open" },
      round: { number: 1, name: "Round 1" },
      games: [game(2)],
    },
  });
  await expect(tiles).toHaveCount(1);
  await expect(tiles.first()).toContainText("Board 2");
});

test("half of a correction is never shown", async ({ page }) => {
  const say = await hall(page, [game(1, { moves: [E4] })]);
  const news = page.getByTestId("news");
  await expect(news).toHaveText("1. e4");
  await page.evaluate(() => {
    const news = document.querySelector('[data-board="1"] .strip');
    const seen: string[] = [];
    new MutationObserver(() => seen.push(news?.textContent ?? "")).observe(news as Node, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    Object.assign(window, { seen });
  });
  say({ seq: 2, at: 0, game: "g1", event: "retract", to_ply: 0, more: true });
  say({ seq: 3, at: 0, game: "g1", event: "move", ...E4, san: "d4" });
  await expect(news).toHaveText("1. d4");
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(seen.every((text) => text.includes("1. "))).toBe(true);
});
