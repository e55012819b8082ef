/** The engine's bar and plot: there when the daemon has an engine and the delay allows it, nowhere else. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test as base, type Page } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { Daemon } from "./daemon";
import { E4, game, hall } from "./spoken";

/** A hall whose games are public 15 minutes later, which are four seconds here, with an engine. */
const test = base.extend<object, { daemon: Daemon }>({
  daemon: [
    async ({}, use) => {
      const delayed = ["--delay", "15 min", "--speed", "240"];
      const daemon = await Daemon.rehearse("--boards", "4", ...delayed, "--engine", "stockfish");
      await use(daemon);
      await daemon.end();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ daemon }, use) => use(daemon.url),
});

const PICTURES = process.env["BOARDCAST_PICTURES"];
const bar = (page: Page) => page.getByTestId("engine-bar");
/** The first game, once its round is over: in a hall so fast the engine would come too late for every move. */
async function played(page: Page): Promise<string> {
  let game = "";
  const look = async () => {
    const answer = await page.request.get("/api/v1/sections/rehearsal/rounds/1");
    const { round, pairings } = (await answer.json()) as {
      round: { ended: boolean };
      pairings: { game: string }[];
    };
    game = pairings[0]?.game ?? "";
    return round.ended;
  };
  await expect.poll(look, { timeout: 200_000 }).toBe(true);
  return encodeURIComponent(game);
}

/** Until every position of a game has its evaluation. */
async function evaluated(page: Page, id: string): Promise<void> {
  const { moves } = (await (await page.request.get(`/api/v1/games/${id}`)).json()) as { moves: unknown[] };
  const known = async () => {
    const answer = await page.request.get(`/api/v1/games/${id}/evaluations`);
    return ((await answer.json()) as { positions: unknown[] }).positions.length;
  };
  await expect.poll(known, { timeout: 200_000 }).toBe(moves.length + 1);
}

test.beforeEach(() => test.setTimeout(300_000));

const asked = (page: Page) => {
  const addresses: string[] = [];
  page.on("request", (request) => {
    if (/evaluations$/.test(request.url())) addresses.push(request.url());
  });
  return addresses;
};

test("a delayed game has a bar beside the board and a plot, which a switch takes away", async ({ page }) => {
  await page.goto(`/game/${await played(page)}`);
  // The last position may be a checkmate.
  await page.getByRole("button", { name: "One move back" }).click();
  await expect(bar(page)).toHaveText(/^\s*([+−]\d+(\.\d)?|0\.0|−?M\d+)\s*$/);
  await expect(bar(page)).toHaveAttribute("aria-label", /^Engine: (White|Black|equal)/);
  await expect(page.getByTestId("engine-line")).toContainText(/Stockfish.*, depth \d+/);
  await page.getByRole("button", { name: "Evaluation by move" }).click();
  await expect(page.getByTestId("evaluation-plot").locator("canvas")).toHaveCount(1);
  await page.getByRole("button", { name: "Engine", exact: true }).click();
  await expect(bar(page)).toBeHidden();
  await expect(page.getByTestId("evaluation-plot")).toBeHidden();
  await page.reload();
  const engine = page.getByRole("button", { name: "Engine", exact: true });
  await expect(engine).toHaveAttribute("aria-pressed", "false");
  await expect(bar(page)).toBeHidden();
  await engine.click();
  await expect(bar(page)).toBeVisible();
});

test("frames of other sites, overlays and screens never ask for an evaluation", async ({ page }) => {
  const id = await played(page);
  const requests = asked(page);
  for (const address of [
    `/embed/game/${id}`,
    "/embed/round/current",
    "/overlay/board/auto",
    "/screen",
    "/",
  ]) {
    await page.goto(address);
    await expect(page.locator("piece.king").first()).toBeAttached();
    await expect(bar(page)).toHaveCount(0);
  }
  expect(requests).toEqual([]);
  // The same page of the public asks.
  await page.goto(`/game/${id}`);
  await expect.poll(() => requests.length).toBeGreaterThan(0);
});

