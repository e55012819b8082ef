/** Operators and arbiters on every page and in every part that opens there: by the keyboard alone, and without findings of axe. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { Daemon } from "./daemon";

const PAGES = [
  "hall",
  "round",
  "results",
  "arbiter",
  "event/sections",
  "event/players",
  "event/follow",
  "event/outputs",
  "event/sources",
  "event/keys",
  "system",
  "log",
  "setup",
  "setup/event",
  "setup/pairings",
  "setup/boards",
  "setup/follow",
  "setup/go",
];
/** What opens a part of a page. */
const OPENS =
  "main button[aria-expanded=false], main summary, main [role=group] button[aria-pressed=false], main [data-testid=edit]";
/** Of parts that differ in numbers alone, such as the tools of each pairing, one is opened. */
const MOST_PARTS = 4;
/** So often Tab is pressed before it is asked what is left. */
const STEPS = 12;

let daemon: Daemon;
let pages: string[];
test.beforeAll(async () => {
  daemon = await Daemon.rehearse("--boards", "6", "--speed", "3", "--faults", "some");
  const { sections } = (await daemon.api("GET", "/hall")) as { sections: { section: string }[] };
  const path = `/sections/${sections[0]?.section}/rounds/1`;
  const { round } = (await daemon.api("GET", path)) as { round: { games: { id: string }[] } };
  const game = encodeURIComponent(round.games[2]?.id ?? "");
  pages = [...PAGES, `table/${game}`, `arbiter/${game}`];
});
test.afterEach(async () => daemon.close());
test.afterAll(async () => daemon.end());

async function open(page: Page, address: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(`/admin#/${address}`);
  await expect(page.getByTestId("link")).toContainText("Connected");
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
}

/** The names of what opens parts, with the place of each; numbers are left out. */
const parts = (page: Page) =>
  page.locator(OPENS).evaluateAll((all) => {
    const found = new Map<string, number>();
    for (const [place, one] of all.entries()) {
      const name = (one.getAttribute("aria-label") ?? one.textContent).replace(/\d+/g, "").trim();
      if (!found.has(name)) found.set(name, place);
    }
    return [...found];
  });

/** Goes through the whole page by Tab: what it did not reach, and where the keyboard is not seen. */
async function walk(page: Page, back = false): Promise<string[]> {
  await page.evaluate(() => {
    const seen = (one: Element) =>
      one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false });
    const all = document.querySelectorAll<HTMLElement>(
      "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, summary",
    );
    const wanted = new Set([...all].filter((one) => one.tabIndex >= 0 && seen(one)));
    const faults: string[] = [];
    const nameOf = (one: Element) =>
      `${one.tagName} ${one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 40)}`;
    /** Whether a part of it is neither below a bar nor out of the window. */
    const uncovered = (one: Element) =>
      [...one.getClientRects()].some(({ left, top, right, bottom }) =>
        [0.1, 0.5, 0.9].some((x) =>
          [0.1, 0.5, 0.9].some((y) => {
            const at = document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y);
            return at !== null && (one.contains(at) || at.contains(one));
          }),
        ),
      );
    document.addEventListener("focusin", ({ target }) => {
      if (!(target instanceof HTMLElement)) return;
      wanted.delete(target);
      const { outlineStyle, outlineWidth } = getComputedStyle(target);
      if (outlineStyle === "none" || parseFloat(outlineWidth) === 0)
        faults.push(`no outline: ${nameOf(target)}`);
      if (!uncovered(target)) faults.push(`covered: ${nameOf(target)}`);
    });
    (document.activeElement as HTMLElement | null)?.blur();
    // What goes while the games go on is not reached, and need not be.
    const left = () => [...wanted].filter((one) => one.isConnected && seen(one) && !one.matches(":disabled"));
    Object.assign(window, {
      walked: () => [...faults, ...left().map((one) => `not reached: ${nameOf(one)}`)],
      left: () => left().length,
    });
  });
  const ask = <T>(name: string) =>
    page.evaluate((name) => (window as unknown as Record<string, () => T>)[name]?.(), name);
  let count = 0;
  while (count < 400 && ((await ask<number>("left")) ?? 0) > 0) {
    for (const until = count + STEPS; count < until; count++) await page.keyboard.press("Tab");
  }
  // Also back, where the head of the page is.
  if (back) for (; count > 0; count--) await page.keyboard.press("Shift+Tab");
  return (await ask<string[]>("walked")) ?? [];
}

async function check(page: Page, name: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect
    .soft(
      violations.map((one) => `${one.id}: ${one.nodes[0]?.html}`),
      name,
    )
    .toEqual([]);
}

for (const [role, viewport, colorScheme] of [
  ["operator", { width: 1280, height: 900 }, "light"],
  ["arbiter", { width: 360, height: 740 }, "dark"],
] as const) {
  test(`every page and every part that opens, ${role}`, async ({ browser }) => {
    test.setTimeout(600_000);
    const page = await daemon.open(browser, role, { viewport, colorScheme });
    for (const address of pages) {
      await open(page, address);
      await check(page, `${role}, ${address}`);
      expect.soft(await walk(page, true), `${role}, ${address}`).toEqual([]);
      for (const [name, place] of (await parts(page)).slice(0, MOST_PARTS)) {
        await open(page, address);
        const opener = page.locator(OPENS).nth(place);
        if ((await opener.count()) === 0) continue;
        await opener.focus();
        await page.keyboard.press("Enter");
        await check(page, `${role}, ${address}, ${name}`);
        expect.soft(await walk(page), `${role}, ${address}, ${name}`).toEqual([]);
      }
    }
  });
}
