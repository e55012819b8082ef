/**
 * Prints how fast the public pages are: `npm run measure` after `cargo build` with the pages.
 *
 * Bytes and requests of the first view; time to the first board and to the live page on a slow phone (processor 6 times
 * slower, 1.6 Mbit/s, 150 ms); the longest task and layout shift with 100 live boards; memory, if asked for a longer run with
 * `MINUTES=10`, which are 100 minutes of the hall: after a collection of garbage, at the start, after each tenth of the time and at the end.
 * `BOARDS=300` takes another number of boards. Times are measured, never asserted.
 */
import { kilobytes, launch, rehearse, slowNetwork, slowProcessor } from "./common.mjs";
import { longest, tasks, taskText } from "./tasks.mjs";

const boards = process.env.BOARDS ?? "100";
const minutes = Number(process.env.MINUTES ?? 0.5);
/** A trace of a longer time is too large. */
const TRACED_MS = 20_000;

/** Watches layout shifts and the first board from the start of the page. */
function observe() {
  const seen = { shift: 0, first: 0 };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) seen.shift += one.value;
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    const board = document.querySelector(".drawn-board, cg-board piece");
    if (board !== null && board.getBoundingClientRect().width > 0) seen.first ||= performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Hall minutes in a minute. */
const SPEED = 10;
const hall = await rehearse(boards, SPEED);
const browser = await launch();

async function open(slow) {
  const page = await browser.newPage({
    viewport: slow ? { width: 390, height: 844 } : { width: 1280, height: 900 },
  });
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const traffic = { bytes: 0, requests: 0 };
  client.on("Network.requestWillBeSent", (one) => {
    if (!one.request.url.startsWith("data:")) traffic.requests += 1;
  });
  client.on("Network.loadingFinished", (one) => (traffic.bytes += one.encodedDataLength));
  if (slow) {
    await slowProcessor(client);
    await slowNetwork(client);
  }
  await page.addInitScript(observe);
  const began = performance.now();
  await page.goto(hall.address);
  await page.locator("cg-board piece.king").first().waitFor({ state: "attached", timeout: 60_000 });
  const live = performance.now() - began;
  return { page, client, traffic, live };
}

/** What the page holds after a collection of garbage: bytes of its script, nodes of its document. */
async function memory({ client }) {
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize } = await client.send("Runtime.getHeapUsage");
  const { nodes } = await client.send("Memory.getDOMCounters");
  return { heap: usedSize, nodes };
}

try {
  // Until the round has moves.
  await new Promise((done) => setTimeout(done, 5000));
  const quick = await open(false);
  console.log(
    `first view, ${boards} boards:     ${kilobytes(quick.traffic.bytes)}, ${quick.traffic.requests} requests`,
  );
  const held = [await memory(quick)];
  const traced = await tasks(browser, quick.page, () => quick.page.waitForTimeout(TRACED_MS));
  for (let tenth = 0; tenth < 10; tenth++) {
    await quick.page.waitForTimeout(Math.max(0, minutes * 60_000 - TRACED_MS) / 10);
    held.push(await memory(quick));
  }
  const seen = await quick.page.evaluate(() => window.seen);
  console.log(`longest task, live:          ${taskText(longest(traced))}`);
  console.log(`layout shift:                ${seen.shift.toFixed(3)}`);
  console.log(`memory, ${minutes * SPEED} minutes of the hall:`);
  for (const { heap, nodes } of held) console.log(`  ${(heap / 1e6).toFixed(2)} MB, ${nodes} nodes`);
  await quick.page.close();
  const slow = await open(true);
  const first = await slow.page.evaluate(() => window.seen.first);
  console.log(`slow phone, first board:     ${(first / 1000).toFixed(2)} s`);
  console.log(`slow phone, live boards:     ${(slow.live / 1000).toFixed(2)} s`);
} finally {
  await browser.close();
  hall.end();
}
