/** The page System: the rehearsal beside the event, the log, the ports. */
import { expect, test, type Page } from "@playwright/test";
import { Daemon } from "./daemon";

let daemon: Daemon;
test.beforeAll(async () => {
  daemon = await Daemon.inRound();
});
test.afterEach(async () => daemon.close());
test.afterAll(async () => daemon.end());

const rehearsed = (page: Page) => page.getByTestId("in-rehearsal");

test("one tap leads into a rehearsal, of which the event has nothing, and another one back", async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const page = await daemon.open(browser);
  await page.goto("/admin#/system");
  await page.getByRole("button", { name: "Start the rehearsal" }).click();
  await expect(rehearsed(page)).toBeVisible();
  // Boards play by themselves, without a second login.
  await expect(page.locator("a[data-state=playing]").first()).toBeVisible();
  // The public pages of this browser show it, too; others see the event.
  const viewer = await page.context().newPage();
  await viewer.goto("/");
  await expect(viewer.getByText("Simulated hall").first()).toBeVisible();
  const stranger = await daemon.stranger(browser);
  const other = await stranger.newPage();
  await other.goto("/");
  await expect(other.getByText("Spring Open").first()).toBeVisible();
  await expect(other.getByText("Simulated hall")).toHaveCount(0);
  const pgn = await stranger.request.get("/live.pgn");
  expect(await pgn.text()).not.toContain("Simulated hall");
  const own = await page.context().request.get("/live.pgn");
  expect(await own.text()).toContain("Simulated hall");
  // What is done in the rehearsal is not in the event.
  await page.goto("/admin#/event");
  await expect(page.getByText("Rehearsal").first()).toBeVisible();
  const event = (await daemon.api("GET", "/hall")) as { sections: { section: string }[] };
  expect(event.sections.map((one) => one.section)).not.toContain("rehearsal");

  await page.getByRole("button", { name: "Back to the event" }).click();
  await expect(rehearsed(page)).toHaveCount(0);
  await expect(page.getByText("Adler").first()).toBeVisible();
  // It goes on until someone ends it.
  await page.goto("/admin#/system");
  await page.getByRole("button", { name: "Enter the rehearsal" }).click();
  await expect(rehearsed(page)).toBeVisible();
  await page.getByRole("button", { name: "End the rehearsal" }).click();
  await expect(rehearsed(page)).toHaveCount(0);
  await page.goto("/admin#/system");
  await expect(page.getByRole("button", { name: "Start the rehearsal" })).toBeVisible();
});

test("a hall that is a rehearsal itself says so, and what a backup holds is said", async ({ browser }) => {
  const demo = await Daemon.rehearse("--boards", "2");
  const page = await demo.open(browser);
  await page.goto("/admin#/system");
  await expect(page.getByText("All of this is a rehearsal: its boards are simulated")).toBeVisible();
  await expect(page.getByRole("button", { name: "Start the rehearsal" })).toHaveCount(0);
  await expect(page.getByText("The journal with all games, and the accounts.")).toBeVisible();
  // A person gets the accounts with it: the statement of the page is that of the file.
  const backup = await page.context().request.get("/api/v1/admin/backup");
  expect((await backup.body()).includes("accounts.sqlite")).toBe(true);
  // No person published its round.
  const corrections = page.getByRole("region", { name: "Corrections" });
  await expect(corrections).toContainText(/· automatically/);
  await expect(corrections).not.toContainText(/rule/);
  await demo.end();
});

test("the log can be searched, by administrators alone", async ({ browser }) => {
  const page = await daemon.open(browser);
  await page.goto("/admin#/system");
  await page.getByRole("link", { name: "Log", exact: true }).click();
  const lines = page.getByTestId("log").getByRole("listitem");
  await expect(lines.filter({ hasText: "serving http://" })).toHaveCount(1);
  await page.getByRole("searchbox").fill("SERVING data in");
  await expect(lines).toHaveCount(1);
  await page.getByRole("searchbox").fill("no such words");
  await expect(lines).toHaveText("No line matches.");
  const operator = await daemon.open(browser, "operator");
  await operator.goto("/admin#/log");
  await expect(operator.getByText("The log is for administrators.")).toBeVisible();
  const answer = await operator.context().request.get("/api/v1/admin/log");
  expect(answer.status()).toBe(403);
});

test("ports that may be other devices are listed and are asked after one tap", async ({ browser }) => {
  const page = await daemon.open(browser);
  const port = { device: "built-in serial port", board: null, unreachable_since: null };
  const since = new Date();
  since.setHours(14, 3);
  let allowed = false;
  const list = () => [
    { ...port, port: "/dev/ttyS9", state: allowed ? "asked" : "not_asked", allowed },
    { ...port, port: "/dev/ttyACM0", state: "board", board: "41987", allowed: false },
    {
      ...port,
      port: "tcp://192.168.1.20:4001",
      state: "asked",
      allowed: false,
      unreachable_since: since.getTime(),
    },
  ];
  await page.route("**/api/v1/admin/ports", (route) => {
    if (route.request().method() === "PUT") {
      allowed = (route.request().postDataJSON() as { allowed: boolean }).allowed;
    }
    return route.fulfill({ json: list() });
  });
  await page.goto("/admin#/system");
  const ports = page.getByTestId("ports");
  await ports.getByRole("button", { name: "Look for a board here /dev/ttyS9" }).click();
  await expect(page.getByText("A board is looked for at /dev/ttyS9, also after a restart.")).toBeVisible();
  await ports.getByRole("button", { name: "Allowed: stop asking /dev/ttyS9" }).click();
  await expect(ports.getByRole("button", { name: "Look for a board here" })).toBeVisible();
  await ports.getByText("1 port is asked").click();
  await expect(ports.getByText("Board 41987")).toBeVisible();
  await expect(ports.getByText("Check that they are switched on")).toBeVisible();
  await expect(ports.getByText("tcp://192.168.1.20:4001 not reached since 14:03")).toBeVisible();
  // The daemon itself refuses a port that it does not see.
  await page.unrouteAll();
  const session = await page.context().request.get("/api/v1/admin/session");
  const { csrf_token } = (await session.json()) as { csrf_token: string };
  const answer = await page.context().request.put("/api/v1/admin/ports", {
    data: { port: "/etc/passwd", allowed: true },
    headers: { "X-CSRF-Token": csrf_token },
  });
  expect(answer.status()).toBe(404);
});
