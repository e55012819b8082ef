/** The organiser before the dashboard, with a real daemon: from the printed link to a corrected move. */
import { expect, test, type Page } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Daemon, PAIRINGS, PASSWORD } from "./daemon";

let daemon: Daemon;
test.afterEach(async () => daemon.end());

test("from the printed link to the first live move", async ({ browser }) => {
  daemon = await Daemon.start();
  await expect.poll(() => daemon.link).toContain("/admin/first#");
  const context = await daemon.stranger(browser, { viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    addEventListener("click", () => {
      sessionStorage.setItem("taps", String(Number(sessionStorage.getItem("taps") ?? 0) + 1));
    });
  });
  await page.goto(daemon.link);
  await page.getByLabel("Name").fill("Anna");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.getByRole("button", { name: "A tournament" }).click();
  await page.getByLabel("Name of the section").fill("Spring Open");
  await page.getByLabel("Time control").fill("5400+30");
  await page.getByRole("button", { name: "Create the section" }).click();
  await page
    .getByLabel("Or paste a table")
    .fill("Table;White;Black\n1;Adler, Ida;Bos, Jan\n2;Clark, Ann;Davis, Tom\n");
  await page.getByRole("button", { name: "Show what would change" }).click();
  await expect(page.getByTestId("preview")).toContainText("Round 1: new, number of games: 2.");
  await page.getByRole("button", { name: /^Load$|It is right/ }).click();
  await expect(page.getByText("Round 1 has 2 games")).toBeVisible();
  await page.getByRole("link", { name: "Go", exact: false }).last().click();
  await page.getByRole("button", { name: "Publish the round" }).click();
  await expect(page.getByTestId("setup-live")).toContainText("Round 1 is live");
  daemon.connect("--boards", "2", "--speed", "6");
  await page.getByRole("link", { name: "Boards", exact: false }).click();
  await expect(page.getByLabel("Board of table 1").locator("option")).toHaveCount(3);
  await page.getByRole("button", { name: "Use the order of serial numbers" }).click();
  await page.getByRole("link", { name: "Hall", exact: true }).click();
  await expect(page.locator("[data-state=playing]")).toHaveCount(2);
  const viewer = await context.newPage();
  await viewer.goto(`${daemon.url}/`);
  await expect(viewer.getByTestId("news").first()).toHaveText(/^\d+\.(\.\.)? \S/);
  const taps = Number(await page.evaluate(() => sessionStorage.getItem("taps")));
  console.log(`first set-up to the first live move: ${taps} taps`);
  expect(taps).toBeLessThanOrEqual(12);
});

test("a wrong move is corrected while a viewer watches, and undone", async ({ browser }) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const game = await daemon.game(1);
  const moves = ["e4", "e5", "Nf3"].map((san) => ({ san }));
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves } });
  const viewer = await (await daemon.stranger(browser)).newPage();
  await viewer.goto(`${daemon.url}/#/game/${game}`);
  await expect(viewer.getByTestId("moves")).toContainText("Nf3");

  const page = await daemon.open(browser, "arbiter");
  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await page.getByRole("button", { name: "Edit moves" }).click();
  await page.getByTestId("moves").getByRole("button", { name: /^e5/ }).click();
  await page.getByLabel("Moves after ply 2").fill("Nc3");
  await page.getByRole("button", { name: "Replace the later moves" }).click();
  await expect(page.getByTestId("bar")).toContainText("Viewers see it");
  await expect(viewer.getByTestId("moves")).toContainText("Nc3");
  await expect(viewer.getByTestId("moves")).not.toContainText("Nf3");
  await page.getByTestId("bar").getByRole("button", { name: "Undo" }).click();
  await expect(viewer.getByTestId("moves")).toContainText("Nf3");
  await expect(page.getByTestId("bar")).toContainText("Undone");

  await page.getByLabel("Moves to add").fill("Nf3 Ke8");
  await expect(page.getByText("Nf3 is not a legal move here")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add these moves" })).toBeDisabled();
});

