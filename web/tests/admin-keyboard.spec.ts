/** The keyboard alone: where it is after an action, after the bar is closed, and in logins and accounts. */
import { expect, test, type Locator, type Page } from "@playwright/test";
import { Daemon, PASSWORD } from "./daemon";
import { SECTION, board, game, hall, moves, speak } from "./spoken-dashboard";

const PLAYED = { hall: hall([SECTION]), "game/g1": game(1), "board/101": board(1), "moves/g1": moves("g1") };

/** Presses a button by the keyboard, when the answer is held back until the browser has drawn the disabled button. */
async function press(page: Page, name: string) {
  const button = page.getByRole("button", { name, exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
}

/** Holds each order back until its button is disabled and the browser has drawn it. */
async function slowly(page: Page) {
  await page.route(/\/api\/v1\/admin\/orders/, async (route) => {
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(0)))),
    );
    await route.fallback();
  });
}

const inside = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    return at === document.body
      ? "nowhere"
      : (at?.closest("section")?.querySelector("h2")?.textContent ?? "elsewhere");
  });

test("after an action the keyboard is on the button that was pressed, or in the part where it was", async ({
  page,
}) => {
  const { orders, say } = await speak(page, PLAYED, "/admin#/table/g1");
  await slowly(page);
  await press(page, "Result");
  await press(page, "1-0");
  await expect.poll(() => orders).toHaveLength(1);
  await expect.poll(() => inside(page)).toBe("Tools");

  // The button goes when the table is another one.
  await press(page, "Withdraw from the public");
  await expect.poll(() => orders).toHaveLength(2);
  say({ "game/g1": game(1, { withdrawn: true }), hall: { ...hall([SECTION]), version: 2 } });
  await expect(page.getByRole("button", { name: "Show to the public again" })).toBeVisible();
  await expect.poll(() => inside(page)).toBe("Tools");

  // The bar keeps it, and gives it back where it was.
  const tool = page.getByRole("button", { name: "Players", exact: true });
  await tool.focus();
  await page.getByTestId("bar").getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => orders).toHaveLength(3);
  await expect(page.getByTestId("bar").getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("bar")).toHaveCount(0);
  await expect(tool).toBeFocused();
});

test("typed moves are added by Enter", async ({ page }) => {
  const { orders } = await speak(page, PLAYED, "/admin#/table/g1");
  await page.getByTestId("edit").click();
  await page.getByLabel("Moves to add").fill("e5 Nf3");
  await page.keyboard.press("Enter");
  const edit = { edit: "set", after: 1, moves: [{ san: "e5" }, { san: "Nf3" }], instead_of: 1 };
  await expect.poll(() => orders).toEqual([{ order: "edit_moves", game: "g1", edit }]);
});

test("after a login that ran out the keyboard is in the field that was written in", async ({ browser }) => {
  const daemon = await Daemon.inRound();
  try {
    const page = await daemon.open(browser);
    await page.goto(`/admin#/table/${encodeURIComponent(await daemon.game(1))}`);
    await page.getByTestId("edit").click();
    const field = page.getByLabel("Moves to add");
    await field.fill("e4 e5");
    // The page asks meanwhile whether its session goes on, and is told only after the login that it did not.
    let asked = () => {};
    let refuse = () => {};
    const asking = new Promise<void>((done) => (asked = done));
    const loggedIn = new Promise<void>((done) => (refuse = done));
    await page.route("**/api/v1/admin/session", async (route) => {
      if (route.request().method() !== "GET") return route.fallback();
      asked();
      await loggedIn;
      await route.fulfill({ status: 401 });
    });
    await page.context().clearCookies();
    await page.keyboard.press("Enter");
    await page.getByLabel("Password").fill(PASSWORD);
    await asking;
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    refuse();
    await expect(page.getByTestId("moves")).toContainText("e5");
    await expect(field).toBeFocused();
  } finally {
    await daemon.end();
  }
});

test("on the smallest phones the search says whole what it finds", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await speak(page, PLAYED);
  const field = page.getByRole("searchbox", { name: "Find a table or player" });
  await expect(field).toBeVisible();
  const [words, room] = await field.evaluate((input: HTMLInputElement) => {
    const style = getComputedStyle(input);
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    if (pen === null) return [1, 0];
    pen.font = style.font;
    const room = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return [pen.measureText(input.placeholder).width, room];
  });
  expect(words).toBeLessThan(room as number);
});

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);

