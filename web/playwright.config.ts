import { defineConfig } from "@playwright/test";
import { existsSync } from "node:fs";

const baseURL = process.env["BOARDCAST_URL"];
if (!baseURL) {
  throw new Error("Set BOARDCAST_URL to the address of a running server, such as one of `boardcast demo`.");
}
/** The system's browser if there is one, otherwise the one that `npx playwright install chromium` fetches. */
const chromium = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "tests",
  forbidOnly: true,
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 90_000 },
  reporter: "list",
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
