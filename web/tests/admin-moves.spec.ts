/** The arbiter at the moves of a game, with a real daemon: corrected, withdrawn, undone. */
import { expect, test } from "@playwright/test";
import { Daemon, PAIRINGS } from "./daemon";

let daemon: Daemon;
test.afterEach(async () => daemon.end());

test("a wrong move is corrected while a viewer watches, and undone", async ({ browser }) => {
  daemon = await Daemon.inRound();
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
  await expect(page.getByTestId("bar")).toContainText("Viewers see it, after the delay if there is one");
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
  daemon = await Daemon.inRound();
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
  const bar = page.getByTestId("bar");
  const undo = bar.getByRole("button", { name: "Undo" });
  await list.getByRole("button", { name: /^Nf3/ }).click();
  await panel.getByRole("button", { name: "Nh3", exact: true }).click();
  await expect(seen).toContainText("Nh3");
  await expect(seen).toContainText("Bb5");
  await expect(panel).toHaveCount(0);
  await undo.click();
  // What is tapped before the page shows the undo would be an answer to what was there before.
  await expect(bar).toContainText("Undone");
  await expect(seen).toContainText("Nf3");
  await expect(seen).not.toContainText("Nh3");

  await list.getByRole("button", { name: /^Nf3/ }).click();
  await panel.getByRole("button", { name: "Ne2, deletes later moves: 1" }).click();
  await expect(seen).toContainText("Ne2");
  await expect(seen).not.toContainText("Bb5");
  await undo.click();
  await expect(bar).toContainText("Undone");
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
  daemon = await Daemon.inRound();
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

test("withdrawn from the public and back, in two taps each", async ({ browser }) => {
  daemon = await Daemon.inRound();
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
  daemon = await Daemon.inRound();
  const game = await daemon.game(1);
  await daemon.order({ order: "withdraw", game });
  await daemon.order({ order: "undo", number: 2 });
  await daemon.order({ order: "note", what: "The clocks were set again." });
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/system");
  const history = page.locator("section[aria-labelledby=audit] li");
  await expect(history.nth(1)).toContainText(
    "correction 2 undone: Adler, Ida – Bos, Jan (Table 1): public again",
  );
  await page.getByLabel("Language").selectOption("de");
  await expect(history.nth(2)).toContainText("Adler, Ida – Bos, Jan (Tisch 1): der Öffentlichkeit entzogen");
  await expect(history.nth(1)).toContainText(
    "Korrektur 2 rückgängig gemacht: Adler, Ida – Bos, Jan (Tisch 1): wieder öffentlich",
  );
  await expect(history.nth(0)).toContainText("The clocks were set again.");
  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await expect(page.locator("section[aria-labelledby=history] li")).toHaveText([
    /^3\. Korrektur 2 rückgängig gemacht: Adler, Ida – Bos, Jan \(Tisch 1\): wieder öffentlich \d\d:\d\d · anna/,
    /^2\. Adler, Ida – Bos, Jan \(Tisch 1\): der Öffentlichkeit entzogen/,
  ]);
});

test("a game of an earlier round is corrected from the page of its round while the next one is played", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
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
