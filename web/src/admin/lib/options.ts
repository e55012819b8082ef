/**
 * The options of a long select as plain elements, in parts between frames. A template keeps something for each of them, and the browser
 * finds a style for each: 430 time zones at once are tasks of half a second on a slow device.
 */
import type { Attachment } from "svelte/attachments";
import { inTurn } from "./turns";

export interface Option {
  readonly value: string;
  readonly words: string;
}

/** Options under a heading; without one they stand by themselves. */
export interface OptionGroup {
  readonly label: string;
  readonly options: readonly Option[];
}

/** Options that come at once, and in each part that follows. */
const PART = 24;

/** What stands in each select: equal options are not written again, as that closes a list that is open. */
const written = new WeakMap<HTMLSelectElement, string>();
/** One part of one select in a frame. */
const turn = inTurn(1, 1);
/** Calls off the parts that are still to come. */
const coming = new WeakMap<HTMLSelectElement, () => void>();

/**
 * Fills a select, and keeps what is chosen in it where that is still there. `chosen` is what is to be chosen in an empty one: that option is
 * there from the beginning.
 */
export function options(groups: readonly OptionGroup[], chosen?: string): Attachment<HTMLSelectElement> {
  return (select) => {
    const wanted = JSON.stringify(groups);
    if (written.get(select) === wanted) return;
    written.set(select, wanted);
    coming.get(select)?.();
    fill(select, groups, select.options.length === 0 ? chosen : select.value);
  };
}

/** Options without a heading. */
export const plainOptions = (values: readonly string[]): readonly OptionGroup[] => [
  { label: "", options: values.map((value) => ({ value, words: value })) },
];

function fill(select: HTMLSelectElement, groups: readonly OptionGroup[], chosen: string | undefined): void {
  const all = groups.flatMap(({ label, options }) => {
    const group = label === "" ? null : Object.assign(document.createElement("optgroup"), { label });
    return options.map((option) => ({ group, option }));
  });
  const place = all.findIndex(({ group, option }) => group === null && option.value === chosen);
  const found = all[place];
  const first = found === undefined ? null : elementOf(found.option, true);
  select.replaceChildren(...(first === null ? [] : [first]));
  let from = 0;
  const part = (count: number) => {
    for (const [index, { group, option }] of all.slice(from, from + count).entries()) {
      if (from + index === place) continue;
      const put = (node: Node) => (from + index < place ? first?.before(node) : select.append(node));
      if (group?.parentNode === null) put(group);
      const element = elementOf(option, option.value === chosen);
      if (group === null) put(element);
      else group.append(element);
    }
    from += count;
    if (from < all.length) callOff = turn(() => part(PART));
  };
  // A person who opens the list finds all of it.
  const rest = () => (callOff(), part(all.length));
  let callOff = () => {};
  select.addEventListener("pointerdown", rest, { once: true });
  select.addEventListener("focus", rest, { once: true });
  coming.set(select, () => {
    callOff();
    select.removeEventListener("pointerdown", rest);
    select.removeEventListener("focus", rest);
  });
  part(PART);
}

function elementOf({ words, value }: Option, chosen: boolean): HTMLOptionElement {
  return new Option(words, value, false, chosen);
}
