/** The dashboard with several sections, on a phone, with large letters and on paper. */
import { expect, test, type Page } from "@playwright/test";
import { SECTION, board, game, hall, moves, speak } from "./spoken-dashboard";

const YOUTH = {
  ...SECTION,
  section: "youth",
  settings: { ...SECTION.settings, name: "Youth of the federation" },
};
const PAIRLESS = {
  ...SECTION,
  section: "live-games",
  settings: { ...SECTION.settings, name: "Live games", open_play: true },
  rounds: [],
};

/** Two sections that both have tables 1 and 2. */
const TWO = {
  hall: hall([SECTION, YOUTH]),
  "players/open": { 1: { name: "Adler, Ida" }, 2: { name: "Bos, Jan" } },
  "players/youth": { 1: { name: "Clark, Ann" }, 2: { name: "Davis, Tom" } },
  "game/g1": game(1),
  "game/g2": game(2),
  "game/y1": game(1, { id: "y1", section: "youth", board: null }),
  "game/y2": game(2, { id: "y2", section: "youth", board: null }),
  "board/101": board(1),
  "board/102": board(2),
  "moves/g1": moves("g1"),
};

/** Letters twice as large, as a person may choose them on a phone. */
const enlarge = (page: Page) =>
  page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%", "important"));
const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test("tables of the same number in two sections stand below the names of their sections", async ({
  page,
}) => {
  await speak(page, TWO);
  const fine = page.getByTestId("fine");
  await fine.getByRole("button", { name: "Numbers" }).click();
  await expect(fine.getByTestId("section")).toHaveText(["Open · 2", "Youth of the federation · 2"]);
  await expect(fine.getByTestId("small")).toHaveCount(4);
  const order = await fine
    .locator("h3, a")
    .evaluateAll((all) =>
      all.map((one) => one.getAttribute("href") ?? one.textContent?.trim().split(" ")[0]),
    );
  expect(order).toEqual(["Open", "#/table/g1", "#/table/g2", "Youth", "#/table/y1", "#/table/y2"]);
  await page.getByRole("searchbox").fill("2");
  await expect(fine.getByTestId("section")).toHaveText(["Open · 1", "Youth of the federation · 1"]);
  await page.getByRole("searchbox").fill("clark");
  await expect(fine.getByTestId("section")).toHaveText(["Youth of the federation · 1"]);
});

test("boards that belong to no section stand below the sections", async ({ page }) => {
  await speak(page, { ...TWO, "board/103": board(3, { game: null }) });
  const fine = page.getByTestId("fine");
  await expect(fine.getByTestId("section")).toHaveText([
    "Open · 2",
    "Youth of the federation · 2",
    "Other boards · 1",
  ]);
});

test("games without pairings are named in the hall only where there is no other section", async ({
  page,
}) => {
  const { say } = await speak(page, { hall: hall([PAIRLESS]) });
  await expect(page.getByText("Live games · no rounds yet")).toBeVisible();
  say({ hall: hall([PAIRLESS, SECTION]) });
  await expect(page.getByRole("link", { name: "Round 1" })).toBeVisible();
  await expect(page.getByText("no rounds yet")).toHaveCount(0);
});

test("the arbiter's page without a game says when there will be one", async ({ page }) => {
  const { say } = await speak(page, { hall: hall([SECTION]) }, "/admin#/arbiter");
  await expect(page.getByText("No game yet. Games appear here")).toBeVisible();
  say({ "game/g1": game(1), "board/101": board(1) });
  await page.getByRole("searchbox").fill("Zugzwang");
  await expect(page.getByText("No table or player with this name.")).toBeVisible();
});

for (const language of ["en", "de", "pl"]) {
  test(`the head of a table's page stays within a phone with large letters, ${language}`, async ({
    page,
  }) => {
    await page.addInitScript((one) => localStorage.setItem("boardcast-language", one), language);
    await page.setViewportSize({ width: 360, height: 740 });
    await speak(page, TWO, "/admin#/table/g1");
    await expect(page.locator("h1")).toBeVisible();
    await enlarge(page);
    const parts = page.locator(".head > *, .head .ends > *");
    await expect(page.locator(".ends a")).toHaveCount(2);
    const outside = () =>
      parts.evaluateAll(
        (all) => all.filter((one) => one.getBoundingClientRect().right > innerWidth - 8).length,
      );
    expect(await outside()).toBe(0);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
  });
}

