/** A spectator before a hall that plays: needs a running server with games in progress. */
import { expect, test, type Page } from "@playwright/test";

const tiles = (page: Page) => page.getByRole("region", { name: "Boards of the hall" }).getByRole("link");
const news = (page: Page) => page.getByTestId("news").allTextContents();
const isMove = /^\d+\.(\.\.)? \S/;

/** Opens the first game that has moves. */
async function choose(page: Page) {
  await page.goto("/");
  await tiles(page)
    .filter({ hasText: /\d+\.(\.\.)? [a-hKQRBNO]/ })
    .first()
    .click();
  await expect(page).toHaveURL(/#\/game\/.+/);
}

async function expectNoSidewaysScroll(page: Page) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

test("all boards appear with their pieces, and the title says what is played", async ({ page, baseURL }) => {
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).host !== new URL(baseURL ?? "").host) elsewhere.push(request.url());
  });
  await page.goto("/");
  await expect(tiles(page).first().locator("piece.king")).toHaveCount(2);
  const hall = await page.evaluate(
    () =>
      new Promise<{ event: { name: string }; round: { name: string }; games: { board: number }[] }>(
        (resolve) => {
          const socket = new WebSocket(new URL("/api/v1/live", location.href.replace(/^http/, "ws")));
          socket.onmessage = (message) => {
            resolve(JSON.parse(message.data).snapshot);
            socket.close();
          };
        },
      ),
  );
  await expect(tiles(page)).toHaveCount(new Set(hall.games.map((game) => game.board)).size);
  await expect(page).toHaveTitle(`${hall.round.name} · ${hall.event.name}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(hall.event.name);
  await expect(page.getByTestId("status")).toHaveText("Live");
  expect(elsewhere.filter((url) => !url.startsWith("data:"))).toEqual([]);
});

test("moves arrive without a reload", async ({ page }) => {
  await page.goto("/");
  await expect(tiles(page).first()).toBeVisible();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  const before = await news(page);
  await expect
    .poll(async () => (await news(page)).some((text, i) => isMove.test(text) && text !== before[i]))
    .toBe(true);
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

test("a running clock counts down between moves", async ({ page }) => {
  await page.goto("/");
  const reading = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("[data-board]")].flatMap((tile) => {
        const running = tile.querySelector(".running");
        const move = tile.querySelector('[data-testid="news"]')?.textContent;
        const seconds = running?.textContent?.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
        return seconds === undefined ? [] : [{ clock: `${tile.dataset["board"]} ${move}`, seconds }];
      }),
    );
  await expect(page.locator(".running").first()).toBeVisible();
  const first = new Map<string, number>();
  await expect
    .poll(
      async () =>
        (await reading()).some(({ clock, seconds }) => {
          const before = first.get(clock);
          if (before === undefined) first.set(clock, seconds);
          return before !== undefined && seconds < before;
        }),
      { intervals: [50] },
    )
    .toBe(true);
});

test("a chosen game shows its moves with times, and can be linked and left", async ({ page, request }) => {
  await choose(page);
  const list = page.getByTestId("moves");
  await expect(list.getByRole("button").first()).toBeVisible();
  await expect(list.locator(".left").first()).toHaveText(/^(\d+:)?\d?\d:\d\d$/);
  await expect(page.locator(".board piece.king")).toHaveCount(2);

  const pgn = await page.getByRole("link", { name: "PGN" }).getAttribute("href");
  expect(pgn).toMatch(/^\/pgn\/game\/.+\.pgn$/);
  const answer = await request.get(pgn ?? "");
  expect(answer.ok()).toBe(true);
  expect(await answer.text()).toContain("[Event ");

  const address = page.url();
  await page.goto("about:blank");
  await page.goto(address);
  await expect(list.getByRole("button").first()).toBeVisible();
  await page.getByRole("link", { name: "All boards" }).click();
  await expect(tiles(page).first()).toBeVisible();
  await page.goBack();
  await expect(list).toBeVisible();
});

test("moves can be stepped through by key and button while the game goes on", async ({ page }) => {
  await choose(page);
  const chosen = page.getByTestId("moves").locator("[aria-current=step]");
  const end = page.getByRole("button", { name: /^(Live|End)/ });
  await expect(chosen).toHaveCount(1);
  await expect(chosen).toBeInViewport({ ratio: 0.9 });
  await expect(end).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("ArrowLeft");
  await expect(end).toHaveAttribute("aria-pressed", "false");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(chosen).toHaveCount(0);
  await expect(page.locator(".board piece")).toHaveCount(32);
  await page.keyboard.press("ArrowRight");
  await expect(chosen).toHaveAttribute("data-ply", "1");
  await end.click();
  await expect(end).toHaveAttribute("aria-pressed", "true");
  await expect(chosen).not.toHaveAttribute("data-ply", "1");
});

test("the hall is walked with the arrow keys and a board opened with Enter", async ({ page }) => {
  await page.goto("/");
  await tiles(page).first().focus();
  if ((await tiles(page).count()) > 1) {
    await page.keyboard.press("ArrowRight");
    await expect(tiles(page).nth(1)).toBeFocused();
    await page.keyboard.press("ArrowLeft");
  }
  await expect(tiles(page).first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(tiles(page).first()).toBeFocused();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("neither the hall nor a game scrolls sideways", async ({ page }) => {
    await page.goto("/");
    await expect(tiles(page).first().locator("piece.king")).toHaveCount(2);
    await expectNoSidewaysScroll(page);
    await choose(page);
    await expect(page.locator(".board piece.king")).toHaveCount(2);
    await expect(page.getByTestId("moves")).toBeInViewport();
    await expectNoSidewaysScroll(page);
  });
});

test("a dropped connection comes back by itself and resumes", async ({ page }) => {
  const addresses: string[] = [];
  let drop = () => {};
  let readmit = () => {};
  const readmitted = new Promise<void>((resolve) => (readmit = resolve));
  await page.routeWebSocket(/\/api\/v1\/live/, async (socket) => {
    addresses.push(socket.url());
    if (addresses.length > 1) await readmitted;
    const server = socket.connectToServer();
    drop = () => {
      void server.close();
      void socket.close();
    };
  });
  await page.goto("/");
  await expect(tiles(page).first()).toBeVisible();
  const status = page.getByTestId("status");
  await expect(status).toHaveText("Live");
  drop();
  await expect(status).toHaveText("Reconnecting…");
  await expect(tiles(page).first()).toBeVisible();
  const before = await news(page);
  readmit();
  await expect(status).toHaveText("Live");
  expect(addresses[1]).toMatch(/[?&]stream=.+&since=\d+/);
  await expect.poll(async () => (await news(page)).some((text, i) => text !== before[i])).toBe(true);
});

test("the boards of the script come without a jump in place of those that the server drew", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const one of list.getEntries() as (PerformanceEntry & { value: number })[])
        seen.shift += one.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/");
  await expect(page.locator("#drawn")).toHaveCount(0);
  await expect(page.locator("[data-board]")).toHaveCount(16);
  const shift = await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
  expect(shift).toBeLessThan(0.01);
});
