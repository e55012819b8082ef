/**
 * How many taps each task of a round takes from the hall and from its own page, and what the page asks the daemon for it: the table in
 * docs/organisers.md, which `BOARDCAST_RENEW=1` writes. Choosing in a list is two taps, writing into a field one; letters are not counted.
 * No task takes more than three from its own page, and none of a pairing more than two.
 */
import { expect, test, type Locator, type Page } from "@playwright/test";
import { readFileSync, writeFileSync } from "node:fs";
import { E4_E5, SECTION, board, game, hall, moves, speak } from "./spoken-dashboard";

const DOCUMENT = "../docs/organisers.md";
const [BEGIN, END] = ["<!-- taps: made by BOARDCAST_RENEW=1 -->\n", "<!-- taps: end -->"] as const;

/** A phone in one hand. */
test.use({ viewport: { width: 360, height: 740 } });

/** A person who counts. */
class Hand {
  taps = 0;
  /** Those since the page of the task opened, as that of the table or of the round; null where it is the hall. */
  atPage: number | null = null;
  /** Requests that were made before the task. */
  earlier = 0;
  constructor(readonly page: Page) {}

  async tap(locator: Locator): Promise<void> {
    this.taps += 1;
    if (this.atPage !== null) this.atPage += 1;
    await locator.click();
  }
  button(name: string): Promise<void> {
    return this.tap(this.page.getByRole("button", { name, exact: true }));
  }
  link(name: string): Promise<void> {
    return this.tap(this.page.getByRole("link", { name, exact: true }));
  }
  /** Opens the page of the task. */
  async to(name: string): Promise<void> {
    await this.link(name);
    this.atPage = 0;
  }
  /** A square of the board on which moves are played, which has White below. */
  async square(name: string): Promise<void> {
    this.taps += 1;
    if (this.atPage !== null) this.atPage += 1;
    const board = this.page.locator("[aria-labelledby=as-recorded] cg-board");
    const { width = 0 } = (await board.boundingBox()) ?? {};
    const [file, rank] = ["abcdefgh".indexOf(name[0] ?? ""), Number(name[1])];
    await board.click({ position: { x: ((file + 0.5) * width) / 8, y: ((8.5 - rank) * width) / 8 } });
  }
  /** A name in the pairings of a round. */
  player(name: string): Promise<void> {
    return this.tap(this.page.getByRole("main").getByRole("button", { name, exact: true }));
  }
  async tile(): Promise<void> {
    await this.tap(this.page.locator('main a[data-table="1"]').first());
    this.atPage = 0;
  }
  /** A move in the list of moves. */
  move(san: string): Promise<void> {
    return this.tap(this.page.getByTestId("moves").getByRole("button", { name: new RegExp(`^${san}`) }));
  }
  async choose(label: string, value: string): Promise<void> {
    this.taps += 2;
    if (this.atPage !== null) this.atPage += 2;
    const inside = this.page.locator("label", { hasText: new RegExp(`^${label}`) }).locator("select");
    const named = this.page.locator(`select[aria-label="${label}"]`);
    const select = inside.or(named).first();
    // Some lists come when a person turns to them.
    await select.focus();
    await select.selectOption(value);
  }
  async write(field: Locator, text: string): Promise<void> {
    await this.tap(field);
    await field.fill(text);
  }
}

const round = (state: string) => [
  { ...SECTION, rounds: [{ round: 1, name: null, state, games: 1, delay_s: 0 }] },
];
const PLAYED = { hall: hall([SECTION]), "game/g1": game(1), "board/101": board(1), "moves/g1": moves("g1") };
const PLAYERS = { 1: { name: "Adler, Ida" }, 2: { name: "Bos, Jan" }, 3: { name: "Clark, Ann" } };
const UNREADABLE = {
  "game/g1": game(1, { unexplained: true }),
  "board/101": board(1, { unexplained: ["e5", "e7"] }),
};
const alarm = { id: 3, kind: "flag_down", audience: "arbiter", rule: "6.9", game: "g1", tables: [1] };
const ALARM = { ...alarm, sides: ["white"], text: "", sentences: [], can_wait: false, raised_at: 0 };
const OUTPUT = { name: "web", kind: "http", place: "https://example.org", section: null, delay: null };
const SENDING = { ...OUTPUT, configured: true, state: "up_to_date", trouble: null, warnings: [], sent_at: 0 };

/** What is done, what the dashboard shows before it, the way, and the order or the request that it ends with, if any. */
type Task = readonly [string, object, (hand: Hand) => Promise<void>, string];

