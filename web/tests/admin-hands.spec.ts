/** Boards dragged to tables, players who exchange their seats, and time for an illegal move. */
import { expect, test, type Locator } from "@playwright/test";
import { Daemon } from "./daemon";

let daemon: Daemon;
test.afterEach(async () => daemon.end());

const seats = async () => ((await daemon.api("GET", "/hall")) as { seats: Record<string, string> }).seats;

test("a board is dragged to another table; the two change places, and undo brings them back", async ({
  browser,
}) => {
  daemon = await Daemon.paired();
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
  // The next action begins when the page has said that the one before is done.
  const undo = async () => {
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(page.getByTestId("bar")).toContainText("Undone.");
    await expect.poll(seats).toEqual(before);
  };
  await close.click();
  await chip.hover();
  await page.mouse.down();
  await row.hover({ force: true, position: { x: 60, y: 10 } });
  await row.hover({ force: true, position: { x: 70, y: 12 } });
  await expect(row).toHaveClass(/over/);
  await page.mouse.up();
  await expect.poll(async () => [(await seats())["1"], (await seats())["2"]]).toEqual([two, one]);
  await undo();

  // The same by keyboard: pick it up, then put it at the other table.
  await page.getByRole("button", { name: `Board ${one} of table 1: pick up` }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Put it here Table 2" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => [(await seats())["1"], (await seats())["2"]]).toEqual([two, one]);
  await undo();

  // Dragged out of the tables it has none.
  await close.click();
  await chip.hover();
  await page.mouse.down();
  const out = page.locator('[data-place="none"]');
  await out.hover({ force: true, position: { x: 60, y: 10 } });
  await out.hover({ force: true, position: { x: 70, y: 12 } });
  await page.mouse.up();
  await expect.poll(async () => (await seats())["1"]).toBeUndefined();
  await undo();
});

test("a finger drags a board to a table below the window, and beside a board it scrolls the page", async ({
  browser,
}) => {
  daemon = await Daemon.paired();
  daemon.connect("--boards", "2");
  const phone = { viewport: { width: 390, height: 340 }, hasTouch: true, isMobile: true };
  const page = await daemon.open(browser, "operator", phone);
  await page.goto("/admin#/round");
  await page.getByRole("main").getByRole("button", { name: "Boards" }).first().tap();
  const chips = page.getByRole("group", { name: "Boards without a table" }).getByRole("button");
  await expect(chips).toHaveCount(2);
  const serial = (await chips.first().textContent()) ?? "";
  const touch = await page.context().newCDPSession(page);
  const finger = (type: "touchStart" | "touchMove" | "touchEnd", x = 0, y = 0) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  const middle = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };
  const row = page.locator('tr[data-place="2"]');
  // The proposal for both boards stands above them, and what stands below has moved to its place.
  await expect(page.getByTestId("proposal")).toContainText("table 2:");
  await chips.first().evaluate((chip) => scrollBy(0, chip.getBoundingClientRect().top - 150));
  await chips.first().tap({ trial: true });
  const before = await page.evaluate(() => scrollY);
  const from = await middle(chips.first());
  expect((await middle(row)).y, "the table is out of sight").toBeGreaterThan(340);
  await finger("touchStart", from.x, from.y);
  await finger("touchMove", from.x + 4, from.y + 10);
  // At the lower edge the page moves on below the finger.
  await finger("touchMove", from.x, 330);
  await expect(chips.first(), "the finger holds the board").toHaveClass(/dragging/);
  await expect.poll(async () => (await middle(row)).y, { intervals: [20] }).toBeLessThan(250);
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(before);
  await finger("touchMove", from.x, 200);
  const to = await middle(row);
  await finger("touchMove", to.x, to.y);
  await expect(row).toHaveClass(/over/);
  await finger("touchEnd");
  await expect.poll(async () => (await seats())["2"]).toBe(serial);
  await expect(page.getByTestId("bar")).toContainText(serial);
  await page.getByRole("button", { name: "Undo", exact: true }).tap();
  await expect.poll(async () => (await seats())["2"]).toBeUndefined();

  // A tap picks the board up, a second tap puts it there.
  await expect(chips).toHaveCount(2);
  await chips.first().tap();
  await page.getByRole("button", { name: "Put it here Table 2" }).tap();
  await expect.poll(async () => (await seats())["2"]).toBe(serial);

  // A finger beside the boards scrolls, and moves none.
  await page.evaluate(() => scrollTo(0, 0));
  await finger("touchStart", 200, 300);
  for (let y = 290; y > 90; y -= 40) await finger("touchMove", 200, y);
  await finger("touchEnd");
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50);
  expect(Object.keys(await seats())).toEqual(["2"]);
});

