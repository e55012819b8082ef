import { defineConfig } from "@playwright/test";
import { existsSync } from "node:fs";

const baseURL = process.env["BOARDCAST_URL"];
if (!baseURL) {
  throw new Error("Set BOARDCAST_URL to the address of a running server, such as one of `boardcast demo`.");
}
/** The system's browser if there is one, otherwise the one that `npx playwright install chromium` fetches. */
const chromium = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Stories of a hall whose games have just begun. */
const YOUNG = /(feed|hall|input|rounds)\.spec/;
const DASHBOARD = /admin.*\.spec/;

export default defineConfig({
  testDir: "tests",
  forbidOnly: true,
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 90_000 },
  reporter: "list",
  projects: [
    { name: "young-hall", testMatch: YOUNG },
    { name: "public", testIgnore: [YOUNG, DASHBOARD] },
    { name: "dashboard", testMatch: DASHBOARD },
  ],
  use: {
    baseURL,
    launchOptions: {
      ...(existsSync(chromium) ? { executablePath: chromium } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
