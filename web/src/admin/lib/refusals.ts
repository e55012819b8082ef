/**
 * Sentences of the daemon in the reader's language, from their codes and parameters: `../refusals` has a file for each
 * language. A code that a file lacks is shown as the daemon says it, in English.
 */
import { apart, withApart } from "../../lib/apart";
import { fill, type Language, type Parameters } from "../../lib/language";

type Words = Readonly<Record<string, string>>;

/** A place in a file that was sent. */
export interface FilePlace {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Values by name; one may be a sentence of its own. */
export type CodedParameters = Readonly<Record<string, string | number | CodedText>>;

/** A sentence of the daemon. */
export interface CodedText {
  readonly code?: string;
  readonly params?: CodedParameters;
  /** What it is about, when that is a place in a file. */
  readonly place?: FilePlace;
  /** In English, after its place. */
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

/** The sentence in these words after its place, else in English. */
export function worded(said: CodedText, words: Words): string {
  const known = said.code !== undefined && Object.hasOwn(words, said.code) ? words[said.code] : undefined;
  if (known === undefined) return withApart(said.text, textsOf(said));
  const sentence = fill(known, filled(said.params ?? {}, words));
  if (said.place === undefined) return sentence;
  const { file, line } = said.place;
  const placed = words[line === undefined ? "in_file" : file === undefined ? "at_line" : "in_file_at_line"];
  return placed === undefined
    ? withApart(said.text, textsOf(said))
    : fill(placed, { ...said.place, sentence });
}

/** The sentence with the games in it as `nameOf` names them; one that it does not know stays as the daemon says it. */
export function withGames(said: CodedText, nameOf: (id: string) => string | null): CodedText {
  const { code, params = {} } = said;
  const { game } = params;
  const name = code?.startsWith("game_at_") && typeof game === "string" ? nameOf(game) : null;
  if (name !== null) return { text: name };
  let { text } = said;
  const named = Object.entries(params).map(([key, value]) => {
    if (typeof value !== "object") return [key, value];
    const inner = withGames(value, nameOf);
    // In English the sentence is shown as the daemon made it.
    text = text.replaceAll(value.text, () => inner.text);
    return [key, inner];
  });
  return { ...said, params: Object.fromEntries(named) as CodedParameters, text };
}

/** Parameters with the sentences among them in these words. */
function filled(params: CodedParameters, words: Words): Parameters {
  const values = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "object" ? worded(value, words) : typeof value === "string" ? apart(value) : value,
  ]);
  return Object.fromEntries(values) as Parameters;
}

/** The texts among its parameters, and among those of the sentences in it. */
function textsOf({ params = {} }: CodedText): string[] {
  return Object.values(params).flatMap((value) =>
    typeof value === "object" ? textsOf(value) : typeof value === "string" ? [value] : [],
  );
}
