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
  daemon = await Daemon.inRound();
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

test("a person's own order that the page does not show yet is no change of another person", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
  const game = await daemon.game(1);
  const page = await daemon.open(browser, "arbiter");
  let held = false;
  await page.routeWebSocket(/\/api\/v1\/admin\/live/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      // The page has its connection, and nothing new.
      const read = JSON.parse(String(message)) as { set: object; gone: string[] };
      socket.send(JSON.stringify(held ? { ...read, set: {}, gone: [] } : read));
    });
  });
  await page.goto("/admin#/results");
  await page.reload();
  const enter = async (key: string) => {
    await page.getByTestId("desk-table").fill("1");
    await page.getByTestId("desk-table").press("Enter");
    await page.getByTestId("desk-result").press(key);
  };
  await expect(page.getByTestId("desk-game")).toHaveCount(0);
  await page.getByTestId("desk-table").fill("1");
  await expect(page.getByTestId("desk-game")).toContainText("Adler, Ida – Bos, Jan");
  held = true;
  await enter("1");
  await expect.poll(() => resultOf(game)).toBe("1-0");
  await expect(page.getByTestId("desk-table")).toHaveValue("");
  await enter("=");
  await expect.poll(() => resultOf(game)).toBe("1/2-1/2");
  await expect(page.getByTestId("desk-table")).toHaveValue("");

  await daemon.order({ order: "set_result", game, result: "0-1" });
  await enter("1");
  await expect(page.getByTestId("bar")).toContainText("anna changed this at");
  await expect(page.getByTestId("bar")).toContainText(
    "(Adler, Ida – Bos, Jan (Table 1): result 0-1 instead of 1/2-1/2)",
  );
  expect(await resultOf(game)).toBe("0-1");
});

/** 1. e4 e5 2. Ke3, which is illegal: the game goes on from there with Black's move. */
const GONE_ON = "rnbqkbnr/pppp1ppp/8/4p3/4P3/4K3/PPPP1PPP/RNBQ1BNR b kq - 1 2";

/** Has a page read of the record of a game that moves went unseen after ply 2. */
async function withGap(page: Page): Promise<void> {
  await page.routeWebSocket(/\/api\/v1\/admin\/live/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      const read = JSON.parse(String(message)) as { set: Record<string, { gaps?: unknown }> };
      for (const [key, value] of Object.entries(read.set)) {
        if (key.startsWith("moves/")) value.gaps = [{ after_ply: 2, fen: GONE_ON }];
      }
      socket.send(JSON.stringify(read));
    });
  });
}

test("after moves that went unseen, lists and penalties have the side that moved", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const game = await daemon.game(1);
  const moves = ["e4", "e5", "Nc3"].map((san) => ({ san }));
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves } });
  await daemon.order({ order: "set_clock", game, ply: 1, clk_ms: 5_000_000, emt_ms: null });
  await daemon.order({ order: "set_clock", game, ply: 3, clk_ms: 4_000_000, emt_ms: null });
  const page = await daemon.open(browser, "arbiter");
  await withGap(page);
  await page.goto(`/admin#/arbiter/${encodeURIComponent(game)}`);
  await page.reload();
  const last = page.getByTestId("sheet").getByRole("row").last();
  await expect(last.getByRole("cell")).toHaveText(["", "", "", "Nc3", "1:06:40", ""]);
  await expect(page.getByTestId("sheet")).toContainText("Moves went unseen here.");
  await expect(page.getByTestId("claims")).toContainText("Moves of this game went unseen");
  await page.getByTestId("penalty").getByRole("button", { name: "Add it to the recorded time" }).click();
  // The time of this move was entered before: it asks.
  await page.getByTestId("penalty").getByRole("button", { name: "Add it again" }).click();
  await expect(page.getByTestId("bar")).toContainText("The time is added");
  const pgn = await (await fetch(`${daemon.url}/pgn/game/${encodeURIComponent(game)}.pgn`)).text();
  expect(pgn).toContain("e4 {[%clk 1:25:20]}");

  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  const list = page.getByTestId("moves");
  await expect(list).toContainText("Moves went unseen here.");
  const cells = list.getByRole("row").last().getByRole("cell");
  await expect(cells.first()).toHaveText("");
  await expect(cells.last()).toContainText("Nc3");
});

