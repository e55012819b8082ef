/** Stories of arbiters and of the results desk, each with a daemon of its own. */
import { expect, test, type Page } from "@playwright/test";
import { Daemon } from "./daemon";

let daemon: Daemon;
test.afterEach(() => daemon.end());

/** The result of a game, `1/2-1/2`, as the daemon has it. */
async function resultOf(id: string): Promise<string | undefined> {
  const view = (await daemon.api("GET", "/sections/spring-open/rounds/1")) as {
    round: { games: { id: string; result: { white: string; black: string } | null }[] };
  };
  const points = { zero: "0", half: "1/2", one: "1" } as Record<string, string>;
  const result = view.round.games.find((game) => game.id === id)?.result;
  return result == null ? undefined : `${points[result.white]}-${points[result.black]}`;
}

/** Enters a draw at table 1 while another person enters another result there. */
async function drawAgainst(page: Page, game: string, other: string): Promise<void> {
  await page.goto("/admin#/results");
  await page.getByTestId("desk-table").fill("1");
  await page.getByTestId("desk-table").press("Enter");
  await expect(page.getByTestId("desk-game")).toContainText("Adler, Ida – Bos, Jan");
  await daemon.order({ order: "set_result", game, result: other });
  await page.getByTestId("desk-result").press("=");
  await expect(page.getByTestId("bar")).toContainText("anna changed this at");
}

test("a question about a change of another person names the action, goes with its page, and is asked again after a further change", async ({
  browser,
}) => {
  daemon = await Daemon.start();
  await daemon.withRound();
  const game = await daemon.game(1);
  const page = await daemon.open(browser, "arbiter");
  await drawAgainst(page, game, "1-0");
  const bar = page.getByTestId("bar");
  await expect(bar).toContainText("Result ½–½ · Spring Open · Round 1");
  await page.goto("/admin#/hall");
  await expect(bar).toHaveCount(0);
  expect(await resultOf(game)).toBe("1-0");

  await drawAgainst(page, game, "0-1");
  await daemon.order({ order: "set_result", game, result: "1-0" });
  await page.getByTestId("keep-mine").click();
  await expect(bar).toContainText("anna changed this at");
  expect(await resultOf(game)).toBe("1-0");
  await page.getByTestId("keep-mine").click();
  await expect(bar).toContainText("½");
  await expect.poll(() => resultOf(game)).toBe("1/2-1/2");
});
