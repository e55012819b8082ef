/** Overlays and screens with a key: they read the undelayed view, and nothing without one. */
import { expect, test } from "@playwright/test";
import { Daemon } from "./daemon";

test("a key opens overlays and screens, and a wrong one opens nothing", async ({ browser }) => {
  const daemon = await Daemon.start();
  try {
    await daemon.withRound();
    const made = (await daemon.api("POST", "/keys", {
      holder: "studio",
      opens: { section: "spring-open" },
      hours: 1,
    })) as { key: string };
    const page = await browser.newPage({ baseURL: daemon.url });
    const answer = await page.request.get(`/arbiter/${made.key}/round`);
    expect(((await answer.json()) as { snapshot: { event: { slug: string } } }).snapshot.event.slug).toBe(
      "spring-open",
    );
    const overlay = await page.goto(`/arbiter/${made.key}/overlay/wall`);
    expect(overlay?.headers()["referrer-policy"]).toBe("no-referrer");
    await expect(page.locator("main[data-state=live]")).toBeAttached();
    await page.goto(`/arbiter/${made.key}/screen`);
    await expect(page.getByRole("img", { name: new RegExp(`^${daemon.url}/$`) })).toBeVisible();
    expect((await page.request.get("/arbiter/wrong/round")).status()).toBe(403);
    expect((await page.request.get("/arbiter/wrong/overlay/board/1")).status()).toBe(403);
  } finally {
    await daemon.end();
  }
});
