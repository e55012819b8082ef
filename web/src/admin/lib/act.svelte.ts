/**
 * Actions: an order is sent, what it led to is said in a bar, and the bar takes it back. Where another person changed the same
 * since the page showed it, the bar says who, when and what, and this person chooses; what was typed stays.
 */
import { holdFocus } from "./focus";
import { get, inWords, order, Refused, sentence, type Based, type Done } from "./api.svelte";
import { t, timeText } from "./i18n.svelte";
import { live } from "./live.svelte";
import { nameOf } from "./orders";
import { inSum } from "./sums";
import type { Hall, Order } from "./wire";
import { zoneOf } from "./zones";

/** What a person chooses between two changes of the same. */
type Choice = "mine" | "theirs" | "later";

interface Bar {
  /** What a question is about: the action and its place. */
  readonly title: string;
  readonly text: string;
  readonly bad: boolean;
  /** The order that takes it back. */
  readonly undo: Order | null;
  /** A question of the daemon: the order that answers it with yes. */
  readonly confirm: Order | null;
  /** The version that the order of the bar is based on. */
  readonly seen: number | undefined;
  /** A conflict: takes the choice. */
  readonly choose: ((choice: Choice) => void) | null;
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
  show(null);
}

/** A bar that asks is answered when another one takes its place. */
function show(next: Bar | null): void {
  clearTimeout(timer);
  const before = bar.shown;
  bar.shown = next;
  before?.choose?.("later");
}

/**
 * A question is about the page and the values that were shown when the order was sent: it goes when the person goes to another page,
 * changes a field, or sends another order. Then its order is not sent again.
 */
export function withdrawQuestion(): void {
  if (bar.shown !== null && (bar.shown.confirm !== null || bar.shown.choose !== null)) show(null);
}

/** How what was said is taken back. */
interface Back {
  readonly undo: Order | null;
  /** The version that `undo` is based on. */
  readonly seen?: number;
}

/** Says for a while what was done. */
export function say(text: string, { undo, seen }: Back = { undo: null }): void {
  show({ title: "", text, bad: false, undo, confirm: null, seen, choose: null });
  timer = setTimeout(() => (bar.shown = null), SHOWN_MS);
}

/** Says what went wrong, until it is read. */
export function sayFailed(text: string): void {
  show({ title: "", text, bad: true, undo: null, confirm: null, seen: undefined, choose: null });
}

/** Asks a question of the daemon, which this order answers with yes, until it is answered. */
function sayQuestion(text: string, confirm: Order, seen: number | undefined): void {
  show({ title: nameOf(confirm, live.hall), text, bad: true, undo: null, confirm, seen, choose: null });
}

/** Asks what to keep after a conflict about the action that `title` names. */
function ask(title: string, text: string): Promise<Choice> {
  return new Promise((chosen) => {
    const choose = (choice: Choice) => {
      if (bar.shown?.choose === choose) bar.shown = null;
      chosen(choice);
    };
    show({ title, text, bad: true, undo: null, confirm: null, seen: undefined, choose });
  });
}

/** What is sent along with an order. */
interface More {
  /** The version of the hall that it is based on: any other order since is a conflict. */
  readonly version?: number | undefined;
  /** The version at which the person began, else the one that is shown: a change of the same since is a conflict. */
  readonly seen?: number | undefined;
  /** What takes it back, where the history has no undo for it. */
  readonly back?: Order;
  /** The page has said already what it leads to. */
  readonly told?: boolean;
  /** Why, for the history. */
  readonly reason?: string;
  /** The person keeps what another one made of it. */
  readonly theirs?: () => void;
}

/** Who changed what when, by the clock of the venue. */
async function changeOf({ message, params: { by, at, what } }: Refused, wanted: Order): Promise<string> {
  if (typeof by !== "string" || typeof at !== "number" || typeof what !== "object") return message;
  const { section, game } = wanted;
  const { hall } = live;
  const zone =
    typeof section === "string"
      ? zoneOf(hall.hall?.sections ?? [], section)
      : hall.zone(typeof game === "string" ? game : null);
  const words = await inWords([what], zone);
  return t("conflict.changed", { by, time: timeText(at, zone), what: words.join(" ") });
}

/**
 * Does something that is refused when another person changed the same since `seen`: then this person chooses, and it is done
 * again on the basis of that change, or not at all. `wanted` names the action in the question. Null when it was not done.
 */
export async function unlessChanged<T>(
  seen: number | undefined,
  send: (seen: number | undefined) => Promise<T>,
  wanted: Order,
  theirs?: () => void,
): Promise<T | null> {
  for (let basis = seen; ;) {
    try {
      return await send(basis);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "changed") throw error;
      // What overwrites this change must not overwrite a later one.
      basis = (await get<Pick<Hall, "version">>("/hall")).version;
      const was = bar.busy;
      bar.busy = false;
      const choice = await ask(nameOf(wanted, live.hall), await changeOf(error, wanted));
      if (choice === "theirs") theirs?.();
      if (choice !== "mine") return null;
      bar.busy = was;
    }
  }
}

/** Counts the orders. */
let acting = 0;
/** The answer to the last order. */
let answered: Promise<unknown> = Promise.resolve();

/** Sends an order after the answer to the one before: a change that this page ordered itself is no conflict. */
function inTurn(wanted: Order, based: Based): Promise<Done> {
  const sent = answered.then(() => order(wanted, { ...based, seen: live.withOwn(based.seen) }));
  answered = sent.then(
    (done) => live.ordered(done),
    () => undefined,
  );
  return sent;
}

/** Sends an order and tells what came of it; whether it was carried out. */
export async function act(wanted: Order, done: string, more: More = {}): Promise<boolean> {
  const { version, back, told = false, reason, theirs, seen = live.hall.hall?.version } = more;
  withdrawQuestion();
  const mine = ++acting;
  const keepFocus = holdFocus();
  bar.busy = true;
  try {
    const sent = await unlessChanged(
      version === undefined ? seen : undefined,
      (basis) => inTurn(wanted, { version, reason, seen: basis }),
      wanted,
      theirs,
    );
    if (sent === null) return false;
    const { facts, notes, version: after } = sent;
    // What the next action takes back is read from the page: it must show this one first.
    await live.reached(after);
    const correction = facts.find((fact) => fact.fact === "corrected" && fact.undo !== undefined);
    const words = [done, ...(told ? [] : await inWords(inSum(notes, (n) => t("act.alike", { n }))))];
    say(words.join(" "), { undo: undoOf(correction?.number) ?? back ?? null, seen: after });
    return true;
  } catch (error) {
    const code = error instanceof Refused ? error.code : null;
    const asks = code === "confirm" && wanted["confirm"] !== true;
    const cuts = code === "later_move_impossible" && wanted["cut"] !== true;
    if (code === "stale") sayFailed(t("act.stale"));
    else if (asks) sayQuestion(sentence(error), { ...wanted, confirm: true }, seen);
    else if (cuts) sayQuestion(`${sentence(error)} ${t("act.cut")}`, { ...wanted, cut: true }, seen);
    else sayFailed(sentence(error));
    return false;
  } finally {
    // An order whose question is withdrawn by the next one ends after that one began.
    if (mine === acting) bar.busy = false;
    keepFocus();
  }
}

/** The order that undoes a correction. */
export function undoOf(number: number | undefined): Order | null {
  return number === undefined ? null : { order: "undo", number };
}

export async function undo(number: number): Promise<void> {
  await act({ order: "undo", number }, t("act.undone"));
}
