/**
 * The options of a long select as plain elements. A template keeps something for each of them, which made one task of a quarter of a
 * second of 430 time zones on a slow device.
 */
import type { Attachment } from "svelte/attachments";

export interface Option {
  readonly value: string;
  readonly words: string;
}

/** Options under a heading; without one they stand by themselves. */
export interface OptionGroup {
  readonly label: string;
  readonly options: readonly Option[];
}

/** What stands in each select: equal options are not written again, as that closes a list that is open. */
const written = new WeakMap<HTMLSelectElement, string>();

/** Fills a select, and keeps what is chosen in it where that is still there. */
export function options(groups: readonly OptionGroup[]): Attachment<HTMLSelectElement> {
  return (select) => {
    const wanted = JSON.stringify(groups);
    if (written.get(select) === wanted) return;
    written.set(select, wanted);
    const chosen = select.value;
    select.replaceChildren(...groups.flatMap(elementsOf));
    if (select.value !== chosen) select.value = chosen;
  };
}

/** Options without a heading. */
export const plainOptions = (values: readonly string[]): readonly OptionGroup[] => [
  { label: "", options: values.map((value) => ({ value, words: value })) },
];

function elementsOf({ label, options }: OptionGroup): HTMLElement[] {
  const elements = options.map(({ value, words }) => new Option(words, value));
  if (label === "") return elements;
  const group = document.createElement("optgroup");
  group.label = label;
  group.append(...elements);
  return [group];
}
