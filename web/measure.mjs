/**
 * Prints how fast the public pages are: `npm run measure` after `cargo build` with the pages.
 *
 * Bytes and requests of the first view; time to the first board and to the live page on a slow phone (processor 6 times
 * slower, 1.6 Mbit/s, 150 ms); the longest task and layout shift with 100 live boards; memory, if asked for a longer run with
 * `MINUTES=60`. `BOARDS=300` takes another number of boards. Times are measured, never asserted.
 */
import { chromium } from "@playwright/test";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const daemon = process.env.BOARDCAST_BIN ?? "../target/debug/boardcast";
const boards = process.env.BOARDS ?? "100";
const minutes = Number(process.env.MINUTES ?? 0.5);
const system = process.env.CHROMIUM ?? "/usr/bin/chromium";

const hall = spawn(daemon, [
  "demo",
  "--boards",
  boards,
  "--speed",
  "10",
  "--seed",
  "7",
  "--listen",
  "127.0.0.1:0",
]);
const address = await new Promise((found, failed) => {
  let text = "";
  hall.stdout.on("data", (part) => {
    text += part;
    const page = /^Page: *(\S+)$/m.exec(text)?.[1];
    if (page !== undefined) found(page);
  });
  hall.once("exit", () => failed(new Error(`The hall did not start: ${text}`)));
});
const browser = await chromium.launch({
  ...(existsSync(system) ? { executablePath: system } : {}),
  args: ["--no-sandbox", "--disable-gpu"],
});

/** Watches for long tasks and layout shifts from the start of the page. */
function observe() {
  const seen = { longest: 0, shift: 0, first: 0 };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) seen.longest = Math.max(seen.longest, one.duration);
  }).observe({ type: "longtask", buffered: true });
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

async function open(slow) {
  const page = await browser.newPage({
    viewport: slow ? { width: 390, height: 844 } : { width: 1280, height: 900 },
  });
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const traffic = { bytes: 0, requests: 0 };
  client.on("Network.requestWillBeSent", () => (traffic.requests += 1));
  client.on("Network.loadingFinished", (one) => (traffic.bytes += one.encodedDataLength));
  if (slow) {
    await client.send("Emulation.setCPUThrottlingRate", { rate: 6 });
    const speed = 1.6e6 / 8;
    await client.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 150,
      downloadThroughput: speed,
      uploadThroughput: speed,
    });
  }
  await page.addInitScript(observe);
  const began = performance.now();
  await page.goto(address);
  await page.locator("cg-board piece.king").first().waitFor({ state: "attached", timeout: 60_000 });
  const live = performance.now() - began;
  return { page, traffic, live, client };
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
try {
  // Until the round has moves.
  await new Promise((done) => setTimeout(done, 5000));
  const quick = await open(false);
  console.log(
    `first view, ${boards} boards:     ${kilobytes(quick.traffic.bytes)}, ${quick.traffic.requests} requests`,
  );
  await quick.page.evaluate(() => (window.seen.longest = 0));
  await quick.page.waitForTimeout(minutes * 60_000);
  const seen = await quick.page.evaluate(() => window.seen);
  const heap = await quick.page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
  console.log(`longest task in ${minutes} min:       ${seen.longest.toFixed(0)} ms`);
  console.log(`layout shift:                ${seen.shift.toFixed(3)}`);
  console.log(`memory of the page:          ${(heap / 1e6).toFixed(1)} MB`);
  await quick.page.close();
  const slow = await open(true);
  const first = await slow.page.evaluate(() => window.seen.first);
  console.log(`slow phone, first board:     ${(first / 1000).toFixed(2)} s`);
  console.log(`slow phone, live boards:     ${(slow.live / 1000).toFixed(2)} s`);
} finally {
  await browser.close();
  hall.kill("SIGTERM");
}
