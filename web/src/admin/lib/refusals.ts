/**
 * Sentences of the daemon in the reader's language, from their codes and parameters: `../refusals` has a file for each
 * language. A code that a file lacks is shown as the daemon says it, in English.
 */
import { fill, type Language, type Parameters } from "../../lib/language";

type Words = Readonly<Record<string, string>>;

/** A sentence of the daemon. */
export interface CodedText {
  readonly code?: string;
  readonly params?: Parameters;
  /** In English. */
  readonly text: string;
}

const FILES = import.meta.glob<{ default: Words }>(["../refusals/*.json", "!../refusals/en.json"]);

/** The sentences of a language, read when the first one is needed; none for English and while a file does not arrive. */
export async function refusalWords(language: Language): Promise<Words> {
  const file = FILES[`../refusals/${language}.json`];
  if (file === undefined) return {};
  return file().then(
    (read) => read.default,
    () => ({}),
  );
}

/** The sentence in these words, else in English. */
export function worded(said: CodedText, words: Words): string {
  const known = said.code !== undefined && Object.hasOwn(words, said.code) ? words[said.code] : undefined;
  return known === undefined ? said.text : fill(known, said.params ?? {});
}
