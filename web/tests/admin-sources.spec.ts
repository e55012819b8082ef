/** Games of other recorders: a source is tried, added, fails in words, is changed, and brings moves into a round. */
import { expect, test } from "@playwright/test";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Daemon } from "./daemon";

let daemon: Daemon;
let far: Server;
/** What the server of the other hall answers. */
let answer = { status: 200, text: "" };

const game = (white: string, black: string, moves: string) =>
  `[Event "Hall B"]\n[Round "1"]\n[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n${moves} *\n\n`;
const STRANGERS = game("Nobody, Known", "Else, Any", "1. d4");

test.beforeAll(async () => {
  daemon = await Daemon.inRound();
  far = createServer((_, response) => {
    response.writeHead(answer.status, { "Content-Type": "application/x-chess-pgn" });
    response.end(answer.text);
  });
  await new Promise<void>((ready) => far.listen(0, "127.0.0.1", ready));
});
test.afterAll(async () => {
  far.close();
  await daemon.end();
});

test("a source is tested before it is added; its failure is told in words, and it goes on by itself", async ({
  browser,
}) => {
  answer = { status: 200, text: game("Adler, Ida", "Bos, Jan", "1. e4 e5") + STRANGERS };
  const page = await daemon.open(browser, "administrator", { viewport: { width: 390, height: 844 } });
  await page.goto("/admin#/event/sources");
  await expect(page.getByText("There is no source yet.")).toBeVisible();
  await page.getByRole("button", { name: "Add a source" }).click();
  await page.getByLabel("Name (small letters").fill("hall-b");
  const address = `http://127.0.0.1:${(far.address() as AddressInfo).port}/secret-path/round.pgn`;
  await page.getByLabel("Address of the PGN file").fill(address);
  await page.getByLabel("Seconds between two requests").fill("2");
  await page.getByRole("button", { name: "Test before" }).click();
  const tested = page.getByRole("status").filter({ hasText: "It can be read and has 2 games" });
  await expect(tested.getByRole("link", { name: "Adler, Ida – Bos, Jan" })).toBeVisible();
  await expect(tested).toContainText("Not taken:");
  expect(await daemon.api("GET", "/sources")).toEqual([]);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByTestId("bar")).toContainText("The source is added.");
  await expect(page.getByRole("button", { name: "Add a source" })).toBeVisible();

  const source = page.getByRole("article", { name: "hall-b" });
  await expect(source).toContainText("Works");
  await source.getByText("2 games: 1 to look at").click();
  await expect(source.getByRole("listitem").first()).toContainText("2 plies");
  // What the address holds may be a secret.
  await expect(page.getByText("secret-path")).toHaveCount(0);

  answer = { status: 500, text: "" };
  await expect(source.getByRole("alert")).toContainText("The server has an error (status 500)");
  const german = await daemon.open(browser, "operator");
  await german.goto("/admin#/system");
  await german.getByLabel("Language").selectOption("de");
  await german.goto("/admin#/event/sources");
  const quelle = german.getByRole("article", { name: "hall-b" });
  await expect(quelle.getByRole("alert")).toHaveText(
    /^Der Server hat einen Fehler \(Status 500\): die Partien bleiben/,
  );
  await quelle.getByText("2 Partien: 1 zum Ansehen").click();
  await expect(quelle.getByRole("listitem").last()).toContainText(
    "Nicht übernommen: Runde 1 hat keine Paarung dieser Spieler, und die Partie hat keine Brettnummer.",
  );
  await expect(source).toContainText("What was taken stays.");
  answer = { status: 200, text: game("Adler, Ida", "Bos, Jan", "1. e4 e5 2. Nf3") + STRANGERS };
  await expect(source.getByRole("alert")).toHaveCount(0);
  await expect(source.getByRole("listitem").first()).toContainText("3 plies");

  // The settings are changed without typing the address again.
  await source.getByRole("button", { name: "Edit" }).click();
  await expect(source.getByText("Leave it empty to keep it.")).toBeVisible();
  await source.getByLabel("Seconds between two requests").fill("3");
  await source.getByRole("button", { name: "Save" }).click();
  await expect(page.getByTestId("bar")).toContainText("The source is changed.");
  await source.getByRole("button", { name: "Test", exact: true }).click();
  await expect(source.getByRole("status")).toContainText("It can be read and has 2 games");
  await source.getByRole("link", { name: "Adler, Ida – Bos, Jan" }).first().click();
  await expect(page.getByTestId("moves")).toContainText("Nf3");

  const viewer = await daemon.open(browser, "viewer");
  await viewer.goto("/admin#/event/sources");
  await expect(viewer.getByRole("article", { name: "hall-b" })).toContainText("Works");
  await expect(viewer.getByRole("button", { name: "Edit" })).toHaveCount(0);

  await page.goto("/admin#/event/sources");
  await source.getByRole("button", { name: "Remove", exact: true }).click();
  await source.getByRole("button", { name: "Remove for good" }).click();
  await expect(page.getByText("There is no source yet.")).toBeVisible();
});

test("a program sends games and positions with the address and the key of the page", async ({ browser }) => {
  const page = await daemon.open(browser);
  await page.goto("/admin#/event/sources");
  await page.getByRole("button", { name: "Add a source" }).click();
  await page.getByLabel("Kind").selectOption("Sent by a program");
  await page.getByLabel("Name (small letters").fill("hall-c");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const source = page.getByRole("article", { name: "hall-c" });
  await source.getByRole("button", { name: "How to send" }).click();
  await source.getByRole("button", { name: "Make the key" }).click();
  await expect(source.locator("code")).toHaveCount(4);
  const [games, board, key, command] = await source.locator("code").allTextContents();
  expect(command).toContain(`Bearer ${key}`);
  await source.getByRole("button", { name: "QR code" }).first().click();
  await expect(source.getByRole("img", { name: `QR code of ${games}` })).toBeVisible();

  const headers = { Authorization: `Bearer ${key}` };
  const sent = await fetch(games ?? "", {
    method: "POST",
    headers,
    body: game("Clark, Ann", "Davis, Tom", "1. c4"),
  });
  expect(sent.ok, await sent.text()).toBe(true);
  await expect(source).toContainText("Works");
  await source.getByText("1 game", { exact: true }).click();
  await expect(source.getByRole("listitem")).toContainText("Clark, Ann – Davis, Tom");
  const shown = await fetch(board ?? "", {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR" }),
  });
  const { board: serial } = (await shown.json()) as { board: string };
  await page.goto("/admin#/system");
  await expect(page.getByRole("cell", { name: serial, exact: true })).toBeVisible();
});
