/** Files and tables of pairings before the dashboard, with a real daemon: loaded, refused, asked about. */
import { expect, test } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Daemon, PAIRINGS } from "./daemon";

let daemon: Daemon;
test.afterEach(async () => daemon.end());

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
  daemon = await Daemon.inRound();
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
  daemon = await Daemon.inRound();
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
  await load(`${head}2;zwei;Clark, Ann;Davis, Tom;\n`);
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveText(
    "runde-2.csv, Zeile 3, Spalte 2: „zwei“ ist keine Tischnummer: schreiben Sie 1 bis 9999.",
  );
  await load(`${head}2;2;Clark, Ann;Davis, Tom;gewonnen\n`);
  await expect(page.getByTestId("preview").getByText("gewonnen")).toHaveText(
    "runde-2.csv, Zeile 3, Spalte 5: „gewonnen“ ist kein Ergebnis, daher wird die Partie ohne Ergebnis übernommen: schreiben Sie 1-0, 0-1, 1/2-1/2, + - - oder nichts.",
  );
  await load(`${head}2;2;Clark, Ann;;\n`);
  await expect(page.getByTestId("preview").getByText("ein Spieler fehlt")).toHaveText(
    "runde-2.csv, Zeile 3, Spalte 1: Runde 2, Tisch 2: ein Spieler fehlt, daher wird die Zeile ausgelassen.",
  );
});

test("a German arbiter reads in German what files of pairings change, and why those of the folder are refused", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
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
  writeFileSync(join(folder, "runde-3.csv"), `${head}3;eins;Adler, Ida;Davis, Tom;\n`);
  await page.goto("/admin#/");
  const alarm = page.locator('[data-kind="pairings_refused"]');
  await expect(alarm).toContainText(
    `Die Paarungen in ${folder} sind nicht geladen: runde-3.csv, Zeile 2, Spalte 2: „eins“ ist keine Tischnummer: schreiben Sie 1 bis 9999.`,
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

test("the example of a table is accepted in every language, and rows without a header say what to do", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
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

test("a load takes no played game out, a table without a round is of its page, and a file that waits can be left", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
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

test("a name of one long word leaves the tools of its pairing on a phone's page", async ({ browser }) => {
  daemon = await Daemon.start();
  await daemon.order({
    order: "set_section",
    section: "spring-open",
    settings: { name: "Meisterschaft".repeat(4) },
  });
  const form = new FormData();
  const long = PAIRINGS.replace("Adler, Ida", "Wolfeschlegelsteinhausenbergerdorff, Hubert");
  form.append("file", new File([long], "round-1.pgn"));
  await daemon.api("POST", "/sections/spring-open/pairings", form);
  const page = await daemon.open(browser, "operator", { viewport: { width: 360, height: 740 } });
  await page.goto("/admin#/round/spring-open/1");
  const tools = page.getByRole("table").getByRole("button").first();
  await expect(tools).toBeVisible();
  const box = await tools.boundingBox();
  expect((box?.x ?? 360) + (box?.width ?? 0)).toBeLessThan(348);
  for (const address of ["round/spring-open/1", "hall", "results", "arbiter", "event", "setup/follow"]) {
    await page.goto(`/admin#/${address}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await page.waitForLoadState("networkidle");
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sideways, address).toBeLessThanOrEqual(0);
  }
});