test("a wrong move is corrected by two taps, with and without loss of later moves, and undone by one", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const game = await daemon.game(1);
  const moves = ["e4", "e5", "Nf3", "Nc6", "Bb5"].map((san) => ({ san }));
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves } });
  const viewer = await (await daemon.stranger(browser)).newPage();
  await viewer.goto(`${daemon.url}/#/game/${game}`);
  const seen = viewer.getByTestId("moves");
  await expect(seen).toContainText("Bb5");

  const page = await daemon.open(browser, "arbiter");
  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  const list = page.getByTestId("moves");
  const panel = page.getByTestId("correct");
  const undo = page.getByTestId("bar").getByRole("button", { name: "Undo" });
  await list.getByRole("button", { name: /^Nf3/ }).click();
  await panel.getByRole("button", { name: "Nh3", exact: true }).click();
  await expect(seen).toContainText("Nh3");
  await expect(seen).toContainText("Bb5");
  await expect(panel).toHaveCount(0);
  await undo.click();
  await expect(seen).toContainText("Nf3");
  await expect(seen).not.toContainText("Nh3");

  await list.getByRole("button", { name: /^Nf3/ }).click();
  await panel.getByRole("button", { name: "Ne2, deletes later moves: 1" }).click();
  await expect(seen).toContainText("Ne2");
  await expect(seen).not.toContainText("Bb5");
  await undo.click();
  await expect(seen).toContainText("Nf3");
  await expect(seen).toContainText("Bb5");

  // The list of offers stays with its move while the game goes on.
  await list.getByRole("button", { name: /^Bb5/ }).click();
  await expect(panel).toContainText("instead of Bb5");
  await daemon.order({
    order: "edit_moves",
    game,
    edit: { edit: "set", after: 5, moves: [{ san: "a6" }] },
  });
  await expect(list).toContainText("a6");
  await expect(list.locator("[aria-current=step]")).toContainText("Bb5");
  await expect(panel.getByRole("button", { name: "Bc4", exact: true })).toBeVisible();
  await panel.getByRole("button", { name: "Close" }).click();
  await expect(panel).toHaveCount(0);
  await expect(list.locator("[aria-current=step]")).toContainText("a6");

  // On a phone, too, a second tap on the same place is none on a move that is offered: the page does not scroll under the thumb.
  await page.setViewportSize({ width: 390, height: 844 });
  const last = list.getByRole("button", { name: /^a6/ });
  await last.evaluate((button) => button.scrollIntoView({ block: "center" }));
  const at = (await last.boundingBox())?.y;
  await last.click();
  await expect(panel).toContainText("instead of a6");
  expect((await last.boundingBox())?.y).toBe(at);
  await panel.getByRole("button", { name: "Close" }).click();

  // Looking through the game with the buttons below the list offers nothing that changes it.
  await page.getByRole("button", { name: "One move back" }).click();
  await expect(panel).toHaveCount(0);
});

test("a move is made on the board by the keyboard of the list and the mouse", async ({ browser }) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const game = await daemon.game(2);
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "d4" }] } });
  const page = await daemon.open(browser, "operator");
  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await expect(page.getByTestId("moves")).toContainText("d4");
  await page.getByRole("button", { name: "Edit moves" }).click();
  const board = page.getByRole("img", { name: "As it is recorded" });
  const box = (await board.boundingBox()) ?? { x: 0, y: 0, width: 0 };
  const square = (name: string) => ({
    x: box.x + ((name.charCodeAt(0) - 97 + 0.5) * box.width) / 8,
    y: box.y + ((8.5 - Number(name[1])) * box.width) / 8,
  });
  const [from, to] = [square("d7"), square("d5")];
  await page.mouse.click(from.x, from.y);
  await page.mouse.click(to.x, to.y);
  await expect(page.getByTestId("moves")).toContainText("d5");
  await expect(page.getByTestId("bar")).toContainText("Recorded: d5");
});