for (const [size, viewport] of Object.entries({
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
})) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`bar and plot, ${size}, ${colorScheme}: axe, nothing sideways`, async ({ browser, baseURL }) => {
      const context = await browser.newContext({ viewport, colorScheme, baseURL: baseURL ?? "" });
      const page = await context.newPage();
      const id = await played(page);
      await page.goto(`/game/${id}`);
      await page.getByRole("button", { name: "Evaluation by move" }).click();
      await expect(page.getByTestId("evaluation-plot").locator("canvas")).toHaveCount(1);
      await expect(bar(page)).toHaveText(/\d|#/);
      const found = await new AxeBuilder({ page }).analyze();
      expect(found.violations.map((one) => `${one.id}: ${one.nodes[0]?.html}`)).toEqual([]);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sideways).toBeLessThanOrEqual(0);
      if (PICTURES !== undefined) {
        mkdirSync(PICTURES, { recursive: true });
        await evaluated(page, id);
        // In the middle of the game.
        await page.goto(`/game/${id}?ply=24`);
        await page.getByRole("button", { name: "Evaluation by move" }).click();
        await expect(page.getByTestId("evaluation-plot").locator("canvas")).toHaveCount(1);
        await page.evaluate(() => scrollTo(0, 0));
        await page.screenshot({ path: `${PICTURES}/engine-${size}-${colorScheme}.png` });
      }
      await context.close();
    });
  }
}

test.describe("with a feed that the test speaks", () => {
  const DELAYED = { delay_ms: 900_000 };
  const answers = (page: Page, positions: object[]) =>
    page.route(/\/evaluations$/, (route) =>
      route.fulfill({ json: { game: "g1", engine: "Fish", positions } }),
    );

  test("the bar is that of the position that is looked at, and turns with the board", async ({ page }) => {
    const start = { ply: 0, centipawns: 120, depth: 18 };
    await answers(page, [start, { ply: 1, mate: -3, depth: 18 }]);
    await hall(page, [game(1, { moves: [E4] })], "/#/board/1", DELAYED);
    await expect(bar(page)).toHaveText("−M3");
    await expect(bar(page)).toHaveAttribute("aria-label", "Engine: Black, mate in 3");
    await page.getByRole("button", { name: "One move back" }).click();
    await expect(bar(page)).toHaveText("+1.2");
    await expect(bar(page)).toHaveAttribute("aria-label", "Engine: White, ahead by 1.2 pawns");
    const whiteIsBelow = async () => {
      const [all, white] = [await bar(page).boundingBox(), await bar(page).locator(".white").boundingBox()];
      if (all === null || white === null) throw new Error("no bar");
      return white.y - all.y > 1;
    };
    await expect.poll(whiteIsBelow).toBe(true);
    await page.getByRole("button", { name: "Turn the board" }).click();
    await expect.poll(whiteIsBelow).toBe(false);
  });

  test("a new move waits for its evaluation, and a delay that is shortened takes the bar away", async ({
    page,
  }) => {
    let positions: object[] = [{ ply: 0, centipawns: 30, depth: 18 }];
    await page.route(/\/evaluations$/, (route) =>
      route.fulfill({ json: { game: "g1", engine: "Fish", positions } }),
    );
    const say = await hall(page, [game(1)], "/#/board/1", DELAYED);
    await expect(bar(page)).toHaveText("+0.3");
    say({ event: "move", seq: 2, at: 1_795_000_000_000, game: "g1", ...E4 });
    await expect(bar(page)).toHaveAttribute("aria-label", "Engine: no evaluation yet");
    positions = [...positions, { ply: 1, centipawns: 40, depth: 18 }];
    await expect(bar(page)).toHaveText("+0.4");
    const about = {
      stream: "hall/1/4f1d",
      seq: 2,
      at: 1_795_000_000_000,
      speed: 1,
      delay_ms: 600_000,
      event: { slug: "hall", name: "Spring Open" },
      round: { number: 1, name: "Round 1" },
    };
    say({ snapshot: { ...about, games: [game(1, { moves: [E4] })] } });
    await expect(bar(page)).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Engine", exact: true })).toHaveCount(0);
  });

  test("a round without the delay is never asked for, and a daemon without an engine once", async ({
    page,
  }) => {
    const requests = asked(page);
    const say = await hall(page, [game(1)], "/#/board/1");
    say({ event: "move", seq: 2, at: 1_795_000_000_000, game: "g1", ...E4 });
    await expect(page.getByTestId("moves")).toContainText("e4");
    expect(requests).toEqual([]);
    const refused = page.waitForResponse(/\/evaluations$/);
    await page.goto("about:blank");
    const delayed = await hall(page, [game(1)], "/#/board/1", DELAYED);
    expect((await refused).status()).toBe(404);
    delayed({ event: "move", seq: 2, at: 1_795_000_000_000, game: "g1", ...E4 });
    await expect(page.getByTestId("moves")).toContainText("e4");
    expect(requests).toHaveLength(1);
    await expect(bar(page)).toHaveCount(0);
  });
});