test("an adjourned game says how it goes on, and on paper its table has no buttons", async ({ page }) => {
  await speak(page, { ...TWO, "game/g1": game(1, { state: "adjourned" }) }, "/admin#/table/g1");
  await expect(page.getByTestId("state")).toContainText("Resume it with the tools below");
  const resume = page.getByRole("button", { name: "Resume the game" });
  await expect(resume).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(resume).toBeHidden();
  await expect(page.getByTestId("moves")).toContainText("e4");
});

test("a long game that is printed while its list still comes is on paper whole", async ({ page }) => {
  const plies = 400;
  const played = Array.from({ length: plies }, () => moves("g1").moves[0]);
  const set = { ...TWO, "game/g1": game(1, { plies }), "moves/g1": { ...moves("g1"), moves: played } };
  await speak(page, set, "/admin#/arbiter/g1");
  const counts = await page.waitForFunction(() => {
    const rows = () => document.querySelectorAll("[data-testid=sheet] tbody tr").length;
    const before = rows();
    if (before === 0) return null;
    dispatchEvent(new Event("beforeprint"));
    return [before, rows()];
  });
  const [before, after] = (await counts.jsonValue()) ?? [];
  expect(before).toBeLessThan(plies / 2);
  expect(after).toBe(plies / 2);
});

test("a name that is longer than the daemon takes is said beside its field, whole, and is not sent", async ({
  page,
}) => {
  const settings = { ...SECTION.settings, doubt_rule: "confirmed" };
  const { orders } = await speak(
    page,
    { ...TWO, hall: hall([{ ...SECTION, settings }]) },
    "/admin#/event/sections",
  );
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const name = page.getByLabel("Name of the section");
  await name.fill("é".repeat(121));
  await expect(name).toHaveValue("é".repeat(121));
  await expect(name).toHaveAccessibleDescription("At most 120 characters; these are 121.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(name).toBeFocused();
  expect(orders).toEqual([]);
  await name.fill("é".repeat(120));
  await expect(name).toHaveAccessibleDescription("");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => orders).toHaveLength(1);
});

test("the chosen delay is read whole on a phone in every language", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const language of ["en", "de", "es", "fr", "it", "pl"]) {
    await page.addInitScript((language) => localStorage.setItem("boardcast-language", language), language);
    await page.goto("about:blank");
    await speak(page, { ...TWO, hall: hall([SECTION]) }, "/admin#/event/sections");
    await page.locator("main .card button").first().click();
    const select = page.locator("select").filter({ has: page.locator("option[value=until_over]") });
    for (const value of ["", "600", "until_over"]) {
      await select.selectOption(value);
      const room = await select.evaluate((element: HTMLSelectElement) => {
        const style = getComputedStyle(element);
        const canvas = document.createElement("canvas").getContext("2d");
        if (canvas === null) return 0;
        canvas.font = style.font;
        const words = canvas.measureText(element.selectedOptions[0]?.text ?? "").width;
        // The browser draws its arrow in 16 pixels.
        return (
          element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16 - words
        );
      });
      expect(room, `${language} «${value}»`).toBeGreaterThanOrEqual(0);
    }
  }
});

test("the time zones come in parts, the chosen one first, and are all there for who opens the list", async ({
  page,
}) => {
  await speak(page, { ...TWO, hall: hall([SECTION]) }, "/admin#/event/sections");
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const zones = page.getByLabel("Time zone of the venue");
  await expect(zones).toHaveValue("UTC");
  await expect.poll(() => zones.locator("option").count()).toBeGreaterThan(400);
  await expect(zones).toHaveValue("UTC");
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await expect(zones).toHaveCount(0);
  const counts = await page
    .getByRole("button", { name: "Settings", exact: true })
    .evaluate(async (button: HTMLElement) => {
      const found = () => [...document.querySelectorAll("select")].find(({ value }) => value === "UTC");
      const there = new Promise<void>((done) => {
        new MutationObserver((_, observer) => {
          if (found() === undefined) return;
          observer.disconnect();
          done();
        }).observe(document.body, { childList: true, subtree: true });
      });
      button.click();
      await there;
      const select = found();
      const before = select?.options.length ?? 0;
      select?.dispatchEvent(new PointerEvent("pointerdown"));
      const options = [...(select?.options ?? [])].map(({ value }) => value);
      return { before, after: options.length };
    });
  expect(counts.before).toBeGreaterThan(0);
  expect(counts.before).toBeLessThan(300);
  expect(counts.after).toBeGreaterThan(400);
});
