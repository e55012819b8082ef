/** What the measurements share: a rehearsed hall, a browser, and the longest task of a page from the browser's own trace. */
import { chromium } from "@playwright/test";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const daemon = process.env.BOARDCAST_BIN ?? "../target/debug/boardcast";
const system = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** A slow phone: processor, network. */
export const SLOW = { rate: 6, latency: 150, bytesPerSecond: 1.6e6 / 8 };

/** A hall of simulated boards: its address, the link of its first administrator, and how it ends. */
export async function rehearse(boards, speed) {
  const args = ["demo", "--boards", String(boards), "--speed", String(speed), "--seed", "7"];
  const hall = spawn(daemon, [...args, "--listen", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "ignore"] });
  const found = await new Promise((found, failed) => {
    let text = "";
    hall.stdout.on("data", (part) => {
      text += part;
      const address = /^Page: *(\S+)$/m.exec(text)?.[1];
      const link = /^Make the first administrator: *(\S+)$/m.exec(text)?.[1];
      if (address !== undefined && link !== undefined) found({ address, link });
    });
    hall.once("exit", () => failed(new Error(`The hall did not start: ${text}`)));
  });
  return { ...found, end: () => hall.kill("SIGTERM") };
}

export function launch() {
  return chromium.launch({
    ...(existsSync(system) ? { executablePath: system } : {}),
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

export async function slowProcessor(client) {
  await client.send("Emulation.setCPUThrottlingRate", { rate: SLOW.rate });
}

export async function slowNetwork(client) {
  await client.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: SLOW.latency,
    downloadThroughput: SLOW.bytesPerSecond,
    uploadThroughput: SLOW.bytesPerSecond,
  });
}

/**
 * The longest task of the page's main thread while `work` goes on: by the clock on the wall, and by the processor time that the
 * thread had. Where other programs share the processor the second is what the page itself needs.
 */
export async function longestTask(browser, page, work) {
  const folder = mkdtempSync(join(tmpdir(), "boardcast-measure-"));
  const path = join(folder, "trace.json");
  try {
    await browser.startTracing(page, { path, categories: ["toplevel", "devtools.timeline"] });
    await work();
    await browser.stopTracing();
    const { traceEvents } = JSON.parse(readFileSync(path, "utf8"));
    const threads = traceEvents.filter(
      (one) => one.name === "thread_name" && one.args.name === "CrRendererMain",
    );
    const longest = { wall: 0, cpu: 0 };
    for (const { pid, tid } of threads) {
      for (const one of traceEvents) {
        if (one.pid !== pid || one.tid !== tid || one.ph !== "X" || !/RunTask$/.test(one.name)) continue;
        longest.wall = Math.max(longest.wall, one.dur / 1000);
        longest.cpu = Math.max(longest.cpu, (one.tdur ?? 0) / 1000);
      }
    }
    return longest;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const milliseconds = ({ wall, cpu }) =>
  `${cpu.toFixed(0)} ms of the processor, ${wall.toFixed(0)} ms in all`;
export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