test("the results desk is ready for digits, and asks for the section where two have a table of this number", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
  await daemon.order({ order: "set_section", section: "blitz", settings: { name: "Blitz" } });
  const form = new FormData();
  form.append("file", new File(["Table;White;Black\n1;Eden, Eva;Ford, Finn\n"], "blitz.csv"));
  await daemon.api("POST", "/sections/blitz/pairings?round=1&confirm=true", form);
  await daemon.order({ order: "publish", section: "blitz", round: 1, confirm: true });
  const page = await daemon.open(browser, "arbiter");
  await page.goto("/admin#/results");
  await expect(page.getByTestId("desk-table")).toBeFocused();
  await page.keyboard.type("1");
  await expect(page.getByTestId("desk-game")).toHaveText("2 sections have a table 1: choose the section.");
  await page.keyboard.press("Enter");
  const section = page.getByTestId("desk-section");
  await expect(section).toBeFocused();
  await section.selectOption("Spring Open");
  await expect(page.getByTestId("desk-game")).toContainText("Adler, Ida – Bos, Jan");
  await section.press("Enter");
  await page.keyboard.press("1");
  await expect.poll(async () => resultOf(await daemon.game(1))).toBe("1-0");
  await expect(page.getByTestId("desk-table")).toBeFocused();
  await expect(section).toHaveCount(0);
});

test("a penalty says what was added at its move by whom, and a second one asks", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const game = await daemon.game(1);
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "e4" }] } });
  await daemon.order({ order: "set_clock", game, ply: 1, clk_ms: 5_000_000, emt_ms: null });
  const lines = (await daemon.api("GET", "/history")) as { correction: { number: number } }[];
  await daemon.order({ order: "undo", number: lines[0]?.correction.number });
  await daemon.order({ order: "set_clock", game, ply: 1, clk_ms: 5_000_000, emt_ms: null });
  const clock = async () =>
    /%clk ([\d:]+)/.exec(
      await (await fetch(`${daemon.url}/pgn/game/${encodeURIComponent(game)}.pgn`)).text(),
    )?.[1];
  const page = await daemon.open(browser, "arbiter");
  await page.goto(`/admin#/arbiter/${encodeURIComponent(game)}`);
  const penalty = page.getByTestId("penalty");
  const add = penalty.getByRole("button", { name: "Add it to the recorded time" });
  await expect(penalty.getByTestId("by-whom")).toHaveText(/^\d\d:\d\d · anna$/);
  await add.click();
  await expect(penalty).toContainText("Add time to this move a second time?");
  expect(await clock()).toBe("1:23:20");
  await penalty.getByRole("button", { name: "Cancel" }).click();
  await add.click();
  await penalty.getByRole("button", { name: "Add it again" }).click();
  await expect(page.getByTestId("bar")).toContainText("The time is added");
  await expect(penalty.getByTestId("by-whom").last()).toHaveText(
    /^\d\d:\d\d · arbiter: 2 min to White, Laws 7.5.5$/,
  );
  expect(await clock()).toBe("1:25:20");

  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  const history = page.locator("section").filter({ has: page.getByRole("heading", { name: "History" }) });
  await expect(history.getByRole("listitem").first()).toContainText(
    /times of ply 1 changed.*arbiter: 2 min to White, Laws 7.5.5/,
  );
});

test("times are those of the game's section, not of the first one", async ({ browser }) => {
  daemon = await Daemon.start();
  const settings = { name: "Another", zone: "Asia/Tokyo" };
  await daemon.order({ order: "set_section", section: "another", settings });
  await daemon.withRound();
  const game = await daemon.game(1);
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "e4" }] } });
  const page = await daemon.open(browser, "arbiter", { timezoneId: "Asia/Tokyo" });
  await drawAgainst(page, game, "1-0");
  const time = (at: number) =>
    new Intl.DateTimeFormat("en", {
      timeZone: "Europe/Prague",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    }).format(at);
  const now = Date.now();
  const [said] = /\d\d:\d\d/.exec(await page.getByTestId("bar").innerText()) ?? [];
  expect([time(now), time(now - 60_000)]).toContain(said);
});

test("who entered a result is no reason for viewers, and has words on the dashboard", async ({ browser }) => {
  daemon = await Daemon.inRound();
  const game = await daemon.game(1);
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "e4" }] } });
  await daemon.order({ order: "set_result", game, result: "1-0" });
  const visitor = await (await daemon.stranger(browser)).newPage();
  await visitor.goto(`/#/game/${encodeURIComponent(game)}`);
  await expect(visitor.getByTestId("state")).toHaveText("White wins");
  const page = await daemon.open(browser, "arbiter");
  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await expect(page.getByText("1–0 entered by a person")).toBeVisible();
});

