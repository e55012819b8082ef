/**
 * Prints how fast the dashboard is with 200 tables on a processor that is 6 times slower: the hall while its tables come and while they
 * play, and each other page while it opens from the hall, while a part of it opens, and while the games go on. For each the longest task
 * and the number of tasks of more than 50 ms, as the least, the median and the most of `RUNS=5` runs, each in a browser that has not been
 * used before. `BOARDS=300` takes another number of boards, `RATE=1` a processor as it is, `SPEED=4` a hall at four times the speed of
 * life, `PLIES=80` begins when the first game is so long, `ONLY=round` takes the pages whose names begin so.
 * `BOARDCAST_BIN` names the daemon, which is best a release build: a debug build keeps a processor of its own busy with 200 boards. Times
 * are measured, never asserted; all are of the processor, as the wait for another program is none of the page.
 */
import { request } from "@playwright/test";
import { loadavg } from "node:os";
import { launch, rehearse, SLOW } from "./common.mjs";
import { LONG_MS, longest, spread, tasks, taskText } from "./tasks.mjs";

const boards = Number(process.env.BOARDS ?? 200);
const runs = Number(process.env.RUNS ?? 5);
const speed = Number(process.env.SPEED ?? 1);
const rate = Number(process.env.RATE ?? SLOW.rate);
const plies = Number(process.env.PLIES ?? 0);
const only = process.env.ONLY ?? "";
const WATCHED_MS = 8_000;
/** Without all tables after this time something is wrong. */
const PATIENCE_MS = 120_000;
/** A page is open when it has had the same number of elements for so long. */
const STILL_MS = 1500;
/** Some pages never have: tables come and go while the games go on. */
const OPENING_MS = 15_000;

/** What is pressed in a page that is open: a part of the round, the settings of a section. */
const part = (place) => `document.querySelectorAll("main [role=group] > button")[${place}]`;
const SETTINGS = 'document.querySelector("main .card button[aria-expanded]")';

/** Each page, its address within the dashboard, and the button of the part that opens in it. */
const PAGES = [
  ["table", (game) => `table/${game}`],
  ["results", () => "results"],
  ["arbiter", () => "arbiter"],
  ["arbiter, a game", (game) => `arbiter/${game}`],
  ["round", () => "round"],
  ["round, load", () => "round", part(1)],
  ["round, by hand", () => "round", part(2)],
  ["round, boards", () => "round", part(3)],
  ["round, ready check", () => "round", part(4)],
  ["round, plan", () => "round", part(5)],
  ["event", () => "event/sections"],
  ["event, settings", () => "event/sections", SETTINGS],
  ["event, players", () => "event/players"],
  ["event, follow", () => "event/follow"],
  ["event, outputs", () => "event/outputs"],
  ["event, sources", () => "event/sources"],
  ["event, keys", () => "event/keys"],
  ["event, people", () => "event/people"],
  ["system", () => "system"],
  ["log", () => "log"],
  ["set-up, event", () => "setup/event"],
  ["set-up, pairings", () => "setup/pairings"],
  ["set-up, boards", () => "setup/boards"],
  ["set-up, follow", () => "setup/follow"],
  ["set-up, go", () => "setup/go"],
].filter(([name]) => name.startsWith(only));

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const hall = await rehearse(boards, speed);
try {
  const context = await request.newContext({ baseURL: hall.address });
  const token = hall.link.split("#")[1];
  const made = await context.post("/api/v1/admin/first-administrator", {
    data: { token, name: "anna", password: "four words are good" },
  });
  if (!made.ok()) throw new Error(`No administrator: ${made.status()}`);
  const storageState = await context.storageState();
  await pause(5000);
  const game = await gameOf(context);
  while (!(await isLong(context, game))) await pause(1000);
  for (const tiles of only === "" ? ["names", "numbers"] : []) {
    const coming = [];
    const playing = [];
    for (let run = 0; run < runs; run++) {
      const own = await newPage(storageState, tiles);
      await own.slow(rate);
      coming.push(await own.tasks(() => come(own)));
      playing.push(await own.tasks(() => pause(WATCHED_MS)));
      await own.close();
    }
    report(`${boards} tables come, ${tiles}`, coming);
    report(`${boards} tables play, ${tiles}`, playing);
  }
  for (const [name, address, button] of PAGES) {
    const [opening, pressing, playing] = [[], [], []];
    for (let run = 0; run < runs; run++) {
      const own = await newPage(storageState, "names");
      await come(own);
      await own.slow(rate);
      opening.push(await own.tasks(() => open(own, address(game))));
      if (button !== undefined) pressing.push(await own.tasks(() => still(own, `${button}.click()`)));
      playing.push(await own.tasks(() => pause(WATCHED_MS)));
      await own.close();
    }
    if (button === undefined) report(`${name} opens`, opening);
    else report(`${name} opens in the page`, pressing);
    report(`${name}, games go on`, playing);
  }
  console.log(`load of this computer, last minute: ${loadavg()[0].toFixed(1)}`);
} finally {
  hall.end();
}

