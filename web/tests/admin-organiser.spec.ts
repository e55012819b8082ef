/** What an organiser meets on the way: questions, hints, and pages that name what they are about. */
import { expect, test, type Page } from "@playwright/test";
import { Daemon, PASSWORD } from "./daemon";

let daemon: Daemon;
test.afterEach(async () => daemon.end());

/** The button that opens the settings of the tournament's section. */
const settingsOf = (page: Page) =>
  page.locator("section").filter({ hasText: "Spring Open" }).getByRole("button", { name: "Settings" });

test("a question names its action, and goes with an edit, another page and another order", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
  const page = await daemon.open(browser, "operator");
  const bar = page.getByTestId("bar");
  const yes = bar.getByRole("button", { name: "Do it anyway" });
  await page.goto("/admin#/event");
  await page.getByRole("button", { name: "Add a section" }).click();
  await page.getByLabel("Name of the section").fill("Rapid");
  const control = page.getByLabel("Time control");
  await control.fill("15+10");
  await page.getByRole("button", { name: "Create the section" }).click();
  await expect(bar.locator("b")).toHaveText("Create the section");
  await expect(yes).toBeVisible();
  await control.fill("900+10");
  await expect(bar).toHaveCount(0);

  const game = await daemon.game(1);
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "d4" }] } });
  await page.reload();
  const settings = settingsOf(page);
  await settings.click();
  const end = page.getByRole("button", { name: "End the event" });
  await end.click();
  await expect(bar.locator("b")).toHaveText("End the event · Spring Open");
  await page.getByRole("link", { name: "Hall", exact: true }).click();
  await expect(bar).toHaveCount(0);

  await page.goto("/admin#/event");
  await settings.click();
  await end.click();
  await expect(yes).toBeVisible();
  // An edit would take the question away as well: this order changes nothing that was typed.
  await page.getByRole("button", { name: "Save" }).click();
  await expect(bar).toContainText("The settings are saved");
  await expect(yes).toHaveCount(0);
  await settings.click();
  await end.click();
  await yes.click();
  await expect(bar).toContainText("Done");
});

test("a time control is typed as people write it", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/event");
  await settingsOf(page).click();
  const control = page.getByLabel("Time control");
  await control.fill("90 min + 30 sec");
  await expect(page.getByText("Stored in seconds: 5400+30")).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByTestId("bar")).toContainText("The settings are saved");
  await expect(page.getByText("90 min + 30 s · 1 round")).toBeVisible();

  await settingsOf(page).click();
  await control.fill("15+10");
  await page.getByRole("button", { name: "In minutes: 900+10" }).click();
  await expect(control).toHaveValue("900+10");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("15 min + 10 s · 1 round")).toBeVisible();
});

test("one's own password is changed, and only this browser stays logged in", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const [laptop, phone] = [await daemon.open(browser, "operator"), await daemon.open(browser, "operator")];
  await laptop.goto("/admin#/system");
  await laptop.getByText("Change the password").click();
  await laptop.getByLabel("Old password").fill("something else");
  await laptop.getByLabel("Password, at least 10 characters").fill("another good password");
  await laptop.getByRole("button", { name: "Save the new password" }).click();
  await expect(laptop.getByRole("alert")).toHaveText("The old password is wrong.");
  await laptop.getByLabel("Old password").fill(PASSWORD);
  await laptop.getByRole("button", { name: "Save the new password" }).click();
  await expect(laptop.getByTestId("bar")).toContainText("The password is changed");
  await expect(phone.getByText("The session has ended: log in again")).toBeVisible();
  await laptop.reload();
  await expect(laptop.getByText("operator, Operator")).toBeVisible();
});

test("without an administrator the login says where the link is", async ({ browser }) => {
  daemon = await Daemon.start();
  const page = await (await daemon.stranger(browser)).newPage();
  await page.goto("/admin");
  await expect(page.getByText("open the link that the daemon printed")).toBeVisible();
  await daemon.withRound();
  await page.reload();
  await expect(page.getByLabel("Name")).toBeVisible();
  await expect(page.getByText("open the link that the daemon printed")).toHaveCount(0);
});

test("boards that were not assigned are not forgotten, and no result is entered before a game", async ({
  browser,
}) => {
  daemon = await Daemon.paired();
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/results");
  await expect(page.getByText("No game of a round has begun.")).toBeVisible();
  await page.goto("/admin#/round/spring-open/1");
  await page.getByRole("button", { name: "Ready check" }).click();
  const ready = page.getByTestId("ready");
  await expect(ready).toContainText("No board is found yet.");
  daemon.connect("--boards", "3", "--speed", "1");
  await expect(ready).toContainText("Tables without a board: 2. Connected boards without a table: 3.");
  await expect(ready).toContainText("The round can start. Look at this first:");
  await expect(ready).not.toContainText("Everything is ready.");
});

test("where there are several sections, lists and addresses name theirs", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/arbiter");
  const entry = page.getByRole("link", { name: "Adler, Ida" });
  await expect(entry).toBeVisible();
  await expect(entry).not.toContainText("Spring Open");
  const settings = { name: "Rapid", site: "Prague", zone: "Europe/Prague", first_table: 11 };
  await daemon.order({ order: "set_section", section: "rapid", settings });
  const form = new FormData();
  form.append("file", new File(["Round 1\nTable;White;Black\n1;Eng, Kim;Frank, Leo\n"], "round-1.csv"));
  await daemon.api("POST", "/sections/rapid/pairings", form);
  await expect(entry).toContainText("Spring Open");
  await page.goto("/admin#/event/follow");
  await expect(
    page.getByRole("heading", { name: "PGN for broadcast sites and programs: Rapid" }),
  ).toBeVisible();
  const game = await daemon.game(1);
  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Spring Open");
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "d4" }] } });
  await page.goto("/admin#/results");
  await expect(page.getByTestId("missing").first()).toContainText("Spring Open");
  await page.goto("/admin#/hall");
  await expect(page.locator("main a[data-table='1']").first()).toHaveAccessibleName(/Spring Open/);
});

test("an address of a round that is not there says so, and the round opens once it is public", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
  const page = await (await daemon.stranger(browser)).newPage();
  for (const [address, where] of [
    ["/?event=zzz", "/"],
    ["/?event=spring-open&round=7", "/"],
  ] as const) {
    await page.goto(address);
    await expect(page.getByText("There is no such event or round here")).toBeVisible();
    await page.getByRole("link", { name: "To the current round" }).click();
    await expect(page).toHaveURL(`${daemon.url}${where}`);
  }
  await page.goto("/screen?event=zzz");
  await expect(page.getByText("There is no such event or round here")).toBeVisible();
});
