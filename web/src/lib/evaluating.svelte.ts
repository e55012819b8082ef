/** Asks the daemon for the evaluations of one game while it lacks some; and whether the visitor wants to see them. */
import type { Evaluated } from "./evaluations";
import { keep, kept } from "./speech.svelte";

const ENGINE = "boardcast-engine";
/** Pauses between two questions while something is missing: they double. */
const FIRST_PAUSE_MS = 1000;
/** Below the minute after which the daemon takes a game for one that is not looked at. */
const LONGEST_PAUSE_MS = 30_000;

let wanted = $state(kept(ENGINE) !== "0");

/** Whether the visitor wants to see evaluations; kept on the device. */
export function engineWanted(): boolean {
  return wanted;
}

export function wantEngine(want: boolean): void {
  keep(ENGINE, want ? "1" : "0");
  wanted = want;
}

export class Evaluating {
  /** None while the daemon gives none. */
  known = $state.raw<Evaluated | null>(null);
  /** The daemon has none for this game. */
  #refused = false;

  /** The delay does not allow evaluations. */
  forget(): void {
    this.known = null;
    this.#refused = false;
  }

  /** Asks until all moves of a game have evaluations, or once when the visitor wants none; returns how to end it. */
  ask(game: string, moves: number, wanted: boolean): () => void {
    const ended = new AbortController();
    if (!this.#refused) void this.#ask(game, wanted ? moves : -1, ended.signal).catch(() => undefined);
    return () => ended.abort();
  }

  async #ask(game: string, moves: number, end: AbortSignal): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      await seen(end);
      const answer = await fetch(`/api/v1/games/${encodeURIComponent(game)}/evaluations`, {
        signal: end,
      }).catch(() => null);
      end.throwIfAborted();
      if (answer?.status === 404) {
        this.known = null;
        this.#refused = true;
        return;
      }
      if (answer?.ok) {
        const known = (await answer.json()) as Evaluated;
        end.throwIfAborted();
        this.known = known;
        if (known.positions.length > moves) return;
      }
      await new Promise((done) => setTimeout(done, pause));
      end.throwIfAborted();
    }
  }
}

/** Waits until the page is seen. */
async function seen(end: AbortSignal): Promise<void> {
  while (document.hidden) {
    await new Promise((done) =>
      document.addEventListener("visibilitychange", done, { once: true, signal: end }),
    );
    end.throwIfAborted();
  }
}
