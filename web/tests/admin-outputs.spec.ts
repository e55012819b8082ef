/** An output is changed in place: where it sends to, without typing again what is not shown. */
import { expect, test } from "@playwright/test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon } from "./daemon";

let daemon: Daemon;
const folder = mkdtempSync(join(tmpdir(), "boardcast-outputs-"));
test.beforeAll(async () => {
  daemon = await Daemon.inRound();
});
test.afterAll(async () => {
  await daemon.end();
  rmSync(folder, { recursive: true, force: true });
});

test("the folder of an output is changed in place, and its files go to the new one", async ({ browser }) => {
  const [one, two] = [mkdtempSync(join(folder, "one-")), mkdtempSync(join(folder, "two-"))];
  const page = await daemon.open(browser, "administrator", { viewport: { width: 390, height: 844 } });
  await page.goto("/admin#/event/outputs");
  await page.getByRole("button", { name: "Add an output" }).click();
  await page.getByLabel("Kind").selectOption("Folder");
  await page.getByLabel("Name (small letters").fill("club");
  await page.getByLabel("Section").selectOption("Spring Open");
  await page.getByLabel("Folder", { exact: true }).fill(one);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByTestId("bar")).toContainText("The output is added.");
  await expect(page.getByRole("button", { name: "Add an output" })).toBeVisible();
  const output = page.getByRole("article", { name: "club" });
  await expect(output).toContainText("Up to date");
  await expect.poll(() => existsSync(join(one, "round-1"))).toBe(true);

  await output.getByRole("button", { name: "Edit" }).click();
  const field = output.getByLabel("Folder", { exact: true });
  await expect(field).toHaveValue(one);
  await field.fill("games");
  await output.getByRole("button", { name: "Save" }).click();
  // A refusal stands at the form, which stays as it was typed.
  await expect(output.getByRole("alert")).toContainText("no full path");
  await field.fill(two);
  await output.getByRole("button", { name: "Save" }).click();
  await expect(page.getByTestId("bar")).toContainText("The output is changed.");
  await expect(output).toContainText(two);
  await expect.poll(() => existsSync(join(two, "round-1"))).toBe(true);
});

test("an address that is not shown is kept, with its token", async ({ browser }) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    request.resume();
    response.writeHead(200).end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hidden/{round}.pgn`;
  const moves = [{ san: "e4" }];
  await daemon.order({
    order: "edit_moves",
    game: await daemon.game(1),
    edit: { edit: "set", after: 0, moves },
  });
  await daemon.api("POST", "/outputs", {
    name: "web",
    section: "spring-open",
    target: { http: { url, token: "hidden" } },
  });
  await expect.poll(() => asked).toContainEqual("PUT /hidden/1.pgn Bearer hidden");
  const page = await daemon.open(browser);
  await page.goto("/admin#/event/outputs");
  const output = page.getByRole("article", { name: "web" });
  await output.getByRole("button", { name: "Edit" }).click();
  await expect(output.getByLabel("Address")).toHaveValue("");
  await output.getByLabel("Method").selectOption("POST");
  await output.getByRole("button", { name: "Save" }).click();
  await expect(page.getByTestId("bar")).toContainText("The output is changed.");
  await output.getByRole("button", { name: "Send everything again" }).click();
  await output.getByRole("button", { name: "Empty it there and send again" }).click();
  await expect.poll(() => asked).toContainEqual("POST /hidden/1.pgn Bearer hidden");
  expect(await page.content()).not.toContain("/hidden/");
  server.close();
});

test("a German operator reads in German why an output fails, what the server says, and that it works again", async ({
  browser,
}) => {
  let taken = false;
  const server = createServer((request, response) => {
    request.resume();
    if (taken) return response.writeHead(201).end();
    response.writeHead(401, { "Content-Type": "application/json" });
    return response.end(JSON.stringify({ error: "<b>No such token</b>" }));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const moves = [{ san: "d4" }];
  await daemon.order({
    order: "edit_moves",
    game: await daemon.game(2),
    edit: { edit: "set", after: 0, moves },
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{round}.pgn`;
  await daemon.api("POST", "/outputs", {
    name: "zeitung",
    section: "spring-open",
    target: { http: { url } },
  });
  const page = await daemon.open(browser, "operator", { viewport: { width: 390, height: 844 } });
  await page.goto("/admin#/system");
  await page.getByLabel("Language").selectOption("de");
  await page.goto("/admin#/event/outputs");
  const output = page.getByRole("article", { name: "zeitung" });
  const reason =
    "Der Server nimmt das Token oder Passwort nicht an (Status 401): geben Sie es noch einmal ein. Wörtlich: „<b>No such token</b>“";
  await expect(output.getByRole("alert")).toHaveText(reason);
  await expect(output.locator("dd").last()).toHaveText(reason);
  await output.getByRole("button", { name: "Prüfen" }).click();
  await expect(output.getByRole("status")).toHaveText(reason);
  await expect(output).not.toContainText(/does not|It says/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

  taken = true;
  await output.getByRole("button", { name: "Jetzt versuchen" }).click();
  await expect(output.getByRole("alert")).toHaveCount(0);
  await expect(output.locator("dd").last()).toHaveText("Status 201, angenommen: Runde 1.");
  server.close();
});
