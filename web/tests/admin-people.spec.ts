/** People before the dashboard, with a real daemon: roles, sessions, changes of two people, names of players. */
import { expect, test, type Page, type WebSocketRoute } from "@playwright/test";
import { Daemon, PASSWORD } from "./daemon";

let daemon: Daemon;
test.afterEach(async () => daemon.end());

test("a session that ends keeps what was typed, and the action goes on after the login", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/round/spring-open/1");
  await page.getByRole("button", { name: "By hand" }).click();
  await page.getByLabel("Name: Last, First").fill("Evans, Eve");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("The session has ended");
  await dialog.getByLabel("Password").fill("a wrong password");
  await dialog.getByRole("button", { name: "Log in" }).click();
  await expect(dialog).toContainText("Name or password is wrong");
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Log in" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTestId("bar")).toContainText("Evans, Eve is added");
});

test("the daemon restarts and the page comes back by itself", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const page = await daemon.open(browser);
  await expect(page.getByTestId("tile").or(page.getByTestId("small")).first()).toBeVisible();
  await daemon.stop();
  await expect(page.getByTestId("link")).toContainText("Connecting again");
  await expect(page.getByRole("alert")).toContainText("No connection to the daemon");
  await daemon.run();
  await expect(page.getByTestId("link")).toContainText("Connected");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("each role sees what it may do", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const game = await daemon.game(1);
  const viewer = await daemon.open(browser, "viewer");
  await expect(viewer.getByRole("link", { name: "Results" })).toHaveCount(0);
  await viewer.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await expect(viewer.getByTestId("state")).toBeVisible();
  await expect(viewer.getByRole("heading", { name: "Tools" })).toHaveCount(0);
  await expect(viewer.getByTestId("edit")).toHaveCount(0);

  const arbiter = await daemon.open(browser, "arbiter");
  await arbiter.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await expect(arbiter.getByRole("button", { name: "Result", exact: true })).toBeVisible();
  await expect(arbiter.getByRole("button", { name: "Withdraw" })).toHaveCount(0);
  await arbiter.goto("/admin#/event");
  await expect(arbiter.getByRole("button", { name: "People" })).toHaveCount(0);

  await arbiter.goto("/admin#/arbiter");
  await expect(arbiter.getByText("No alarm for the arbiter.")).toBeVisible();

  // Who is not told of alarms about games does not read that there are none.
  const operator = await daemon.open(browser, "operator");
  await operator.goto("/admin#/arbiter");
  await expect(operator.getByText("shown to arbiters and administrators alone")).toBeVisible();
  await expect(operator.getByText("No alarm for the arbiter.")).toHaveCount(0);

  const administrator = await daemon.open(browser);
  await administrator.goto("/admin#/event");
  await administrator.getByRole("button", { name: "People" }).click();
  await expect(administrator.getByLabel("Role of arbiter")).toHaveValue("arbiter");
});

test("two people at the same settings: the slower one is told by whom, and chooses", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const [anna, ben] = [await daemon.open(browser), await daemon.open(browser, "operator")];
  const edit = (page: Page) =>
    page
      .locator("section")
      .filter({ hasText: "Spring Open" })
      .getByRole("button", { name: "Settings" })
      .click();
  for (const page of [anna, ben]) {
    await page.goto("/admin#/event");
    await edit(page);
  }
  await ben.getByLabel("Place").fill("Ostrava");
  await anna.getByLabel("Place").fill("Brno");
  await anna.getByRole("button", { name: "Save" }).click();
  await expect(anna.getByTestId("bar")).toContainText("saved");
  await expect(ben.getByText("Another person has changed these values since")).toBeVisible();
  await ben.getByRole("button", { name: "Save" }).click();
  const bar = ben.getByTestId("bar");
  await expect(bar).toContainText(
    /anna changed this at \d\d:\d\d \(section "spring-open": settings changed\)/,
  );
  await expect(ben.getByLabel("Place")).toHaveValue("Ostrava");
  await ben.getByTestId("keep-mine").click();
  await expect(bar).toContainText("saved");
  await bar.getByRole("button", { name: "Close" }).click();

  // Now Anna is the slower one, and keeps what Ben saved. While she has typed nothing, her form follows his.
  await edit(anna);
  await expect(anna.getByLabel("Place")).toHaveValue("Ostrava");
  await anna.getByLabel("Place").fill("Opava");
  await edit(ben);
  await ben.getByLabel("Place").fill("Olomouc");
  await ben.getByRole("button", { name: "Save" }).click();
  await expect(bar).toContainText("saved");
  await anna.getByRole("button", { name: "Save" }).click();
  await anna.getByTestId("keep-theirs").click();
  await expect(anna.getByLabel("Place")).toHaveValue("Olomouc");
});

