/** Every page on phone and desktop, light and dark: no findings of axe, nothing sideways, the keyboard gets everywhere. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { Daemon } from "./daemon";
import { SECTION, board, game, hall, moves, speak } from "./spoken-dashboard";

/** Where pictures of all pages are put, if somewhere. */
const PICTURES = process.env["BOARDCAST_PICTURES"];
const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const PAGES = [
  "hall",
  "round",
  "round:Load pairings",
  "round:By hand",
  "round:Boards",
  "round:Ready check",
  "round:Plan",
  "results",
  "arbiter",
  "event",
  "event:Settings",
  "event:Players",
  "event:Addresses",
  "event:Outputs",
  "event:Sources",
  "event/sources:Add a source",
  "event:Keys",
  "event:People",
  "system",
  "log",
  "setup",
  "setup/event",
  "setup/pairings",
  "setup/boards",
  "setup/follow",
  "setup/go",
];

let daemon: Daemon;
test.beforeAll(async () => {
  daemon = await Daemon.rehearse("--boards", "10", "--speed", "4", "--faults", "some");
});
test.afterEach(async () => daemon.close());
test.afterAll(async () => daemon.end());

async function look(page: Page, name: string) {
  const found = await new AxeBuilder({ page }).analyze();
  expect(
    found.violations.map((one) => `${one.id}: ${one.nodes[0]?.html}`),
    name,
  ).toEqual([]);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(sideways, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
  if (PICTURES !== undefined) {
    mkdirSync(PICTURES, { recursive: true });
    // The public pages have a hall of their own in the same folder.
    const path = `${PICTURES}/admin-${name.replaceAll(/[/: ]/g, "-")}.png`;
    await page.screenshot({ path, fullPage: true });
  }
}

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`all pages, ${size}, ${colorScheme}`, async ({ browser }) => {
      test.setTimeout(180_000);
      const page = await daemon.open(browser, "administrator", { viewport, colorScheme });
      const way = `${size}-${colorScheme}`;
      for (const name of PAGES) {
        const [address, button] = name.split(":");
        await page.goto(`/admin#/${address}`);
        await expect(page.getByTestId("link")).toContainText("Connected");
        // Each page comes as a file of its own.
        await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
        if (button !== undefined)
          await page.getByRole("main").getByRole("button", { name: button }).first().click();
        await look(page, `${name} ${way}`);
      }
      await page.goto("/admin#/hall");
      await page.locator("a[data-state=playing]").first().click();
      await expect(page.getByTestId("moves")).toBeVisible();
      await page.getByRole("button", { name: "Show the last traffic" }).click();
      await expect(page.getByTestId("traffic")).toContainText("clock 1:");
      await look(page, `table ${way}`);
      await page.getByTestId("moves").getByRole("button").last().click();
      await expect(page.getByTestId("correct")).toBeVisible();
      await look(page, `table-correct ${way}`);
      await page.keyboard.press("Escape");
      await page.getByTestId("edit").click();
      await page.getByRole("button", { name: "Result", exact: true }).click();
      await look(page, `table-edit ${way}`);
      await page.getByRole("link", { name: "Claims, list to print" }).click();
      await expect(page.getByTestId("sheet")).toBeVisible();
      await look(page, `arbiter-game ${way}`);
      const stranger = await daemon.stranger(browser, { viewport, colorScheme });
      const login = await stranger.newPage();
      await login.goto("/admin");
      await expect(login.getByRole("button", { name: "Log in" })).toBeVisible();
      await look(login, `login ${way}`);
    });
  }
}

test("the keyboard alone reaches a table and its tools", async ({ browser }) => {
  const page = await daemon.open(browser);
  const focus = () =>
    page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset["state"] ?? "");
  await page.goto("/admin#/hall");
  await expect(page.locator("a[data-state=playing]").first()).toBeVisible();
  for (let i = 0; i < 60 && (await focus()) !== "playing"; i++) await page.keyboard.press("Tab");
  expect(await focus()).toBe("playing");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#\/table\//);
  const result = page.getByRole("button", { name: "Result", exact: true });
  for (let i = 0; i < 200; i++) {
    await page.keyboard.press("Tab");
    if (await result.evaluate((button) => button === document.activeElement)) break;
  }
  await expect(result).toBeFocused();
  const outline = await result.evaluate((button) => getComputedStyle(button).outlineStyle);
  expect(outline).not.toBe("none");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "1-0" })).toBeVisible();
});