test("pairings, boards, ready check, round, result, next round", async ({ browser }) => {
  daemon = await Daemon.start();
  const settings = { name: "Spring Open", zone: "Europe/Prague" };
  await daemon.order({ order: "set_section", section: "spring-open", settings });
  daemon.connect("--boards", "2", "--speed", "0.05", "--regardless");
  const page = await daemon.open(browser, "operator");
  await page.getByRole("link", { name: "Rounds" }).click();
  await page.getByTestId("files").setInputFiles({
    name: "round-1.pgn",
    mimeType: "text/plain",
    buffer: Buffer.from(PAIRINGS + PAIRINGS.replaceAll('"1.', '"2.').replaceAll("Adler, Ida", "Evans, Eve")),
  });
  await expect(page.getByTestId("preview")).toContainText("Round 2: new, number of games: 2.");
  await page.getByRole("button", { name: /^Load$|It is right/ }).click();
  await expect(page.getByTestId("round-state")).toContainText("not published");

  await page.getByRole("button", { name: "Boards", exact: true }).click();
  const first = page.getByLabel("Board of table 1");
  await expect(first.locator("option")).toHaveCount(3);
  await page.getByRole("button", { name: "Use the order of serial numbers" }).click();
  await expect(page.getByTestId("bar")).toContainText("serial numbers");
  await first.selectOption("");
  await expect(page.getByTestId("bar")).toContainText("Table 1 has no board");
  await page.getByTestId("bar").getByRole("button", { name: "Undo" }).click();
  await expect(first).not.toHaveValue("");

  await page.getByRole("button", { name: "Ready check" }).click();
  await expect(page.getByTestId("ready").getByRole("status")).toBeVisible();
  await page.getByRole("button", { name: "Publish the round" }).click();
  await expect(page.getByTestId("round-state")).toContainText(/ready to start|running/);
  const published = (await (await fetch(`${daemon.url}/pgn/spring-open/round-1/games.pgn`)).text()) || "";
  expect(published).toContain("Adler, Ida");

  await page.getByRole("link", { name: "Results" }).click();
  await page.getByTestId("desk-table").fill("2");
  await expect(page.getByTestId("desk-game")).toContainText("Clark, Ann – Davis, Tom");
  await page.getByTestId("desk-table").press("Enter");
  await page.getByTestId("desk-result").press("=");
  await expect(page.getByTestId("bar")).toContainText("Table 2: ½-½");
  await expect(page.getByTestId("desk-table")).toBeFocused();
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await page.keyboard.press("1");
  await expect(page.getByTestId("bar")).toContainText("Table 1: 1-0");

  await page.getByRole("link", { name: "Rounds" }).click();
  await page.getByRole("link", { name: "Round 1" }).click();
  await expect(page.getByTestId("round-state")).toContainText("finished");
  await page.getByRole("link", { name: "Go on to Round 2" }).click();
  await expect(page.getByTestId("round-state")).toContainText("not published");
});