const TASKS: readonly Task[] = [
  [
    "Correct a move",
    {},
    async (hand) => {
      await hand.tile();
      await hand.move("e4");
      await hand.button("e3");
    },
    "edit_moves",
  ],
  [
    "Correct a move to an unlikely one",
    {},
    async (hand) => {
      await hand.tile();
      await hand.move("e4");
      await hand.tap(hand.page.getByText("All other moves"));
      await hand.button("Nc3");
    },
    "edit_moves",
  ],
  [
    "Play a move on the board",
    {},
    async (hand) => {
      await hand.tile();
      await hand.button("Edit moves");
      await hand.square("e7");
      await hand.square("e5");
    },
    "edit_moves",
  ],
  [
    "Type moves",
    {},
    async (hand) => {
      await hand.tile();
      await hand.button("Edit moves");
      await hand.write(hand.page.getByPlaceholder("Nf3 d5 g3"), "e5 Nf3");
      await hand.button("Add these moves");
    },
    "edit_moves",
  ],
  [
    "Delete a move and all later ones",
    {},
    async (hand) => {
      await hand.tile();
      await hand.move("e4");
      await hand.button("Delete e4 and all later moves");
    },
    "edit_moves",
  ],
  [
    "Set a clock",
    {},
    async (hand) => {
      await hand.tile();
      await hand.move("e4");
      await hand.write(hand.page.getByPlaceholder("1:23:45"), "1:00:00");
      await hand.button("Set the time");
    },
    "set_clock",
  ],
  [
    "Enter a result",
    {},
    async (hand) => {
      await hand.tile();
      await hand.button("Result");
      await hand.button("1-0");
    },
    "set_result",
  ],
  [
    "Name another player",
    {},
    async (hand) => {
      await hand.tile();
      await hand.button("Players");
      await hand.choose("White", "3");
    },
    "set_players",
  ],
  [
    "Go on at another board",
    { "board/900": board(9, { board: "900", game: null, fen: "" }) },
    async (hand) => {
      await hand.tile();
      await hand.button("Another board");
      await hand.button("Board 900");
    },
    "swap_board",
  ],
  [
    "Go on from what stands on the board",
    UNREADABLE,
    async (hand) => {
      await hand.tile();
      await hand.button("Go on from what stands on the board");
    },
    "go_on",
  ],
  [
    "Choose between two lines of play",
    {
      "board/101": board(1, {
        candidates: [
          ["e5", "Nf3"],
          ["Nf6", "Nf3"],
        ],
      }),
    },
    async (hand) => {
      await hand.tile();
      await hand.button("It was played: e5 Nf3");
    },
    "edit_moves",
  ],
  [
    "Fill in moves that went unseen",
    { "moves/g1": { ...moves("g1"), gaps: [{ after_ply: 1, fen: E4_E5 + " w - - 0 1" }] } },
    async (hand) => {
      await hand.tile();
      await hand.write(hand.page.getByPlaceholder("Nf3 Nc6 Bb5"), "e5");
      await hand.button("Fill the gap");
    },
    "edit_moves",
  ],
  [
    "Confirm a result that the kings show",
    { "board/101": board(1, { claim: { result: "1-0", reason: "resignation", due: null } }) },
    async (hand) => {
      await hand.tile();
      await hand.button("Confirm 1-0");
    },
    "set_result",
  ],
  [
    "Use the spare board that is offered",
    {
      "game/g1": game(1, { plies: 8 }),
      "board/101": board(1, { connected: false }),
      "board/900": board(9, { board: "900", game: null }),
    },
    (hand) => hand.button("Use this board"),
    "swap_board",
  ],
  [
    "Adjourn a game",
    {},
    async (hand) => {
      await hand.tile();
      await hand.button("More");
      await hand.button("Adjourn the game");
    },
    "adjourn",
  ],
  [
    "Record a game again from its start",
    {},
    async (hand) => {
      await hand.tile();
      await hand.button("More");
      await hand.button("Record again from the start");
    },
    "edit_moves",
  ],
  [
    "Set a position",
    {},
    async (hand) => {
      await hand.tile();
      await hand.button("More");
      await hand.write(hand.page.getByLabel("Position (FEN)"), "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1");
      await hand.button("Start from a position");
    },
    "start_from",
  ],
  [
    "Withdraw a game from the public",
    {},
    async (hand) => {
      await hand.tile();
      await hand.button("Withdraw from the public");
    },
    "withdraw",
  ],
  [
    "Show it to the public again",
    { "game/g1": game(1, { withdrawn: true }) },
    async (hand) => {
      await hand.tile();
      await hand.button("Show to the public again");
    },
    "restore",
  ],
  [
    "Hide a player from every output",
    {},
    async (hand) => {
      await hand.tile();
      await hand.button("Players");
      await hand.choose("What viewers see of Adler, Ida", "hidden");
    },
    "set_display",
  ],
  [
    "Undo the last action",
    {},
    async (hand) => {
      await hand.tile();
      await hand.button("Withdraw from the public");
      [hand.taps, hand.atPage, hand.earlier] = [0, 0, 1];
      await hand.tap(hand.page.getByTestId("bar").getByRole("button", { name: "Undo" }));
    },
    "undo",
  ],
  [
    "Undo an earlier action",
    {
      "moves/g1": {
        ...moves("g1"),
        corrections: [{ number: 4, sentence: { code: "x", text: "g1: withdrawn" }, can_undo: true }],
      },
    },
    async (hand) => {
      await hand.tile();
      await hand.tap(hand.page.getByRole("main").getByRole("button", { name: "Undo" }));
    },
    "undo",
  ],
  [
    "Load pairings",
    { hall: hall(round("prepared")) },
    async (hand) => {
      await hand.to("Rounds");
      await hand.button("Load pairings");
      // The field, and the file in the window of the system.
      hand.taps += 2;
      hand.atPage = 3;
      await hand.page
        .getByTestId("files")
        .setInputFiles({ name: "round-1.pgn", mimeType: "text/plain", buffer: Buffer.from("x") });
      await hand.button("Load");
    },
    "pairings?confirm",
  ],
  [
    "Give a bye",
    { hall: hall(round("prepared")) },
    async (hand) => {
      await hand.to("Rounds");
      await hand.player("Clark, Ann");
      await hand.button("Half a point");
    },
    "set_bye",
  ],
  [
    "Exchange two opponents",
    { hall: hall(round("prepared")) },
    async (hand) => {
      await hand.to("Rounds");
      await hand.player("Bos, Jan");
      await hand.player("Clark, Ann");
    },
    "exchange_players",
  ],
  [
    "Pair two players from the list",
    { hall: hall(round("prepared")), "players/open": { ...PLAYERS, 4: { name: "Davis, Tom" } } },
    async (hand) => {
      await hand.to("Rounds");
      await hand.player("Clark, Ann");
      await hand.player("Davis, Tom");
    },
    "pair",
  ],
  [
    "Add a late entrant",
    { hall: hall(round("prepared")) },
    async (hand) => {
      await hand.to("Rounds");
      await hand.write(hand.page.getByLabel("Name: Last, First"), "Evans, Eve");
      await hand.button("Add");
    },
    "add_player",
  ],
  [
    "Remove a pairing",
    { hall: hall(round("prepared")) },
    async (hand) => {
      await hand.to("Rounds");
      await hand.button("Tools for pairing 1");
      await hand.button("Remove the pairing");
    },
    "unpair",
  ],
  [
    "Enter a forfeit",
    {},
    async (hand) => {
      await hand.to("Rounds");
      await hand.button("Tools for pairing 1");
      await hand.button("Black is absent (forfeit)");
    },
    "set_result",
  ],
  [
    "Exchange the colours",
    {},
    async (hand) => {
      await hand.to("Rounds");
      await hand.button("Tools for pairing 1");
      await hand.button("Exchange the colours");
    },
    "set_players",
  ],
  [
    "Publish a round",
    { hall: hall(round("prepared")) },
    async (hand) => {
      await hand.to("Rounds");
      await hand.button("Publish the round");
    },
    "publish",
  ],
  [
    "Start a round",
    { hall: hall(round("published")) },
    async (hand) => {
      await hand.to("Rounds");
      await hand.button("Let the games begin");
    },
    "arm",
  ],
  [
    "Finish a round",
    {},
    async (hand) => {
      await hand.to("Rounds");
      await hand.button("Finish the round");
    },
    "finish",
  ],
  ...(["TRF", "CSV", "PGN"] as const).map((form): Task => [
    `Results as ${form}`,
    {},
    async (hand) => {
      await hand.to("Results");
      await hand.link(form);
    },
    `results/${form.toLowerCase()}`,
  ]),
  [
    "Enter a result at the results desk",
    {},
    async (hand) => {
      await hand.to("Results");
      await hand.tap(hand.page.getByRole("button", { name: /^Table 1: / }).first());
    },
    "set_result",
  ],
  [
    "Check a claim with the move that is written down",
    {},
    async (hand) => {
      await hand.tile();
      await hand.link("Claims, list to print");
      await hand.write(hand.page.getByLabel(/^The move that is written down/), "e5");
      await expect(hand.page.getByTestId("claims")).toContainText("The position stood once.");
    },
    // The page works it out by itself.
    "",
  ],
  [
    "Add the time for an illegal move",
    {},
    async (hand) => {
      await hand.tile();
      await hand.link("Claims, list to print");
      await hand.button("Add it to the recorded time");
    },
    "set_clock",
  ],
  [
    "Assign a board to a table",
    { hall: { ...hall(round("prepared")), seats: {} }, "board/900": board(9, { board: "900", game: null }) },
    async (hand) => {
      await hand.to("Rounds");
      await hand.button("Boards");
      await hand.choose("Board of table 1", "900");
    },
    "seat_boards",
  ],
  [
    "Check whether the round can begin",
    { hall: hall(round("prepared")) },
    async (hand) => {
      await hand.to("Rounds");
      await hand.button("Ready check");
    },
    "/ready",
  ],
  [
    "Acknowledge an alarm",
    { "alarm/3": { ...ALARM, acknowledged_by: null } },
    (hand) => hand.button("Acknowledge"),
    "acknowledge",
  ],
  [
    "Pause an output",
    {
      "output/web": {
        ...SENDING,
        answer: null,
        behind_since: null,
        waiting: 0,
        next_attempt_at: null,
        problems: [],
      },
    },
    async (hand) => {
      await hand.to("Event");
      await hand.button("Outputs");
      await hand.button("Pause");
    },
    "pause",
  ],
];

