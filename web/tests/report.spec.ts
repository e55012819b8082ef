/** A visitor reports an error; the organiser sees it at the table, and nobody else sees anything. */
import { expect, test } from "@playwright/test";
import { Daemon } from "./daemon";

test("a report reaches the table's tile in the dashboard, and no public answer", async ({ browser }) => {
  const daemon = await Daemon.rehearse("--boards", "2", "--speed", "2");
  try {
    const visitor = await browser.newPage({ baseURL: daemon.url });
    const words = "The queen stands on d3, not on d4";
    let game = "";
    await expect
      .poll(async () => {
        const answer = (await (await visitor.request.get("/api/v1/round")).json()) as {
          snapshot: { games: { game: string }[] };
        };
        return (game = answer.snapshot.games[0]?.game ?? "");
      })
      .not.toBe("");
    await visitor.goto(`/#/game/${encodeURIComponent(game)}`);
    await visitor.getByRole("button", { name: "Report an error" }).click();
    await visitor.getByLabel("What is wrong with this game?").fill(words);
    await visitor.getByRole("button", { name: "Send" }).click();
    await expect(visitor.getByText("Thank you.")).toBeVisible();

    for (const path of [
      "/",
      `/game/${game}`,
      "/api/v1/round",
      `/api/v1/games/${game}`,
      `/pgn/game/${game}.pgn`,
    ]) {
      expect(await (await visitor.request.get(path)).text(), path).not.toContain(words);
    }

    const organiser = await daemon.open(browser);
    const tile = organiser.locator("[data-state=reported]");
    await expect(tile).toContainText(words);
    await tile.click();
    await expect(organiser.getByTestId("reports")).toContainText(words);
    await organiser.getByRole("button", { name: "Dismiss" }).click();
    await expect(organiser.getByTestId("reports")).toHaveCount(0);
  } finally {
    await daemon.end();
  }
});