test("a printed scoresheet has date, place and the reason of the result, and no bar over it", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
  const game = await daemon.game(1);
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "e4" }] } });
  await daemon.order({ order: "set_result", game, result: "1-0", reason: "resignation" });
  const page = await daemon.open(browser, "arbiter");
  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await page.getByTestId("edit").click();
  await page.getByLabel("Moves to add").fill("e5");
  await page.getByRole("button", { name: "Add these moves" }).click();
  await expect(page.getByTestId("bar")).toBeVisible();
  await page.goto(`/admin#/arbiter/${encodeURIComponent(game)}`);
  const sheet = page.getByTestId("sheet");
  await expect(sheet).toContainText("Prague");
  await expect(sheet).toContainText(/\b20\d\d\b/);
  await expect(sheet).toContainText("1–0 resignation");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByTestId("bar")).toBeHidden();
});

test("without JavaScript a long name on a phone is cut, and the clock is there", async ({ browser }) => {
  daemon = await Daemon.rehearse("--boards", "4");
  const phone = { javaScriptEnabled: false, viewport: { width: 360, height: 740 } };
  const page = await (await daemon.stranger(browser, phone)).newPage();
  await page.route(`${daemon.url}/`, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(
      '"drawn-player">',
      '"drawn-player">Konstantinopolitanska, Anna ',
    );
    await route.fulfill({ response: answer, body });
  });
  await expect(async () => {
    await page.goto("/");
    expect(await page.locator(".drawn-clock").count()).toBeGreaterThan(3);
  }).toPass();
  const ends = await page.locator(".drawn-clock").evaluateAll((clocks) =>
    clocks.map((clock) => {
      const [own, line] = [clock.getBoundingClientRect(), clock.parentElement?.getBoundingClientRect()];
      return line !== undefined && own.right <= line.right && own.bottom <= line.bottom && own.width > 0;
    }),
  );
  expect(ends).not.toContain(false);
});

test("the delay stands on a phone's page of a game, in embedded pages and on screens, and nothing there is live", async ({
  browser,
}) => {
  daemon = await Daemon.inRound();
  const game = await daemon.game(1);
  await daemon.order({ order: "edit_moves", game, edit: { edit: "set", after: 0, moves: [{ san: "e4" }] } });
  const page = await (await daemon.stranger(browser, { viewport: { width: 360, height: 740 } })).newPage();
  // The page begins with the socket's snapshot alone.
  await page.route(/\/api\/v1\/round/, (route) => route.fulfill({ status: 503 }));
  await page.routeWebSocket(/\/api\/v1\/live/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      const read = JSON.parse(String(message)) as { snapshot?: { delay_ms: number } };
      if (read.snapshot !== undefined) read.snapshot.delay_ms = 120_000;
      socket.send(JSON.stringify(read));
    });
  });
  const id = encodeURIComponent(game);
  await page.goto(`/#/game/${id}`);
  await expect(page.getByText("shown 2 minutes late")).toBeVisible();
  await expect(page.getByRole("button", { name: "Latest" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Live" })).toHaveCount(0);
  await page.goto(`/embed/game/${id}`);
  await expect(page.getByText("shown 2 minutes late")).toBeVisible();
  await expect(page.getByRole("button", { name: "Latest" })).toBeVisible();
  await page.goto("/screen");
  await expect(page.getByTestId("round")).toContainText("shown 2 minutes late");
});

test("a game is adjourned with the tools of its table, which the public sees, and resumed there", async ({
  browser,
}) => {
  daemon = await Daemon.paired();
  daemon.connect("--boards", "2", "--speed", "0.05", "--regardless");
  const page = await daemon.open(browser, "operator");
  await page.goto("/admin#/round/spring-open/1");
  await page.getByRole("button", { name: "Boards", exact: true }).click();
  await page.getByLabel("Board of table 1").focus();
  await expect(page.getByLabel("Board of table 1").locator("option")).toHaveCount(3);
  await page.getByRole("button", { name: "Use the order of serial numbers" }).click();
  await expect(page.getByTestId("bar")).toContainText("serial numbers");
  await daemon.order({ order: "publish", section: "spring-open", round: 1 });
  const game = await daemon.game(1);
  const viewer = await (await daemon.stranger(browser)).newPage();
  await viewer.goto(`${daemon.url}/`);

  await page.goto(`/admin#/table/${encodeURIComponent(game)}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: "Adjourn the game" }).click();
  await expect(page.getByTestId("bar")).toContainText("The game is adjourned.");
  await expect(page.getByRole("button", { name: "Adjourn the game" })).toHaveCount(0);
  const counts = viewer.getByTestId("counts");
  await expect(counts).toContainText("1 adjourned");
  await expect(viewer.getByTestId("news").filter({ hasText: "adjourned" })).toHaveCount(1);

  await page.getByRole("button", { name: "Resume the game" }).click();
  await expect(page.getByTestId("bar")).toContainText("The game is resumed");
  await expect(page.getByRole("button", { name: "Resume the game" })).toHaveCount(0);
  await expect(counts).not.toContainText("adjourned");
});
