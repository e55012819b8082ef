/** Boards dragged to tables, and time for an illegal move. */
import { expect, test } from "@playwright/test";
import { Daemon } from "./daemon";

let daemon: Daemon;
test.afterEach(async () => daemon.end());

const seats = async () => ((await daemon.api("GET", "/hall")) as { seats: Record<string, string> }).seats;

test("a board is dragged to another table; the two change places, and undo brings them back", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withPairings();
  daemon.connect("--boards", "2");
  const page = await daemon.open(browser);
  await page.goto("/admin#/round");
  await page.getByRole("main").getByRole("button", { name: "Boards" }).first().click();
  await page.getByRole("button", { name: "Use the order of serial numbers" }).click();
  await expect(page.getByText("Every board has a table.")).toBeVisible();
  const before = await seats();
  const [one, two] = [before["1"] ?? "", before["2"] ?? ""];
  const chip = page.getByRole("button", { name: `Board ${one} of table 1: pick up` });
  const row = page.locator('tr[data-place="2"]');
  await expect(page.getByTestId("proposal")).toBeHidden();
  const close = page.getByRole("button", { name: "Close", exact: true });
  await close.click();
  await chip.hover();
  await page.mouse.down();
  await row.hover({ force: true, position: { x: 60, y: 10 } });
  await row.hover({ force: true, position: { x: 70, y: 12 } });
  await expect(row).toHaveClass(/over/);
  await page.mouse.up();
  await expect.poll(async () => [(await seats())["1"], (await seats())["2"]]).toEqual([two, one]);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(seats).toEqual(before);

  // The same by keyboard: pick it up, then put it at the other table.
  await page.getByRole("button", { name: `Board ${one} of table 1: pick up` }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Put it here Table 2" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => [(await seats())["1"], (await seats())["2"]]).toEqual([two, one]);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(seats).toEqual(before);

  // Dragged out of the tables it has none.
  await close.click();
  await chip.hover();
  await page.mouse.down();
  const out = page.locator('[data-place="none"]');
  await out.hover({ force: true, position: { x: 60, y: 10 } });
  await out.hover({ force: true, position: { x: 70, y: 12 } });
  await page.mouse.up();
  await expect.poll(async () => (await seats())["1"]).toBeUndefined();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(seats).toEqual(before);
});

test("time for an illegal move: what the clock must show, and a note with the article", async ({
  browser,
}) => {
  daemon = await Daemon.rehearse("--boards", "4", "--speed", "2");
  const page = await daemon.open(browser, "arbiter");
  await page.goto("/admin#/arbiter");
  await page.locator("a.button", { hasText: "Table 3" }).first().click();
  const penalty = page.getByTestId("penalty");
  await expect(penalty.getByTestId("penalty-clock")).toHaveText(/White: the clock shows .+, set it to .+\./);
  await penalty.getByRole("button", { name: "Black gets the time" }).click();
  await penalty.getByRole("button", { name: "+1:00" }).click();
  const add = penalty.getByRole("button", { name: "Add it to the recorded time" });
  await add.click();
  await expect(page.getByText("The time is added to the last move of this player")).toBeVisible();
  const history = (await daemon.api("GET", "/history")) as { reason: string | null }[];
  expect(history[0]?.reason).toBe("1 min to Black, Laws A.5.2");
});