test("the languages: every page is drawn in the one that is chosen, and it is kept", async ({ browser }) => {
  const page = await daemon.open(browser);
  await page.goto("/admin#/system");
  await page.getByLabel("Language").selectOption("de");
  await expect(page.getByRole("link", { name: "Ergebnisse" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("link", { name: "Ergebnisse" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
});

/** Letters twice as large, as a person may choose them on a phone. */
async function enlarge(page: Page) {
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%", "important"));
}

test("with large letters the times of a move stand in its own place, and the clock below the name", async ({
  browser,
}) => {
  const page = await daemon.open(browser, "administrator", { viewport: SIZES.phone });
  await page.goto("/admin#/hall");
  await page.locator("a[data-state=playing]").first().click();
  const times = page.getByTestId("moves").locator(".times").filter({ hasText: ":" });
  await expect(times.first()).toBeVisible();
  await enlarge(page);
  const outside = () =>
    times.evaluateAll((all) => {
      const right = (one: Element | null) => one?.getBoundingClientRect().right ?? 0;
      return all.filter((one) => right(one) > right(one.closest("td"))).length;
    });
  expect(await outside()).toBe(0);
  const name = await page.locator(".player .name").first().boundingBox();
  expect(name?.width).toBeGreaterThan(200);
});

test("with large letters a table that needs a person is read in words", async ({ page }) => {
  const unread = game(3, { unexplained: true });
  await speak(page, {
    hall: hall([SECTION]),
    "game/g3": unread,
    "board/103": board(3),
    "moves/g3": moves("g3"),
  });
  await expect(page.getByTestId("tile")).toHaveCount(1);
  await enlarge(page);
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 740 });
    const body = await page.getByTestId("tile").locator(".body").boundingBox();
    expect(body?.width).toBeGreaterThan(150);
  }
});

test("with large letters the pairings of a round are not wider than a phone", async ({ browser }) => {
  const own = await Daemon.inRound();
  try {
    const page = await own.open(browser, "administrator", { viewport: SIZES.phone });
    await page.goto("/admin#/round");
    await expect(page.getByRole("table")).toBeVisible();
    await enlarge(page);
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 740 });
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sideways).toBeLessThanOrEqual(0);
    }
  } finally {
    await own.end();
  }
});

test("a scoresheet has its times on a phone without scrolling sideways, also with large letters", async ({
  page,
}) => {
  const played = ["Ng1xf3+", "Qa1xb2+", "exd8=Q#"].map((san, place) => ({
    ...moves("g1").moves[0],
    san,
    clk_ms: 5_400_000 - 1000 * place,
    emt_ms: 754_000,
  }));
  const set = { hall: hall([SECTION]), "game/g1": game(1, { plies: 3 }), "board/101": board(1) };
  const players = { 1: { name: "Wolfeschlegelsteinhausenbergerdorff".repeat(3) }, 2: { name: "Bo Berg" } };
  await speak(page, { ...set, "players/open": players, "moves/g1": { ...moves("g1"), moves: played } });
  await page.goto("/admin#/arbiter/g1");
  const cells = page.getByTestId("sheet").getByRole("cell").filter({ hasText: /./ });
  await expect(cells).toHaveCount(9);
  for (const large of [false, true]) {
    if (large) await enlarge(page);
    for (const width of [320, 360, 414, 768]) {
      await page.setViewportSize({ width, height: 740 });
      const boxes = await cells.evaluateAll((all) =>
        all.map((cell) => {
          const { x, y, right, bottom } = cell.getBoundingClientRect();
          return { x, y, right, bottom, over: cell.scrollWidth > cell.clientWidth + 1 };
        }),
      );
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sideways, `${width} px`).toBeLessThanOrEqual(0);
      const sheet = await page.getByTestId("sheet").boundingBox();
      for (const [place, one] of boxes.entries()) {
        const where = `cell ${place} at ${width} px${large ? ", large letters" : ""}`;
        expect(one.over, where).toBe(false);
        expect(one.right, where).toBeLessThanOrEqual((sheet?.x ?? 0) + (sheet?.width ?? 0));
        for (const other of boxes.slice(place + 1)) {
          const apart =
            one.right <= other.x + 1 ||
            other.right <= one.x + 1 ||
            one.bottom <= other.y + 1 ||
            other.bottom <= one.y + 1;
          expect(apart, where).toBe(true);
        }
      }
    }
  }
});
