/** Which overlay an address asks for, and which board it shows. Pure. */
import { matches } from "./game";
import { isRunning } from "./running";
import type { Game } from "./wire";

export type Overlay =
  /** One board, or two players with clocks; `who` is a table, a player, `auto` or `current`. */
  | { readonly kind: "board" | "players"; readonly who: string }
  | { readonly kind: "wall"; readonly count: number }
  | { readonly kind: "ticker" }
  | { readonly kind: "unknown" };

/** Boards of a wall when no number is given, and the most. */
const WALL = 6;
const MOST = 64;

export function overlayOf(page: { readonly pathname: string; readonly search: string }): Overlay {
  const path = /\/overlay\/(.*)$/.exec(page.pathname)?.[1] ?? "";
  const [kind = "", who = ""] = path.split("/");
  if (kind === "board" || kind === "players") return { kind, who: decoded(who) || "current" };
  if (kind === "wall") {
    const count = Number(new URLSearchParams(page.search).get("n") ?? WALL);
    return { kind, count: Number.isInteger(count) && count > 0 ? Math.min(count, MOST) : WALL };
  }
  return kind === "ticker" ? { kind } : { kind: "unknown" };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Moves that arrived at each game lately, by which the liveliest board is chosen. */
export class Liveliness {
  private readonly known = new Map<string, { plies: number; at: number[] }>();
  private chosen: string | null = null;
  private since = 0;

  /** How long a move counts, and how long a board is shown at least. */
  static readonly COUNTS_MS = 90_000;
  static readonly STAYS_MS = 20_000;

  /** The liveliest of the games at `now` (monotonic ms); a running one as long as there is any. */
  choose(games: readonly Game[], now: number): Game | null {
    for (const game of games) {
      const before = this.known.get(game.game);
      const at = before?.at.filter((at) => now - at < Liveliness.COUNTS_MS) ?? [];
      if (before !== undefined && game.moves.length > before.plies) at.push(now);
      this.known.set(game.game, { plies: game.moves.length, at });
    }
    const running = games.filter(isRunning);
    const current = running.find((game) => game.game === this.chosen) ?? null;
    if (current !== null && now - this.since < Liveliness.STAYS_MS) return current;
    const score = (game: Game) => this.known.get(game.game)?.at.length ?? 0;
    const [first] = running.length > 0 ? running : games;
    if (first === undefined) return null;
    const best = running.reduce((best, game) => (score(game) > score(best) ? game : best), current ?? first);
    if (best.game !== this.chosen) {
      this.chosen = best.game;
      this.since = now;
    }
    return best;
  }
}

/** The game of a table or player, or the first board that plays (`current`). */
export function gameFor(who: string, games: readonly Game[]): Game | null {
  if (who === "current") return games.find(isRunning) ?? games[0] ?? null;
  if (/^\d+$/.test(who)) return games.find((game) => game.board === Number(who)) ?? null;
  const of = games.filter((game) => matches(game, who));
  return of.find(isRunning) ?? of[0] ?? null;
}
