/** Sentences of one kind in sum: a round with many tables says the same of each of them. Pure. */
import type { CodedText } from "./refusals";

/** So many sentences of one kind are said one by one. */
const ALONE = 3;

/** Of more sentences of one kind the first, and how many more there are. */
export function inSum(notes: readonly CodedText[], more: (n: number) => string): CodedText[] {
  const kinds = new Map<string, CodedText[]>();
  for (const note of notes) {
    const kind = note.code ?? note.text;
    kinds.set(kind, [...(kinds.get(kind) ?? []), note]);
  }
  return [...kinds.values()].flatMap((alike) => {
    const [first] = alike;
    return alike.length <= ALONE || first === undefined ? alike : [first, { text: more(alike.length - 1) }];
  });
}
