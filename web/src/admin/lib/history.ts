/** Who made a correction, when and why: read from the history, which pages need not have. */
import { get } from "./api.svelte";
import type { CodedText } from "./refusals";
import type { GameMoves } from "./wire";

/** A line of the history. */
export interface HistoryLine {
  readonly at: number;
  readonly by: string;
  readonly reason: string | null;
  readonly correction: {
    /** Counts them from 1. */
    readonly number: number;
    readonly sentence: CodedText;
    readonly undo?: unknown;
    readonly undoes?: number;
  };
}

/** How often a line is asked for that is shown and not saved yet. */
const TRIES = 4;
const WAIT_MS = 800;

const known = new Map<number, HistoryLine>();
let reading: Promise<unknown> = Promise.resolve();

/** The line of a correction; null where it cannot be read. */
export function historyLine(number: number): Promise<HistoryLine | null> {
  // One after the other, as an answer has many lines.
  const line = reading.then(() => read(number)).catch(() => null);
  reading = line;
  return line;
}

async function read(number: number): Promise<HistoryLine | null> {
  for (let tries = 0; !known.has(number) && tries < TRIES; tries++) {
    if (tries > 0) await new Promise((go) => setTimeout(go, WAIT_MS));
    for (const line of await get<HistoryLine[]>(`/history?before=${number + 1}`)) {
      known.set(line.correction.number, line);
    }
  }
  return known.get(number) ?? null;
}

/** The corrections of the times of a ply that hold, by number. */
export function timesChanged({ corrections }: Pick<GameMoves, "corrections">, ply: number): number[] {
  const undone = new Set(corrections.map(({ undoes }) => undoes));
  return corrections
    .filter(({ undoes, number }) => undoes === null && !undone.has(number))
    .filter(({ sentence }) => sentence.code === "corrected_times" && sentence.params?.["ply"] === ply)
    .map(({ number }) => number);
}