test("a page that takes the place of another one, or of a login, has the keyboard", async ({ browser }) => {
  const daemon = await Daemon.paired();
  try {
    await daemon.order({ order: "publish", section: "spring-open", round: 1 });
    const page = await daemon.open(browser);
    await page.goto("/admin#/hall");
    await page.locator("main a[href^='#/table/']").first().focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/#\/table\//);
    await expect.poll(() => focused(page)).toBe("main");

    await page.goto("/admin#/round/spring-open/1");
    await page.getByRole("button", { name: "Load pairings" }).click();
    await page.getByLabel("Or paste a table").fill("Table;White;Black\n3;Evans, Eve;Frank, Ed\n");
    await press(page, "Show what would change");
    await expect(page.getByTestId("preview")).toBeVisible();
    await expect.poll(() => focused(page)).toBe("BUTTON");
    await expect(page.getByRole("button", { name: "Show what would change" })).toBeFocused();

    const stranger = await (await daemon.stranger(browser)).newPage();
    await stranger.goto("/admin");
    await stranger.getByLabel("Name").fill("anna");
    await stranger.getByLabel("Password").fill(PASSWORD);
    await stranger.keyboard.press("Enter");
    await expect(stranger.getByTestId("link")).toContainText("Connected");
    await expect.poll(() => focused(stranger)).toBe("main");
  } finally {
    await daemon.end();
  }
});

test("logins and accounts by the keyboard alone, which is never lost", async ({ browser }) => {
  const daemon = await Daemon.start();
  try {
    await expect.poll(() => daemon.link).not.toBe("");
    const page = await (await daemon.stranger(browser)).newPage();
    const held = () => expect.poll(() => focused(page)).not.toBe("BODY");
    /** Goes forward until this has the keyboard, which is seen there. */
    const comeTo = async (wanted: Locator) => {
      await expect(wanted).toBeVisible();
      const there = () => wanted.evaluate((one) => one === document.activeElement);
      for (let i = 0; i < 80 && !(await there()); i++) await page.keyboard.press("Tab");
      await expect(wanted).toBeFocused();
      expect(await wanted.evaluate((one) => getComputedStyle(one).outlineStyle)).not.toBe("none");
    };
    const type = async (label: string, text: string) => {
      await comeTo(page.getByLabel(label));
      await page.keyboard.type(text);
    };
    const pressed = async (name: string) => {
      await comeTo(page.getByRole("button", { name, exact: true }));
      await page.keyboard.press("Enter");
    };

    await page.goto(daemon.link);
    await expect(page.getByLabel("Name")).toBeFocused();
    await page.keyboard.type("anna");
    await type("Password", PASSWORD);
    await pressed("Create the account");
    await expect(page.getByTestId("link")).toContainText("Connected");
    await expect.poll(() => focused(page)).toBe("main");

    await page.goto("/admin#/event/people");
    await type("Name", "bob");
    await type("Password", PASSWORD);
    await pressed("Add");
    await held();
    await pressed("Remove bob");
    await expect(page.getByRole("button", { name: "Remove bob" })).toHaveCount(0);
    await held();

    await page.goto("/admin#/system");
    await comeTo(page.getByText("Change the password"));
    await page.keyboard.press("Enter");
    await type("Old password", "another four words");
    await type("Password, at least", `${PASSWORD} too`);
    await pressed("Save the new password");
    await expect(page.getByRole("alert")).toBeVisible();
    await held();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("bar")).toBeVisible();
    await held();

    await pressed("Log out");
    await expect(page.getByLabel("Name")).toBeFocused();
    await page.keyboard.type("anna");
    await type("Password", PASSWORD);
    await pressed("Log in");
    await expect(page.getByRole("alert")).not.toBeEmpty();
    await expect(page.getByRole("button", { name: "Log in" })).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type(`${PASSWORD} too`);
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("link")).toContainText("Connected");
    await expect.poll(() => focused(page)).toBe("main");
  } finally {
    await daemon.end();
  }
});