/**
 * A page of the dashboard that has loaded nothing yet, in a browser of its own. A locator would bring a large script of its own into the
 * page that is measured.
 */
async function newPage(storageState, tiles) {
  const browser = await launch();
  const viewport = { width: 1280, height: 900 };
  const context = await browser.newContext({ baseURL: hall.address, viewport, storageState });
  const page = await context.newPage();
  await page.addInitScript((tiles) => localStorage.setItem("boardcast-tiles", tiles), tiles);
  const client = await context.newCDPSession(page);
  await page.goto("/robots.txt");
  return {
    page,
    close: () => browser.close(),
    tasks: (work) => tasks(browser, page, work),
    slow: (rate) => client.send("Emulation.setCPUThrottlingRate", { rate }),
    ask: async (expression) => {
      const { result, exceptionDetails } = await client.send("Runtime.evaluate", { expression });
      if (exceptionDetails !== undefined) throw new Error(`${expression}: ${exceptionDetails.text}`);
      return result.value;
    },
  };
}

/** Opens the hall, until all its tables are there. */
async function come({ page, ask }) {
  const until = Date.now() + PATIENCE_MS;
  const drawn = () => ask("document.getElementsByClassName('tile').length");
  await page.goto("/admin#/hall", { waitUntil: "commit" });
  while ((await drawn()) < boards) {
    if (Date.now() > until) throw new Error(`${await drawn()} of ${boards} tables after two minutes.`);
    await pause(200);
  }
}

/** Goes from the hall to another page, until it is there: its code and what it shows of its own are read then. */
async function open(own, address) {
  await own.ask("document.querySelector('main h1').id = 'left'");
  await still(
    own,
    `location.hash = ${JSON.stringify(`#/${address}`)}`,
    "document.querySelector('main h1:not(#left)')",
  );
}

/** Does something in the page, until what it brings is there. */
async function still({ ask }, expression, there = "true") {
  await ask(`void (${expression})`);
  const until = Date.now() + OPENING_MS;
  for (let [count, since] = [-1, Date.now()]; Date.now() < until && Date.now() - since < STILL_MS;) {
    await pause(200);
    const next = await ask(`${there} ? document.getElementsByTagName('*').length : 0`);
    if (next !== count || next === 0) [count, since] = [next, Date.now()];
  }
}

/** The id of a game of the first round. */
async function gameOf(context) {
  const read = async (path) => (await context.get(`/api/v1/admin${path}`)).json();
  const { sections } = await read("/hall");
  const { section, rounds } = sections[0];
  const { round } = await read(`/sections/${section}/rounds/${rounds[0].round}`);
  return round.games[0].id;
}

async function isLong(context, game) {
  const { moves } = await (await context.get(`/api/v1/games/${game}`)).json();
  return moves.length >= plies;
}

function report(what, all) {
  // Before the page's first byte the browser makes the new document; no page can change that.
  const own = all.map((run) => run.filter((one) => one.kinds.begin === undefined));
  const long = own.map((run) => run.filter((one) => one.cpu > LONG_MS).length);
  const most = longest(own.flat());
  console.log(`${what}:`);
  console.log(
    `  longest task ${spread(own.map((run) => longest(run).cpu))} ms, over ${LONG_MS} ms ${spread(long)}`,
  );
  if (most.cpu > LONG_MS) console.log(`  the longest of all: ${taskText(most)}`);
}