test("the part of a round that was chosen while pairings were loading stays open", async ({ browser }) => {
  daemon = await Daemon.start();
  await daemon.order({ order: "set_section", section: "spring-open", settings: { name: "Spring Open" } });
  const page = await daemon.open(browser, "operator");
  // The daemon has done it and the hall shows it, but the answer is still on its way.
  let arrive = () => {};
  const held = new Promise<void>((done) => (arrive = done));
  await page.route("**/pairings?confirm=*", async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  await page.getByRole("link", { name: "Rounds" }).click();
  await page
    .getByTestId("files")
    .setInputFiles({ name: "round-1.pgn", mimeType: "text/plain", buffer: Buffer.from(PAIRINGS) });
  await page.getByRole("button", { name: /^Load$|It is right/ }).click();
  const boards = page.getByRole("button", { name: "Boards", exact: true });
  await boards.click();
  arrive();
  await expect(page.getByTestId("bar")).toContainText("loaded");
  await expect(boards).toHaveAttribute("aria-pressed", "true");
});

test("a wrong file, a huge file and hostile text change nothing and stay text", async ({ browser }) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/round/spring-open/1");
  await page.getByRole("button", { name: "Load pairings" }).click();
  await expect(page.getByText("8 MB each and 12 MB together")).toBeVisible();
  await page
    .getByTestId("files")
    .setInputFiles({ name: "<b>x</b>.pgn", mimeType: "text/plain", buffer: Buffer.from("\0\u0001 nothing") });
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toBeVisible();
  await page
    .getByTestId("files")
    .setInputFiles({ name: "big.csv", mimeType: "text/csv", buffer: Buffer.alloc(8 * 1024 * 1024 + 1, 65) });
  const limit = "Pairings have at most 8 files, 8 MB each and 12 MB together.";
  await expect(page.getByRole("alert").filter({ hasText: limit })).toBeVisible();

  const name = `<img src=x onerror="document.title='taken'"> ${"长".repeat(60)}`;
  await daemon.order({ order: "set_player", player: 1, person: { name } });
  await page.getByRole("button", { name: "Pairings", exact: true }).click();
  await expect(page.getByText("<img src=x").first()).toBeVisible();
  expect(await page.title()).not.toBe("taken");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("a German arbiter reads in German what is wrong with a file, and in which line", async ({ browser }) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/system");
  await page.getByLabel("Language").selectOption("de");
  await page.goto("/admin#/round/spring-open/1");
  await page.getByRole("button", { name: "Paarungen laden" }).click();
  const load = (text: string) =>
    page
      .getByTestId("files")
      .setInputFiles({ name: "runde-2.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  const head = "Runde;Tisch;Weiß;Schwarz;Ergebnis\n2;1;Adler, Ida;Bos, Jan;\n";
  await load(`${head}2;2;Clark, Ann;Davis, Tom;gewonnen\n`);
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveText(
    "runde-2.csv, Zeile 3, Spalte 5: „gewonnen“ ist kein Ergebnis: schreiben Sie 1-0, 0-1, 1/2-1/2, + - - oder nichts.",
  );
  await load(`${head}2;2;Clark, Ann;;\n`);
  await expect(page.getByTestId("preview").getByText("ein Spieler fehlt")).toHaveText(
    "runde-2.csv, Zeile 3, Spalte 1: Runde 2, Tisch 2: ein Spieler fehlt, daher wird die Zeile ausgelassen.",
  );
});

test("a German arbiter reads in German what files of pairings change, and why those of the folder are refused", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/system");
  await page.getByLabel("Language").selectOption("de");
  await page.goto("/admin#/round/spring-open/1");
  await page.getByRole("button", { name: "Paarungen laden" }).click();
  const head = "Runde;Tisch;Weiß;Schwarz;Ergebnis\n";
  const changed = `${head}1;1;Bos, Jan;Adler, Ida;\n1;2;Clark, Ann;Eng, Kim;\n2;1;Adler, Ida;Clark, Ann;\n`;
  await page
    .getByTestId("files")
    .setInputFiles({ name: "runde-2.csv", mimeType: "text/csv", buffer: Buffer.from(changed) });
  await expect(page.getByTestId("preview").locator("ul.notes > li")).toHaveText([
    "Runde 1, Tisch 1: Farben getauscht: Bos, Jan hat Weiß.",
    "Runde 1, Tisch 2: entfernt, Clark, Ann – Davis, Tom.",
    "Runde 1, Tisch 2: neu, Clark, Ann – Eng, Kim.",
    "Runde 2: neu, Zahl der Partien: 1.",
    "Runde 2, Tisch 1: neu, Adler, Ida – Clark, Ann.",
  ]);

  const folder = join(daemon.folder, "data", "pairings");
  writeFileSync(join(folder, "runde-3.csv"), `${head}3;1;Adler, Ida;Davis, Tom;gewonnen\n`);
  await page.goto("/admin#/");
  const alarm = page.locator('[data-kind="pairings_refused"]');
  await expect(alarm).toContainText(
    `Die Paarungen in ${folder} sind nicht geladen: runde-3.csv, Zeile 2, Spalte 5: „gewonnen“ ist kein Ergebnis: schreiben Sie 1-0, 0-1, 1/2-1/2, + - - oder nichts.`,
    { timeout: 20_000 },
  );
  await expect(alarm).not.toContainText("is not");

  // A file that asks something is loaded as it is with one tap.
  writeFileSync(join(folder, "runde-3.csv"), `${head}3;1;Adler, Ida;Davis, Tim;\n`);
  const asks = page.locator('[data-kind="pairings_unanswered"]');
  await expect(asks).toContainText("Davis, Tim", { timeout: 20_000 });
  await expect(alarm).toHaveCount(0);
  await asks.getByRole("button", { name: "So laden, wie sie sind" }).click();
  await expect(page.getByTestId("bar")).toContainText("Die Paarungen sind geladen.");
  await expect(asks).toHaveCount(0, { timeout: 20_000 });
  await page.goto("/admin#/round/spring-open/3");
  await expect(page.getByText("Davis, Tim").first()).toBeVisible();
});

test("a session that ends keeps what was typed, and the action goes on after the login", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withRound();
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
  daemon = await Daemon.start();
  await daemon.withRound();
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
  daemon = await Daemon.start();
  await daemon.withRound();
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

  const administrator = await daemon.open(browser);
  await administrator.goto("/admin#/event");
  await administrator.getByRole("button", { name: "People" }).click();
  await expect(administrator.getByLabel("Role of arbiter")).toHaveValue("arbiter");
});

test("two people at the same settings: the slower one is told by whom, and chooses", async ({ browser }) => {
  daemon = await Daemon.start();
  await daemon.withRound();
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

test("withdrawn from the public and back, in two taps each", async ({ browser }) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const game = await daemon.game(1);
  // A game without a board is public only once it has moves.
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "d4" }] } });
  const page = await daemon.open(browser, "operator");
  const pgn = async () => (await fetch(`${daemon.url}/pgn/spring-open/round-1/games.pgn`)).text();
  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await page.getByRole("button", { name: "Withdraw from the public" }).click();
  await expect(page.getByTestId("state")).toContainText("viewers do not see this game");
  await expect.poll(pgn).not.toContain("Adler");
  await page.getByRole("button", { name: "Show to the public again" }).click();
  await expect.poll(pgn).toContain("Adler");
});

