/**
 * Prints how fast the dashboard is: the longest task while 200 tables come and while they play, on a processor that is 6 times
 * slower. `BOARDS=300` takes another number of boards. Times are measured, never asserted.
 */
import { launch, longestTask, milliseconds, rehearse, slowProcessor } from "./common.mjs";

const boards = process.env.BOARDS ?? "200";
const WATCHED_MS = 15_000;

const hall = await rehearse(boards, 4);
const browser = await launch();
try {
  const context = await browser.newContext({ baseURL: hall.address, viewport: { width: 1280, height: 900 } });
  const token = hall.link.split("#")[1];
  const made = await context.request.post("/api/v1/admin/first-administrator", {
    data: { token, name: "anna", password: "four words are good" },
  });
  if (!made.ok()) throw new Error(`No administrator: ${made.status()}`);
  await new Promise((done) => setTimeout(done, 5000));
  for (const names of [true, false]) {
    const page = await context.newPage();
    await page.addInitScript(
      (tiles) => localStorage.setItem("boardcast-tiles", tiles),
      names ? "names" : "numbers",
    );
    await slowProcessor(await context.newCDPSession(page));
    await page.goto("/robots.txt");
    const what = names ? "with names  " : "numbers only";
    const coming = await longestTask(browser, page, async () => {
      await page.goto("/admin#/hall");
      await page
        .locator("[data-testid=small]")
        .nth(Number(boards) * 0.8)
        .waitFor({ state: "attached", timeout: 120_000 });
    });
    console.log(`${boards} tables come, ${what}:   ${milliseconds(coming)}`);
    const playing = await longestTask(browser, page, () => page.waitForTimeout(WATCHED_MS));
    console.log(`${boards} tables play, ${what}:   ${milliseconds(playing)}`);
    await page.close();
  }
} finally {
  await browser.close();
  hall.end();
}
