/** The organiser and the rounds of an event, with a real daemon: from the printed link to the first live move, and from round to round. */
import { expect, test } from "@playwright/test";
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
  await page.getByLabel("Board of table 1").focus();
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
  await first.focus();
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

test("a round that was loaded with its results is published by one button, and stays over", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  const settings = { name: "Spring Open", boardless_games: true };
  await daemon.order({ order: "set_section", section: "spring-open", settings });
  const form = new FormData();
  form.append("file", new File([PAIRINGS.replaceAll("*", "1-0")], "round-1.pgn"));
  await daemon.api("POST", "/sections/spring-open/pairings", form);
  const pgn = async () => (await fetch(`${daemon.url}/pgn/spring-open/round-1/games.pgn`)).text();
  const page = await daemon.open(browser, "operator");
  await page.getByRole("link", { name: "Rounds" }).click();
  const state = page.getByTestId("round-state");
  await expect(state).toContainText("finished · not published");
  await expect(page.getByText("only people who log in see it")).toBeVisible();
  expect(await pgn()).not.toContain("Adler");
  await page.getByRole("button", { name: "Publish the round" }).click();
  await expect(page.getByTestId("bar")).toContainText("Round 1 is public.");
  // The results are known to viewers: nothing takes them back.
  await expect(page.getByTestId("bar").getByRole("button", { name: "Undo" })).toHaveCount(0);
  await expect(state).not.toContainText("not published");
  await expect(state).toContainText("finished");
  await expect(page.getByRole("button", { name: "Publish the round" })).toHaveCount(0);
  await expect.poll(pgn).toContain('[Result "1-0"]');
});

test("a published round is taken back by the bar and by its page, and stands in the history", async ({
  browser,
}) => {
  daemon = await Daemon.paired();
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
  daemon = await Daemon.inRound();
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
  daemon = await Daemon.inRound();
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

test("an Armageddon round has another time for Black, in its plan and in its files", async ({ browser }) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const shown = { name: "Spring Open", boardless_games: true };
  await daemon.order({ order: "set_section", section: "spring-open", settings: shown });
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/round/spring-open/1");
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  await page.getByLabel("Time control", { exact: false }).fill("5 min");
  const black = page.getByLabel("For Black, if it differs", { exact: false });
  await black.fill("4 min");
  const default_time = page.getByLabel("Default time in minutes", { exact: false });
  await default_time.fill("1.5");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByTestId("bar")).toContainText("settings are saved");
  const settings = async () => {
    const view = (await daemon.api("GET", "/sections/spring-open/rounds/1")) as {
      round: { settings: { time_control?: object; default_time_s?: number } };
    };
    return view.round.settings;
  };
  expect((await settings()).time_control).toEqual({ white: "300", black: "240" });
  expect((await settings()).default_time_s).toBe(90);
  const pgn = await (await page.request.get("/pgn/spring-open/live.pgn")).text();
  expect(pgn).toContain('[WhiteTimeControl "300"]');
  expect(pgn).toContain('[BlackTimeControl "240"]');
  // Once the field is empty, both have the same.
  await page.reload();
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  await expect(black).toHaveValue("240");
  await black.fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await settings()).time_control).toEqual({ white: "300", black: "300" });
});