/** Other limits than three: what is done with one pairing, and a file that is also tapped in the window of the system. */
const MOST: Readonly<Record<string, number>> = {
  "Load pairings": 4,
  "Give a bye": 2,
  "Enter a forfeit": 2,
  "Exchange the colours": 2,
  "Exchange two opponents": 2,
  "Pair two players from the list": 2,
  "Add a late entrant": 2,
  "Remove a pairing": 2,
};

/** The names of orders and the requests that a page made, and how many of them change something. */
type Asked = (() => string[]) & { changes: () => number };

/** Opens the hall with what every task needs. */
async function open(page: Page, set: object): Promise<Asked> {
  const asked: string[] = [];
  let changes = 0;
  const { orders } = await speak(page, { ...PLAYED, "players/open": PLAYERS, ...set });
  const pair = { number: 1, white: 1, black: 2, boardless: false };
  const games = [{ id: "g1", pair, state: "playing", result: null, imported: null }];
  const view = { number: 1, state: "running", settings: {}, games, byes: {} };
  const done = { version: 2, facts: [], notes: [] };
  const answer = async (part: RegExp, json: unknown) =>
    page.route(part, (route) => {
      asked.push(route.request().url());
      if (route.request().method() !== "GET") changes += 1;
      return route.fulfill({ json });
    });
  const players = Object.entries(PLAYERS).map(([player, person]) => {
    return { player: Number(player), facts: { number: null, display: "full", forgotten: false }, person };
  });
  await answer(/admin\/sections\/open$/, { players });
  await answer(/admin\/sections\/open\/rounds\/1$/, { version: 1, round: view, tables: { g1: 1 } });
  await answer(/admin\/sections\/open\/rounds\/1\/ready$/, { problems: [] });
  await answer(/admin\/sections\/open\/pairings\?/, done);
  await answer(/admin\/sections\/open\/pairings\/preview(\?|$)/, { notes: [], questions: [] });
  await answer(/admin\/(alarms|outputs)\/.*(acknowledge|pause)/, {});
  page.on("download", (download) => asked.push(download.url()));
  const all = () => [...orders.map((order) => (order as { order: string }).order), ...asked];
  return Object.assign(all, { changes: () => orders.length + changes });
}