test("two taps on names exchange seats, pair, and give a bye; each is taken back by the bar", async ({
  browser,
}) => {
  daemon = await Daemon.paired();
  const page = await daemon.open(browser, "operator", { viewport: { width: 360, height: 740 } });
  const close = page.getByTestId("bar").getByRole("button", { name: "Close" });
  const name = (player: string) => page.getByRole("main").getByRole("button", { name: player, exact: true });
  const rows = page.getByRole("table").locator("tbody .names");
  await page.goto("/admin#/round");
  await expect(rows).toHaveText(["Adler, Ida Bos, Jan", "Clark, Ann Davis, Tom"], { useInnerText: true });
  await name("Bos, Jan").click();
  await expect(name("Bos, Jan")).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByTestId("seat-bar")).toContainText("with whom to exchange the seat");
  await name("Clark, Ann").click();
  await expect(rows).toHaveText(["Adler, Ida Clark, Ann", "Bos, Jan Davis, Tom"], { useInnerText: true });
  await expect(page.getByTestId("seat-bar")).toHaveCount(0);
  await page.getByTestId("bar").getByRole("button", { name: "Undo" }).click();
  await expect(rows).toHaveText(["Adler, Ida Bos, Jan", "Clark, Ann Davis, Tom"], { useInnerText: true });

  // A late entrant: the name is wrong and is taken back; a bye, taken back; then the seat of one who does not come.
  await page.getByLabel("Name: Last, First").fill("Evans, Eva");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByTestId("free")).toHaveText("Evans, Eva");
  await page.getByTestId("bar").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByTestId("free")).toHaveCount(0);
  await page.getByLabel("Name: Last, First").fill("Evans, Eve");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await close.click();
  await expect(page.getByTestId("free")).toHaveText("Evans, Eve");
  await name("Evans, Eve").click();
  await page.getByTestId("seat-bar").getByRole("button", { name: "Half a point" }).click();
  await expect(page.getByText("Evans, Eve · Half a point")).toBeVisible();
  await page.getByTestId("bar").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByTestId("free")).toHaveText("Evans, Eve");
  await close.click();
  await name("Evans, Eve").click();
  await name("Davis, Tom").click();
  await expect(rows.nth(1)).toHaveText("Clark, Ann Evans, Eve", { useInnerText: true });
  await expect(page.getByTestId("free")).toHaveText("Davis, Tom");
  await close.click();

  // Two without a game play each other, by the keyboard as well; a pairing that is removed comes back.
  await page.getByLabel("Name: Last, First").fill("Frank, Leo");
  await page.keyboard.press("Enter");
  await expect(name("Frank, Leo")).toBeVisible();
  await name("Frank, Leo").focus();
  await page.keyboard.press("Enter");
  await name("Davis, Tom").focus();
  await page.keyboard.press("Enter");
  await expect(rows.nth(2)).toHaveText("Frank, Leo Davis, Tom", { useInnerText: true });
  await page.getByRole("button", { name: "Tools for pairing 3" }).click();
  await page.getByRole("button", { name: "Remove the pairing" }).click();
  await expect(rows).toHaveCount(2);
  await page.getByTestId("bar").getByRole("button", { name: "Undo" }).click();
  await expect(rows.nth(2)).toHaveText("Frank, Leo Davis, Tom", { useInnerText: true });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
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