test("the history says in the reader's language what was corrected and undone", async ({ browser }) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const game = await daemon.game(1);
  await daemon.order({ order: "withdraw", game });
  await daemon.order({ order: "undo", number: 2 });
  await daemon.order({ order: "note", what: "The clocks were set again." });
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/system");
  const history = page.locator("section[aria-labelledby=audit] li");
  await expect(history.nth(1)).toContainText(`correction 2 undone: ${game}: public again`);
  await page.getByLabel("Language").selectOption("de");
  await expect(history.nth(2)).toContainText(`${game}: der Öffentlichkeit entzogen`);
  await expect(history.nth(1)).toContainText(`Korrektur 2 rückgängig gemacht: ${game}: wieder öffentlich`);
  await expect(history.nth(0)).toContainText("The clocks were set again.");
  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await expect(page.locator("section[aria-labelledby=history] li")).toHaveText([
    new RegExp(`^3\\. Korrektur 2 rückgängig gemacht: ${game}: wieder öffentlich \\d\\d:\\d\\d · anna`),
    new RegExp(`^2\\. ${game}: der Öffentlichkeit entzogen`),
  ]);
});

test("a player is corrected and hidden from the public", async ({ browser }) => {
  daemon = await Daemon.start();
  await daemon.withRound();
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
  daemon = await Daemon.start();
  await daemon.withRound();
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

test("the example of a table is accepted in every language, and rows without a header say what to do", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const page = await daemon.open(browser, "operator");
  const show = async (rows: string) => {
    await page.locator("textarea").fill(rows);
    await page.locator(".card:has(textarea) > .row button").click();
  };
  for (const language of ["en", "de", "es", "fr", "it", "pl"]) {
    await page.goto("/admin#/system");
    await page.locator("select:has(option[value='pl'])").first().selectOption(language);
    await page.goto("/admin#/round/spring-open/1");
    await page.locator(".row[role=group] button").nth(1).click();
    await show((await page.getByTestId("example").textContent()) ?? "");
    const changes = page.getByTestId("preview").locator("ul.notes > li");
    await expect(changes, language).toHaveText([
      /3.*2\./,
      /3.*Adler, Ida . Bos, Jan/,
      /3.*Clark, Ann . Davis, Tom/,
    ]);
    await expect(page.locator(".question")).toHaveCount(0);
  }
  await page.goto("/admin#/system");
  await page.locator("select:has(option[value='pl'])").first().selectOption("en");
  await page.goto("/admin#/round/spring-open/1");
  await page.getByRole("button", { name: "Load pairings" }).click();
  await show("1\tAdler, Ida\tDavis, Tom\n2\tBos, Jan\tClark, Ann\n");
  await expect(page.locator(".question").first()).toContainText("the table has no header");
  await show("Adler, Bos\nClark, Davis\n");
  await expect(
    page.getByRole("alert").filter({ hasText: "above the rows of a table write a header" }),
  ).toBeVisible();
});

test("a published round is taken back by the bar and by its page, and stands in the history", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withPairings();
  const boardless = { boardless_games: true };
  await daemon.order({ order: "set_section", section: "spring-open", settings: boardless });
  const page = await daemon.open(browser, "operator");
  const viewer = await (await daemon.stranger(browser)).newPage();
  const address = `${daemon.url}/api/v1/games/${encodeURIComponent(await daemon.game(1))}`;
  const publicly = async () => (await fetch(address)).status;
  const pgn = async () => (await fetch(`${daemon.url}/pgn/spring-open/live.pgn`)).text();
  await page.goto("/admin#/round");
  const state = page.getByTestId("round-state");
  await page.getByRole("button", { name: "Publish the round" }).click();
  await expect(page.getByTestId("bar")).toContainText("Round 1 is public.");
  await viewer.goto("/");
  await expect(viewer.getByText("Adler", { exact: false }).first()).toBeVisible();
  expect([await publicly(), (await pgn()).includes("Adler")]).toEqual([200, true]);
  await page.getByTestId("bar").getByRole("button", { name: "Undo" }).click();
  await expect(state).toContainText("not published");
  await expect(viewer.getByText("Adler", { exact: false })).toHaveCount(0);
  expect([await publicly(), (await pgn()).includes("Adler")]).toEqual([404, false]);
  await page.getByRole("button", { name: "Publish the round" }).click();
  await page.getByRole("button", { name: "Take the round back" }).click();
  await expect(state).toContainText("not published");
  await page.getByRole("button", { name: "Publish the round" }).click();
  await expect(state).not.toContainText("not published");
  await daemon.order({ order: "set_result", game: await daemon.game(1), result: "1-0" });
  await page.getByRole("button", { name: "Take the round back" }).click();
  await expect(page.getByTestId("bar")).toContainText("stays public");
  await page.goto("/admin#/system");
  const history = page.locator("section[aria-labelledby=audit] li");
  await expect(history.nth(1)).toContainText('"spring-open", round 1: published');
  await expect(history.nth(2)).toContainText('"spring-open", round 1: no longer public');
});

