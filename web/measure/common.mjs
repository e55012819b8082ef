/** What the measurements share: a rehearsed hall, and a browser. */
import { chromium } from "@playwright/test";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

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

export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
