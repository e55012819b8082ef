/** Answers that come late: what the organiser typed or opened meanwhile stays, and is not mixed with them. */
import { expect, test, type Page } from "@playwright/test";
import { Daemon, PAIRINGS, PASSWORD } from "./daemon";

let daemon: Daemon;
test.afterEach(async () => daemon.end());

/** Holds the answers to these requests back until the function that it gives is called. */
async function hold(page: Page, requests: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  await page.route(requests, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

async function withTwoRounds(): Promise<void> {
  await daemon.withRound();
  const form = new FormData();
  form.append("file", new File([PAIRINGS.replaceAll('"1.', '"2.')], "round-2.pgn"));
  await daemon.api("POST", "/sections/spring-open/pairings", form);
}

test("a table that is pasted while another one is looked at is not shown with the changes of that one", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
  const page = await daemon.open(browser, "operator");
  const rows = (players: string) => `Round 2\nTable;White;Black\n1;${players}\n`;
  const look = page.getByRole("button", { name: "Show what would change" });
  await page.goto("/admin#/round/spring-open/1");
  await page.getByRole("button", { name: "Load pairings" }).click();
  await page.locator("textarea").fill(rows("Adler, Ida;Clark, Ann"));
  const release = await hold(page, "**/pairings/preview?*");
  await look.click();
  await page.locator("textarea").fill(rows("Bos, Jan;Davis, Tom"));
  release();
  await expect(look).toBeEnabled();
  await expect(page.getByTestId("preview")).toHaveCount(0);
  await look.click();
  await expect(page.getByTestId("preview")).toContainText("Bos, Jan - Davis, Tom");
  // It stays when something else of the hall changes.
  const settings = { name: "Summer Open", site: "Prague", zone: "Europe/Prague" };
  await daemon.order({ order: "set_section", section: "spring-open", settings });
  await expect(page.getByRole("heading", { name: "Summer Open", exact: false })).toBeVisible();
  await expect(page.getByTestId("preview")).toContainText("Bos, Jan - Davis, Tom");
});

test("the page of a round has the pairings and the plan of this round only", async ({ browser }) => {
  daemon = await Daemon.start();
  await withTwoRounds();
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/round/spring-open/1");
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  const name = page.getByLabel("Name, if it is not its number");
  await name.fill("First day");
  await page.getByLabel("Planned start", { exact: false }).fill("2027-03-01T10:00");
  await page.getByLabel("Time control", { exact: false }).fill("5400+30");
  const read = page.waitForResponse((answer) => answer.url().endsWith("/rounds/1"));
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByTestId("bar")).toContainText("settings are saved");
  await read;
  // One's own change is not that of another person.
  await expect(page.getByText("Another person has changed these values", { exact: false })).toHaveCount(0);

  const release = await hold(page, "**/rounds/2");
  await page.getByRole("link", { name: "Round 2", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Round 2", exact: false })).toBeVisible();
  release();
  await expect(name).toHaveValue("");
});

test("fields that are filled in while an answer is on its way keep what is in them", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const page = await daemon.open(browser);
  await page.goto("/admin#/results");
  const table = page.getByTestId("desk-table");
  await table.fill("1");
  // A key of the browser stays one.
  const field = page.getByTestId("desk-result");
  const kept = await field.evaluate((node) =>
    [{ key: "F5" }, { key: "r", ctrlKey: true }].every((key) =>
      node.dispatchEvent(new KeyboardEvent("keydown", { ...key, bubbles: true, cancelable: true })),
    ),
  );
  expect(kept).toBe(true);
  let release = await hold(page, "**/orders?*");
  await field.press("1");
  await table.fill("2");
  release();
  await expect(page.getByTestId("bar")).toContainText("Table 1: 1-0");
  await expect(table).toHaveValue("2");

  await page.goto(`/admin#/table/${encodeURIComponent(await daemon.game(2))}`);
  await page.getByTestId("edit").click();
  const moves = page.getByLabel("Moves to add");
  // Once the record is here: a form that is sent before goes with what is in it by then.
  await moves.fill("e5");
  await expect(page.getByTestId("edit-tools").getByRole("alert")).toBeVisible();
  await moves.fill("e4 e5");
  release = await hold(page, "**/orders?*");
  await moves.press("Tab");
  await page.getByTestId("edit-tools").getByRole("button").first().click();
  await moves.fill("e4 e5 Nf3");
  release();
  await expect(page.getByTestId("moves")).toContainText("e5");
  await expect(moves).toHaveValue("Nf3");

  await page.goto("/admin#/event");
  await page.getByRole("button", { name: "People" }).click();
  await page.getByLabel("Name").fill("bruno");
  await page.getByLabel("Password, at least", { exact: false }).fill(PASSWORD);
  release = await hold(page, "**/users");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByLabel("Name").fill("clara");
  release();
  await expect(page.getByLabel("Role of bruno")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("clara");
});
