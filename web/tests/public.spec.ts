/** The public pages as visitors, other sites and streams get them, on a rehearsed hall of their own. */
import { expect, type Page } from "@playwright/test";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { round, started, test } from "./rehearsed";

const policyErrors = (page: Page) => {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return errors;
};

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("positions, names and results are there, and each game has its page", async ({ page }) => {
    const { games, event } = await round(page);
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(event.name);
    await expect(page.locator(".drawn-tile")).toHaveCount(games.length);
    await expect(page.locator(".drawn-board")).toHaveCount(games.length);
    await page.locator(".drawn-tile").nth(1).click();
    await expect(page).toHaveURL(/\/game\/.+/);
    await expect(page.locator(".drawn-board use[href^='#w']").first()).toBeAttached();
    await expect(page.locator(".drawn-moves")).toBeVisible();
  });
});

test("no part of the pages breaks the content security policy, and none sets a cookie", async ({
  page,
  context,
}) => {
  const errors = policyErrors(page);
  const game = await started(page);
  for (const address of [
    "/",
    `/#/game/${encodeURIComponent(game.game)}`,
    `/embed/game/${encodeURIComponent(game.game)}`,
    "/embed/round/current",
    "/overlay/board/auto",
    "/overlay/ticker",
    "/screen",
  ]) {
    await page.goto(address);
    await page.reload();
    await expect(page.locator("piece.king, .ticker").first()).toBeAttached();
  }
  expect(errors).toEqual([]);
  expect(await context.cookies()).toEqual([]);
});

test("the first view is below 100 kB", async ({ page }) => {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  let bytes = 0;
  client.on("Network.loadingFinished", (one) => (bytes += one.encodedDataLength));
  await page.goto("/");
  await expect(page.getByTestId("status")).toHaveText("Live");
  await expect(page.locator("piece.king").first()).toBeAttached();
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(100_000);
});

test("a link to a game opens it at its move, with a picture for previews", async ({ page }) => {
  const game = await started(page);
  const answer = await page.request.get(`/game/${encodeURIComponent(game.game)}`);
  const picture = /property="og:image" content="([^"]+)"/.exec(await answer.text())?.[1] ?? "";
  expect(picture).toMatch(/^http.+\/board\/.+\.png$/);
  const drawn = await page.request.get(picture);
  expect(drawn.headers()["content-type"]).toBe("image/png");
  await page.goto(`/game/${encodeURIComponent(game.game)}?ply=1`);
  await expect(page.getByTestId("moves").locator("[aria-current=step]")).toHaveAttribute("data-ply", "1");
  await expect(page.getByRole("button", { name: /^(Live|End)/ })).toHaveAttribute("aria-pressed", "false");
});

test("own moves stand beside the game and leave it as it is", async ({ page }) => {
  const game = await started(page);
  await page.goto(`/game/${encodeURIComponent(game.game)}?ply=0`);
  const board = page.locator(".board cg-board");
  await expect(board.locator("piece.king").first()).toBeVisible();
  const square = async (name: string) => {
    const box = await board.boundingBox();
    if (box === null) throw new Error("no board");
    const file = name.charCodeAt(0) - 97;
    const rank = Number(name[1]);
    await page.mouse.click(
      box.x + ((file + 0.5) * box.width) / 8,
      box.y + ((8 - rank + 0.5) * box.height) / 8,
    );
  };
  const own = page.getByTestId("own");
  await expect(async () => {
    await square("a2");
    await square("a3");
    await expect(own).toContainText("1. a3", { timeout: 1000 });
  }).toPass();
  await square("a7");
  await square("a6");
  await expect(own).toContainText("a6");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(own).toBeHidden();
  await expect(page.getByTestId("moves").getByRole("button").first()).not.toHaveText(/^a3/);
});

test("a game shows its opening, its times, and the board square by square", async ({ page }) => {
  const game = await started(page);
  await page.goto(`/game/${encodeURIComponent(game.game)}?ply=1`);
  await expect(page.getByTestId("squares").getByRole("cell", { name: "White king" })).toHaveCount(1);
  await page.getByRole("button", { name: "Clocks and time per move" }).click();
  await expect(page.getByTestId("plot").locator("canvas")).toHaveCount(2);
  await page.getByRole("button", { name: "Turn the board" }).click();
  await expect(page.locator(".board .cg-wrap")).toHaveClass(/orientation-black/);
});

test("players are followed on this device, and the round is filtered by them", async ({ page }) => {
  const game = await started(page);
  const { games } = await round(page);
  // In a rehearsal one name may play at several boards.
  const name = game.tags["White"];
  const theirs = games.filter(({ tags }) => tags["White"] === name || tags["Black"] === name).length;
  await page.goto(`/#/game/${encodeURIComponent(game.game)}`);
  await page
    .getByRole("button", { name: /^Follow / })
    .first()
    .click();
  await page.getByRole("link", { name: "All boards" }).click();
  await page.getByRole("button", { name: "Followed" }).click();
  const tiles = page.getByRole("region", { name: "Boards of the hall" }).getByRole("link");
  await expect(tiles).toHaveCount(theirs);
  await page.reload();
  await expect(tiles).toHaveCount(games.length);
  await page.getByRole("button", { name: "Followed" }).click();
  await expect(tiles).toHaveCount(theirs);
});

