/** The public pages on paper. */
import { expect } from "@playwright/test";
import { started, test } from "./rehearsed";

/** Width of A4 between its margins, in CSS pixels. */
const PAPER = 718;

test("on paper every board of the round is drawn, and none is cut", async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 400 });
  await started(page);
  await page.goto("/");
  await expect(page.locator(".tile")).toHaveCount(16);
  await page.emulateMedia({ media: "print" });
  // As the browser prints: from the window as it is, without a script between this event and the paper.
  const printed = await page.evaluate((paper) => {
    dispatchEvent(new Event("beforeprint"));
    document.body.style.width = `${paper}px`;
    const tiles = [...document.querySelectorAll(".tile")];
    return {
      boards: tiles.filter((tile) => tile.querySelectorAll("piece.king").length === 2).length,
      right: Math.max(...tiles.map((tile) => tile.getBoundingClientRect().right)),
    };
  }, PAPER);
  expect(printed.boards).toBe(16);
  expect(printed.right).toBeLessThanOrEqual(PAPER);
});

test("on paper a game has all its moves and no tools", async ({ page }) => {
  const game = await started(page);
  await page.goto(`/#/game/${encodeURIComponent(game.game)}`);
  await expect(page.locator(".list")).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".list")).toHaveCSS("overflow-y", "visible");
  await expect(page.getByText("Copy PGN")).toBeHidden();
  const kept = page.locator(".table .cg-wrap");
  await expect(kept).toHaveCSS("print-color-adjust", "exact");
});

test("on paper names are whole, and nothing is there to press", async ({ page }) => {
  const game = await started(page);
  const cut = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => {
        one.textContent = "Wolfeschlegelsteinhausenbergerdorff, Hubert ".repeat(5);
        const { bottom } = one.getBoundingClientRect();
        const within = one.parentElement?.getBoundingClientRect().bottom ?? 0;
        return one.scrollWidth > one.clientWidth || bottom > within + 1;
      });
  await page.emulateMedia({ media: "print" });
  await page.goto(`/#/game/${encodeURIComponent(game.game)}`);
  await expect(page.locator(".list")).toBeVisible();
  expect(await cut(".table .words"), "the name of a player").toBe(false);
  expect(await cut("header h1"), "the name of the event").toBe(false);
  await expect(page.locator(".button:visible")).toHaveCount(0);
  await page.goto("/");
  await expect(page.locator(".tile").first()).toBeVisible();
  expect(await cut(".tile .words"), "the name of a player below a board").toBe(false);
});
