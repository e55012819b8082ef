/** Actions: an order is sent, what it led to is said in a bar, and the bar takes it back. */
import { order, Refused, sentence } from "./api.svelte";
import { t } from "./i18n.svelte";
import { live } from "./live.svelte";
import type { Order } from "./wire";

interface Bar {
  readonly text: string;
  readonly bad: boolean;
  /** The order that takes it back. */
  readonly undo: Order | null;
  /** A question of the daemon: the order that answers it with yes. */
  readonly confirm: Order | null;
}

const bar = $state<{ shown: Bar | null; busy: boolean }>({ shown: null, busy: false });
let timer: ReturnType<typeof setTimeout> | undefined;
const SHOWN_MS = 20_000;

export function shownBar(): Bar | null {
  return bar.shown;
}

export function busy(): boolean {
  return bar.busy;
}

export function dismiss(): void {
  bar.shown = null;
}

/** Says something in the bar. */
export function say(
  text: string,
  bad = false,
  undo: Order | null = null,
  confirm: Order | null = null,
): void {
  clearTimeout(timer);
  bar.shown = { text, bad, undo, confirm };
  // What went wrong or asks stays until it is read.
  if (!bad && confirm === null) timer = setTimeout(() => (bar.shown = null), SHOWN_MS);
}

/** What is sent along with an order. */
interface More {
  /** The version of the hall that it is based on. */
  readonly version?: number | undefined;
  /** What takes it back, where the history has no undo for it. */
  readonly back?: Order;
  /** Why, for the history. */
  readonly reason?: string;
}

/** Sends an order and tells what came of it; whether it was carried out. */
export async function act(
  wanted: Order,
  done: string,
  { version, back, reason }: More = {},
): Promise<boolean> {
  bar.busy = true;
  try {
    const { facts, notes, version: after } = await order(wanted, version, reason);
    // What the next action takes back is read from the page: it must show this one first.
    await live.reached(after);
    const correction = facts.find((fact) => fact.fact === "corrected" && fact.undo !== undefined);
    say([done, ...notes].join(" "), false, undoOf(correction?.number) ?? back ?? null);
    return true;
  } catch (error) {
    const code = error instanceof Refused ? error.code : null;
    const asks = code === "confirm" && wanted["confirm"] !== true;
    const cuts = code === "later_move_impossible" && wanted["cut"] !== true;
    if (error instanceof Refused && error.status === 412) say(t("act.stale"), true);
    else if (asks) say(sentence(error), true, null, { ...wanted, confirm: true });
    else if (cuts) say(`${sentence(error)} ${t("act.cut")}`, true, null, { ...wanted, cut: true });
    else say(sentence(error), true);
    return false;
  } finally {
    bar.busy = false;
  }
}

/** The order that undoes a correction. */
export function undoOf(number: number | undefined): Order | null {
  return number === undefined ? null : { order: "undo", number };
}

export async function undo(number: number): Promise<void> {
  await act({ order: "undo", number }, t("act.undone"));
}
