/** What a visitor does beside watching: a promotion of one's own, the standings, a visit without a network. */
import { expect } from "@playwright/test";
import { test } from "./rehearsed";
import { game, hall } from "./spoken";

test("a pawn of one's own moves becomes what the visitor chooses, or goes back", async ({ page }) => {
  const fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
  await hall(page, [game(1, { fen })], "/#/board/1");
  const board = page.locator(".board cg-board");
  await expect(board.locator("piece.pawn")).toBeVisible();
  const square = async (file: number, rank: number) => {
    const box = await board.boundingBox();
    if (box === null) throw new Error("no board");
    const [x, y] = [((file + 0.5) * box.width) / 8, ((8 - rank + 0.5) * box.height) / 8];
    await page.mouse.click(box.x + x, box.y + y);
  };
  const chooser = page.getByTestId("promotion");
  const push = () =>
    expect(async () => {
      await square(0, 7);
      await square(0, 8);
      await expect(chooser).toBeVisible({ timeout: 1000 });
    }).toPass();
  await push();
  await chooser.getByRole("button", { name: "Cancel" }).click();
  await expect(chooser).toBeHidden();
  await expect(page.getByTestId("own")).toBeHidden();
  await push();
  await chooser.getByRole("button", { name: "White knight" }).click();
  await expect(page.getByTestId("own")).toContainText("1. a8=N");
  await expect(board.locator("piece.knight")).toBeVisible();
});

test("the standings have the points of the public results, and lead to the games", async ({
  page,
  daemon,
}) => {
  const view = (await daemon.api("GET", "/sections/rehearsal/rounds/1")) as {
    round: { games: { id: string; pair: { number: number } }[] };
  };
  const first = view.round.games.find((one) => one.pair.number === 1);
  await daemon.order({ order: "set_result", game: first?.id ?? "", result: "1-0" });
  const names = await page.request.get("/api/v1/sections/rehearsal/rounds/1");
  const { pairings } = (await names.json()) as {
    pairings: { board: number; white: { name: string }; black: { name: string } }[];
  };
  const winner = pairings.find((one) => one.board === 1)?.white.name ?? "?";
  await page.goto("/");
  await page.getByRole("link", { name: "Standings" }).click();
  const row = page.getByTestId("standings").getByRole("row").filter({ hasText: winner });
  await expect(row.locator("td b")).toHaveText("1");
  // On dark ground, too, White's mark is the light one.
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(row.locator(".mark").first()).toHaveCSS("background-color", "rgb(251, 250, 244)");
  const players = new Set(pairings.flatMap((one) => [one.white.name, one.black.name]));
  await expect(page.getByTestId("standings").getByRole("row")).toHaveCount(players.size + 1);
  const link = page.getByRole("link", { name: "Standings (CSV)" });
  const table = await page.request.get((await link.getAttribute("href")) ?? "");
  expect(table.headers()["content-disposition"]).toContain("rehearsal-standings.csv");
  expect((await table.text()).split("\r\n").filter((line) => line.includes(winner))).toHaveLength(1);
  await row.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/game\//);
  // Two players of one name have a row each, and each game of a round is there.
  await page.route("**/standings", async (route) => {
    const response = await route.fetch();
    const standings = (await response.json()) as { players: { rounds: { game: string }[] }[] };
    const twice = standings.players.slice(0, 1).flatMap((player) => {
      const rounds = player.rounds.slice(0, 1);
      const again = rounds.flatMap((had) => [had, { ...had, game: `${had.game}-again` }]);
      return [
        { ...player, rounds },
        { ...player, rounds: again },
      ];
    });
    await route.fulfill({ response, json: { ...standings, players: twice } });
  });
  await page.goto("/#/standings");
  await expect(page.getByTestId("standings").getByRole("row")).toHaveCount(3);
  await expect(page.getByTestId("standings").getByRole("row").nth(1).getByRole("link")).toHaveCount(1);
  await expect(page.getByTestId("standings").getByRole("row").nth(2).getByRole("link")).toHaveCount(2);
  await page.getByRole("link", { name: "All boards" }).last().click();
  await expect(page.locator("[data-board]").first()).toBeVisible();
});

test("without a network the page says so, and no game is kept on the device", async ({ page, context }) => {
  await page.goto("/");
  await expect(page.locator("[data-board]").first()).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  // The second visit goes through it.
  await page.reload();
  await expect(page.locator("[data-board]").first()).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const caught = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
        const requests = (await Promise.all(caught.map((one) => one.keys()))).flat();
        return requests.map((request) => new URL(request.url).pathname);
      }),
    )
    .toContainEqual(expect.stringMatching(/^\/assets\//));
  const kept = await page.evaluate(async () => {
    const caught = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = (await Promise.all(caught.map((one) => one.keys()))).flat();
    return requests.map((request) => new URL(request.url).pathname);
  });
  expect(kept.filter((path) => !path.startsWith("/assets/"))).toEqual([]);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("heading", { name: "No connection" })).toBeVisible();
  await context.setOffline(false);
  // By itself.
  await expect(page.locator("[data-board]").first()).toBeVisible();
});

test("a long name leaves the points of the standings on a phone's page", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.route("**/standings", async (route) => {
    const response = await route.fetch();
    const found = (await response.json()) as { players: { player: { name: string } }[] };
    const first = found.players[0];
    if (first) first.player.name = "Srinivasaraghavan Venkataraman, Panchanathan Magesh";
    await route.fulfill({ response, json: found });
  });
  await page.goto("/#/standings");
  const row = page.getByTestId("standings").getByRole("row").filter({ hasText: "Panchanathan" });
  await expect(row).toBeVisible();
  const points = await row.locator("b").boundingBox();
  expect((points?.x ?? 360) + (points?.width ?? 0)).toBeLessThan(348);
});
