/** Every public page on phone and desktop, light and dark: no findings of axe, and nothing sideways. */
import AxeBuilder from "@axe-core/playwright";
import { expect } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { started, test } from "./rehearsed";

/** Where pictures of all pages are put, if somewhere. */
const PICTURES = process.env["BOARDCAST_PICTURES"];
const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const PAGES = {
  hall: "/",
  game: "game",
  "game-page": "/game/",
  embed: "/embed/game/",
  "embed-round": "/embed/round/current",
  overlay: "/overlay/board/auto",
  players: "/overlay/players/1",
  wall: "/overlay/wall?n=6",
  ticker: "/overlay/ticker",
  screen: "/screen",
  standings: "/#/standings",
};

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`all public pages, ${size}, ${colorScheme}: axe, nothing sideways`, async ({ browser, baseURL }) => {
      test.setTimeout(180_000);
      const context = await browser.newContext({
        viewport,
        colorScheme,
        baseURL: baseURL ?? "",
        locale: "en",
      });
      const page = await context.newPage();
      const game = await started(page);
      const id = encodeURIComponent(game.game);
      for (const [name, path] of Object.entries(PAGES)) {
        await page.goto("about:blank");
        await page.goto(
          name === "game" ? `/#/game/${id}` : path.endsWith("/") && path !== "/" ? path + id : path,
        );
        await expect(
          page.locator("piece.king, .players, .ticker, [data-testid=standings]").first(),
        ).toBeAttached();
        if (name === "game") {
          await page.getByRole("button", { name: "Clocks and time per move" }).click();
          await expect(page.getByTestId("plot").locator("canvas")).toHaveCount(2);
        }
        const found = await new AxeBuilder({ page }).analyze();
        expect
          .soft(
            found.violations.map((one) => `${one.id}: ${one.nodes[0]?.html}`),
            name,
          )
          .toEqual([]);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect.soft(sideways, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
        if (PICTURES !== undefined) {
          mkdirSync(PICTURES, { recursive: true });
          await page.screenshot({ path: `${PICTURES}/${name}-${size}-${colorScheme}.png` });
        }
      }
      await context.close();
    });
  }
}