test("a player is corrected and hidden from the public", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const game = await daemon.game(1);
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "d4" }] } });
  const pgn = async () => (await fetch(`${daemon.url}/pgn/spring-open/round-1/games.pgn`)).text();
  await expect.poll(pgn).toContain("Adler, Ida");
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/event");
  await page.getByRole("button", { name: "Players" }).click();
  await page.getByRole("button", { name: "Correct Adler, Ida" }).click();
  await page.getByLabel("Name: Last, First").fill("Adler, Ina");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(pgn).toContain("Adler, Ina");
  await page.getByLabel("What viewers see of Adler, Ina").selectOption("hidden");
  await expect.poll(pgn).not.toContain("Adler");
});

/** Holds the next order of the page until the returned function is called. */
async function slow(page: Page): Promise<() => void> {
  let go = () => {};
  const free = new Promise<void>((freed) => (go = freed));
  await page.route("**/orders*", async (route) => {
    await free;
    await route.continue();
  });
  return () => go();
}

test("what is typed while an answer is on its way stays", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/round/spring-open/1");
  await page.getByRole("button", { name: "By hand" }).click();
  const name = page.getByLabel("Name: Last, First");
  await name.fill("Eng, Kim");
  let answer = await slow(page);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await name.fill("Frank, Leo");
  answer();
  await expect(page.getByTestId("bar")).toContainText("Eng, Kim");
  await expect(name).toHaveValue("Frank, Leo");
  await page.unroute("**/orders*");

  await page.goto("/admin#/event/players");
  await page.getByRole("button", { name: "Correct Adler, Ida" }).click();
  await name.fill("Adler, Ina");
  answer = await slow(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Correct Bos, Jan" }).click();
  await name.fill("Bos, Jon");
  answer();
  await expect(page.getByTestId("bar")).toContainText("The player is corrected");
  await expect(page.getByText("Adler, Ina").first()).toBeVisible();
  await expect(name).toHaveValue("Bos, Jon");
});

test("an answer that is lost is not called a change that was not made", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const game = await daemon.game(1);
  const page = await daemon.open(browser, "arbiter");
  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await page.route(/\/orders/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("main").getByRole("button", { name: "Result", exact: true }).click();
  await page.getByRole("button", { name: "1-0" }).click();
  await expect(page.getByTestId("bar")).toContainText("Whether this was carried out is not known");
  await expect(page.getByRole("main").getByText("finished")).toBeVisible();
});

test("a page that did not arrive comes by itself when the daemon is reached again", async ({ browser }) => {
  daemon = await Daemon.start();
  const page = await daemon.open(browser);
  let socket: WebSocketRoute | undefined;
  await page.routeWebSocket(/\/live/, (opened) => {
    opened.connectToServer();
    socket = opened;
  });
  await page.reload();
  await expect(page.getByTestId("link")).toContainText("Connected");
  await page.route(/\/assets\/System/, (route) => route.abort());
  await page.getByRole("link", { name: "System" }).click();
  await expect(page.getByRole("alert")).toContainText("did not arrive");
  await page.unroute(/\/assets\/System/);
  await socket?.close();
  await expect(page.getByRole("heading", { name: "Daemon" })).toBeVisible();
});

test("a move that is written into the check of a claim outlasts a lost connection", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const game = await daemon.game(1);
  const page = await daemon.open(browser, "arbiter");
  let socket: WebSocketRoute | undefined;
  let connections = 0;
  await page.routeWebSocket(/\/live/, (opened) => {
    opened.connectToServer();
    socket = opened;
    connections += 1;
  });
  await page.goto(`/admin#/arbiter/${encodeURIComponent(game)}`);
  await page.reload();
  const written = page.getByTestId("claims").getByRole("textbox");
  await written.fill("Nf3");
  await written.evaluate((field) => (field.dataset["kept"] = "yes"));
  await socket?.close();
  await expect.poll(() => connections).toBe(2);
  await expect(page.getByTestId("link")).toContainText("Connected");
  // A move comes over the new connection.
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "e4" }] } });
  await expect(page.getByTestId("sheet")).toContainText("e4");
  await expect(written).toHaveValue("Nf3");
  await expect(written).toHaveAttribute("data-kept", "yes");
});