test("that a player of a game with moves is absent is asked about with the words of the button", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const game = await daemon.game(1);
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "e4" }] } });
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/round");
  await page.getByRole("button", { name: "Tools for pairing 1" }).click();
  await page.getByRole("button", { name: "Black is absent (forfeit)" }).click();
  const bar = page.getByTestId("bar");
  await expect(bar).toContainText("Black is absent (forfeit) · Spring Open · Round 1 · Table 1");
  await expect(bar).toContainText("has moves (1)");
  await bar.getByRole("button", { name: "Do it anyway" }).click();
  await expect(page.getByText("+–−")).toBeVisible();
});

test("a section that was made by mistake is removed and back by undo, and the public sees none without a round", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  await daemon.order({ order: "set_section", section: "mistake", settings: { name: "Mistake" } });
  const listed = async () => {
    const { sections } = (await (await fetch(`${daemon.url}/api/v1/sections`)).json()) as {
      sections: { event: string }[];
    };
    return sections.map((section) => section.event);
  };
  const status = async () => (await fetch(`${daemon.url}/api/v1/sections/mistake`)).status;
  expect([await listed(), await status()]).toEqual([["spring-open"], 200]);
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/event/sections");
  const card = (name: string) =>
    page.locator("section.card").filter({ has: page.getByRole("heading", { name }) });
  const remove = async (name: string) => {
    await card(name).getByRole("button", { name: "Settings" }).click();
    await card(name).getByRole("button", { name: "Remove the section" }).click();
  };
  await remove("Mistake");
  await expect(page.getByTestId("bar")).toContainText("Mistake is taken away.");
  await expect(card("Mistake")).toHaveCount(0);
  expect(await status()).toBe(404);
  await page.getByTestId("bar").getByRole("button", { name: "Undo" }).click();
  await expect(card("Mistake")).toHaveCount(1);
  await remove("Live games");
  await expect(card("Live games")).toHaveCount(0);
  await remove("Spring Open");
  await expect(page.getByTestId("bar")).toContainText(
    'Round 1 of "spring-open" is public: take it back first.',
  );
});

