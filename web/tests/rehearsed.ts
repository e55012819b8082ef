/** A rehearsed hall of its own for the tests of a file. */
import { test as base, expect, type Page } from "@playwright/test";
import { Daemon } from "./daemon";

export const test = base.extend<object, { daemon: Daemon }>({
  daemon: [
    async ({}, use) => {
      const daemon = await Daemon.rehearse("--boards", "16", "--speed", "4");
      await use(daemon);
      await daemon.end();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ daemon }, use) => use(daemon.url),
});

interface Game {
  game: string;
  board: number;
  moves: { ply: number; fen: string }[];
  tags: Record<string, string>;
}
interface Snapshot {
  event: { slug: string; name: string };
  round: { number: number; name: string };
  games: Game[];
}

/** What is public at this moment. */
export async function round(page: Page): Promise<Snapshot> {
  const answer = await page.request.get("/api/v1/round");
  return ((await answer.json()) as { snapshot: Snapshot }).snapshot;
}

/** A game with moves. */
export async function started(page: Page): Promise<Game> {
  let game: Game | undefined;
  await expect
    .poll(async () => (game = (await round(page)).games.find((game) => game.moves.length > 2)) !== undefined)
    .toBe(true);
  return game as Game;
}