test("the pages speak the visitor's language", async ({ browser, baseURL }) => {
  for (const [locale, word, letter] of [
    ["de-AT", "Alle Bretter", "S"],
    ["fr-FR", "Tous les échiquiers", "C"],
    ["pl-PL", "Wszystkie szachownice", "S"],
  ]) {
    const page = await browser.newPage({ locale: locale ?? "", baseURL: baseURL ?? "" });
    const game = await started(page);
    await page.goto(`/#/game/${encodeURIComponent(game.game)}`);
    await expect(page.getByRole("link", { name: word ?? "" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", (locale ?? "").slice(0, 2));
    const knights = page.getByTestId("moves").locator(".san", { hasText: /^N/ });
    await expect(knights).toHaveCount(0);
    expect(letter).not.toBe("N");
    await page.close();
  }
});

test.describe("in the page of another site", () => {
  let other: Server;
  let address = "";
  let html = "";
  test.beforeAll(async () => {
    other = createServer((_, answer) => {
      answer.writeHead(200, { "content-type": "text/html" }).end(html);
    });
    await new Promise<void>((ready) => other.listen(0, "127.0.0.1", ready));
    address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  });
  test.afterAll(() => void other.close());

  test("a game and a round stand in frames, the front page does not", async ({ page, baseURL }) => {
    const game = await started(page);
    const frame = (path: string) => `<iframe width="600" height="500" src="${baseURL}${path}"></iframe>`;
    html = `<!doctype html>${frame(`/embed/game/${game.game}?theme=dark&light=ffffff&lang=de&flip=1`)}
      ${frame("/embed/round/current?dark=%22%3E%3Cscript%3E")}${frame("/")}`;
    await page.goto(address);
    const shown = (index: number) => page.frameLocator("iframe").nth(index);
    await expect(shown(0).locator(".board .cg-wrap")).toHaveClass(/orientation-black/);
    await expect(shown(0).locator("html")).toHaveAttribute("lang", "de");
    await expect(shown(1).locator("[data-board] piece.king").first()).toBeAttached();
    await expect(shown(2).locator("#page")).toHaveCount(0);
  });

  test("the script upgrades links to PGN, and frames of pgn4web", async ({ page, baseURL }) => {
    const game = await started(page);
    html = `<!doctype html><html lang="en"><script src="${baseURL}/embed.js" async></script>
      <a data-boardcast href="${baseURL}/pgn/game/${game.game}.pgn">A game</a>
      <a data-boardcast href="https://elsewhere.example/pgn/game/x.pgn">Elsewhere</a>
      <iframe width="500" height="400"
        src="/pgn4web/live-compact.html?am=l&pgnData=${encodeURIComponent(`${baseURL}/live.pgn`)}&rm=1"></iframe>`;
    await page.goto(address);
    await expect(page.locator("iframe[title='A game']")).toHaveAttribute("src", /\/embed\/game\//);
    await expect(page.getByRole("link", { name: "Elsewhere" })).toBeVisible();
    await expect(page.locator("iframe[src*='/embed/round/current']")).toHaveCount(1);
    await expect(page.frameLocator("iframe[title='A game']").locator(".board piece.king")).toHaveCount(2);
  });
});

test("overlays are transparent and show what their address names", async ({ page }) => {
  const game = await started(page);
  for (const [path, boards] of [
    [`board/${game.board}`, 1],
    ["board/auto", 1],
    ["board/current", 1],
    [`players/${encodeURIComponent((game.tags["White"] ?? "").split(",")[0] ?? "")}`, 1],
    ["wall?n=3", 3],
    ["wall?n=-7", 6],
  ] as const) {
    await page.goto(`/overlay/${path}`);
    await expect(page.locator("[data-board]"), path).toHaveCount(boards);
    if (path.startsWith("board/1")) {
      await expect(page.locator("[data-board]")).toHaveAttribute("data-board", String(game.board));
    }
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toBe("rgba(0, 0, 0, 0)");
  }
  await page.goto("/overlay/ticker");
  await expect(page.getByRole("listitem").first()).toContainText("–");
});

test("a hall screen turns over boards and results, with the way to the boards", async ({ page }) => {
  await page.goto("/screen?n=4&seconds=3");
  await expect(page.locator("[data-board]")).toHaveCount(4);
  const first = await page.locator("[data-board]").first().getAttribute("data-board");
  await expect(page.locator("[data-board]").first()).not.toHaveAttribute("data-board", first ?? "");
  await expect(page.getByRole("row").first()).toBeVisible();
  await expect(page.getByRole("img", { name: /^http/ })).toBeVisible();
  await page.goto("/screen?n=%3Cb%3E&seconds=-1e9");
  await expect(page.locator("[data-board]").first()).toBeVisible();
});

test("unknown addresses and rubbish get sensible answers", async ({ page }) => {
  for (const path of [
    "/nowhere",
    "/game/none",
    "/embed/round/none/1",
    "/board/none.png",
    "/assets/none.js",
  ]) {
    expect((await page.request.get(path)).status(), path).toBe(404);
  }
  await page.goto("/?event=%3Cscript%3E&round=x#/game/%E0%A4%A");
  await expect(page.locator("#page")).toBeAttached();
});