test("a game of an earlier round is corrected from the page of its round while the next one is played", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const [first, second] = [await daemon.game(1), await daemon.game(2)];
  const set = (...moves: string[]) => ({ edit: "set", after: 0, moves: moves.map((san) => ({ san })) });
  await daemon.order({ order: "edit_moves", game: first, edit: set("e4", "e5", "Nf3") });
  await daemon.order({ order: "edit_moves", game: second, edit: set("d4") });
  await daemon.order({ order: "adjourn", game: second });
  await daemon.order({ order: "set_result", game: first, result: "1-0" });
  await daemon.order({ order: "finish", section: "spring-open", round: 1 });
  const form = new FormData();
  form.append("file", new File([PAIRINGS.replaceAll('"1.', '"2.')], "round-2.pgn"));
  await daemon.api("POST", "/sections/spring-open/pairings", form);
  await daemon.order({ order: "publish", section: "spring-open", round: 2 });

  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/results");
  await page.getByTestId("earlier").filter({ hasText: "Round 1: 1 table without a result" }).click();
  await page.locator("table.list").getByRole("link", { name: "1", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Round 1", exact: false })).toBeVisible();
  await expect(page.getByTestId("moves")).toContainText("Nf3");
  const pgn = async () => (await fetch(`${daemon.url}/api/v1/games/${encodeURIComponent(first)}`)).text();
  await daemon.order({
    order: "edit_moves",
    game: first,
    edit: { edit: "replace", ply: 3, played: { san: "Nc3" } },
  });
  await expect(page.getByTestId("moves")).toContainText("Nc3");
  await expect.poll(pgn).toContain("Nc3");
  await page.getByRole("button", { name: "Result", exact: true }).click();
  await page.getByRole("button", { name: "0-1", exact: true }).click();
  const history = page.locator("section[aria-labelledby=history] li");
  await expect(history.first()).toContainText("result 0-1 instead of 1-0");
  await history.first().getByRole("button", { name: "Undo" }).click();
  await expect(history.first()).toContainText("undone");

  // The adjourned game gets its result, and the hall has only the round that is played.
  await page.goto(`/admin#/table/${encodeURIComponent(second)}`);
  await expect(page.getByTestId("state")).toContainText("adjourned");
  await expect(page.getByRole("button", { name: "Resume", exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Result", exact: true }).click();
  await page.getByRole("button", { name: "½-½", exact: true }).click();
  await expect(page.getByTestId("bar")).toContainText("is recorded");
  await page.goto("/admin#/results");
  await expect(page.getByTestId("earlier")).toHaveCount(0);
  await page.goto("/admin#/table/there-is-none");
  await expect(page.getByText("This game is not shown here")).toBeVisible();
});

test("a load takes no played game out, a table without a round is of its page, and a file that waits can be left", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const game = await daemon.game(1);
  await daemon.order({ order: "set_result", game, result: "1-0" });
  const page = await daemon.open(browser, "operator");
  const show = async (rows: string) => {
    await page.getByRole("button", { name: "Load pairings" }).click();
    await page.locator("textarea").fill(rows);
    await page.getByRole("button", { name: "Show what would change" }).click();
  };
  await page.goto("/admin#/round/spring-open/1");
  await show("Table;White;Black\n1;Green, Al;Hill, Bo\n");
  await expect(page.getByRole("alert").filter({ hasText: "not in the files: 1 (tables 1)" })).toBeVisible();
  await expect(page.getByTestId("preview")).toHaveCount(0);

  await page.locator("textarea").fill("Round 2\nTable;White;Black\n1;Adler, Ida;Clark, Ann\n");
  await page.getByRole("button", { name: "Show what would change" }).click();
  const changes = page.getByTestId("preview").locator("ul.notes > li");
  await expect(changes).toHaveText([
    "Round 2: new, number of games: 1.",
    "Round 2, table 1: new, Adler, Ida - Clark, Ann.",
  ]);
  // The next table is pasted while the answer to the load is on its way: it stays.
  let answer = (): void => undefined;
  const typed = new Promise<void>((done) => (answer = done));
  await page.route("**/pairings?confirm=*", async (route) => {
    await typed;
    await route.continue();
  });
  await page.getByRole("button", { name: "Load", exact: true }).click();
  await page.locator("textarea").fill("the next table");
  answer();
  await expect(page.getByTestId("bar")).toContainText("loaded");
  await expect(page.locator("textarea")).toHaveValue("the next table");
  await page.goto("/admin#/round/spring-open/2");
  await show("Table;White;Black\n1;Adler, Ida;Clark, Ann\n2;Bos, Jan;Davis, Tom\n");
  await expect(changes).toHaveText([
    "The table names no round and is taken for round 2, from whose page it is loaded.",
    "Round 2, table 2: new, Bos, Jan - Davis, Tom.",
  ]);

  const rows = "3;1;Adler, Ida;Bos, Jan\n3;2;Adler, Ida;Davis, Tom\n";
  writeFileSync(join(daemon.folder, "data", "pairings", "round-3.csv"), `Round;Board;White;Black\n${rows}`);
  await page.goto("/admin#/");
  const alarm = page.locator("[data-kind=pairings_unanswered]");
  await expect(alarm).toContainText("Adler, Ida is paired on boards 1 and 2 in round 3.");
  await expect(alarm).toContainText("Loading them changes: Round 3: new, number of games: 2.");
  await alarm.getByRole("button", { name: "Do not load" }).click();
  await expect(alarm).toHaveCount(0);
});