test("every task of a round takes the taps that the documents say", async ({ context }) => {
  context.setDefaultTimeout(10_000);
  const rows: string[] = [];
  for (const [task, set, way, end] of TASKS) {
    await test.step(task, async () => {
      const page = await context.newPage();
      const asked = await open(page, set);
      const hand = new Hand(page);
      await way(hand);
      const ends = expect.stringContaining(end) as unknown;
      if (end !== "") await expect.poll(asked, { message: task, timeout: 10_000 }).toContainEqual(ends);
      expect(hand.atPage ?? 0, task).toBeLessThanOrEqual(MOST[task] ?? 3);
      rows.push(`| ${task} | ${hand.taps} | ${hand.atPage ?? ""} | ${asked.changes() - hand.earlier} |`);
      await page.close();
    });
  }
  const head = ["| task | from the hall | from its page | requests |", "| --- | --- | --- | --- |"];
  const table = [...head, ...rows, ""].join("\n");
  const text = readFileSync(DOCUMENT, "utf8");
  const [above = "", rest = ""] = text.split(BEGIN);
  const [kept = "", below = ""] = rest.split(END);
  if (process.env["BOARDCAST_RENEW"] !== undefined) {
    writeFileSync(DOCUMENT, above + BEGIN + table + END + below);
  } else {
    expect(kept, "docs/organisers.md: run this with BOARDCAST_RENEW=1 if the new numbers are meant").toBe(
      table,
    );
  }
});
