/** Answers that come late: what the organiser typed or opened meanwhile stays, and is not mixed with them. */
import { expect, test, type Page } from "@playwright/test";
import { Daemon } from "./daemon";

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

test("a table that is pasted while another one is looked at is not shown with the changes of that one", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withRound();
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
});
