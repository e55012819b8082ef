/**
 * Prints how fast the dashboard is while 200 tables come and while they play, on a processor that is 6 times slower: the longest task,
 * the tasks of more than 50 ms, and the frames, each as the least, the median and the most of `RUNS=5` runs. `BOARDS=300` takes another
 * number of boards, `RATE=1` a processor as it is, `SPEED=4` a hall at four times the speed of life. `BOARDCAST_BIN` names the daemon, which
 * is best a release build: a debug build keeps a processor of its own busy with 200 boards. Times are measured, never asserted; all are of the processor, as the wait for
 * another program is none of the page.
 */
import { loadavg } from "node:os";
import { launch, rehearse, SLOW } from "./common.mjs";
import { LONG_MS, longest, spread, tasks, taskText } from "./tasks.mjs";

const boards = Number(process.env.BOARDS ?? 200);
const runs = Number(process.env.RUNS ?? 5);
const speed = Number(process.env.SPEED ?? 1);
const rate = Number(process.env.RATE ?? SLOW.rate);
const WATCHED_MS = 12_000;
/** Without all tables after this time something is wrong. */
const PATIENCE_MS = 120_000;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const hall = await rehearse(boards, speed);
const browser = await launch();
try {
  const context = await browser.newContext({ baseURL: hall.address, viewport: { width: 1280, height: 900 } });
  const token = hall.link.split("#")[1];
  const made = await context.request.post("/api/v1/admin/first-administrator", {
    data: { token, name: "anna", password: "four words are good" },
  });
  if (!made.ok()) throw new Error(`No administrator: ${made.status()}`);
  await pause(5000);
  for (const tiles of ["names", "numbers"]) {
    const coming = [];
    const playing = [];
    for (let run = 0; run < runs; run++) {
      const page = await context.newPage();
      await page.addInitScript((tiles) => localStorage.setItem("boardcast-tiles", tiles), tiles);
      const client = await context.newCDPSession(page);
      await client.send("Emulation.setCPUThrottlingRate", { rate });
      await page.goto("/robots.txt");
      // A locator would bring a large script of its own into the page that is measured.
      const expression = "document.getElementsByClassName('tile').length";
      const drawn = async () => (await client.send("Runtime.evaluate", { expression })).result.value;
      const come = async () => {
        const until = Date.now() + PATIENCE_MS;
        await page.goto("/admin#/hall", { waitUntil: "commit" });
        while ((await drawn()) < boards) {
          if (Date.now() > until) throw new Error(`${await drawn()} of ${boards} tables after two minutes.`);
          await pause(200);
        }
      };
      coming.push(await tasks(browser, page, come));
      playing.push(await tasks(browser, page, () => pause(WATCHED_MS)));
      await page.close();
    }
    report(`${boards} tables come, ${tiles}`, coming);
    report(`${boards} tables play, ${tiles}`, playing);
  }
  console.log(`load of this computer, last minute: ${loadavg()[0].toFixed(1)}`);
} finally {
  await browser.close();
  hall.end();
}

function report(what, all) {
  // Before the page's first byte the browser makes the new document; no page can change that.
  const own = all.map((run) => run.filter((one) => one.kinds.begin === undefined));
  const frames = own.map((run) => run.filter((one) => one.kinds.paint > 0).map((one) => one.cpu));
  const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  console.log(`${what}, least / median / most of ${all.length} runs:`);
  console.log(`  longest task, ms:          ${spread(own.map((run) => longest(run).cpu))}`);
  console.log(
    `  tasks over ${LONG_MS} ms:         ${spread(own.map((run) => run.filter((one) => one.cpu > LONG_MS).length))}`,
  );
  console.log(`  median of the frames, ms:  ${spread(frames.map(median))}`);
  console.log(`  the longest of all:        ${taskText(longest(own.flat()))}`);
}
