/** The words of the public pages in the visitor's language: `../languages` has one file for each. */
import english from "../languages/en.json";
import type { Language, Parameters } from "./language";
import { keep, kept, Speech } from "./speech.svelte";

export type Key = keyof typeof english;

const files = import.meta.glob<{ default: Readonly<Record<string, string>> }>([
  "../languages/*.json",
  "!../languages/en.json",
]);
const speech = new Speech<Key>(english, files);
const FIGURINES = "boardcast-figurines";
let symbols = $state(kept(FIGURINES) === "1");

export const begin = (wanted: string | null = null): Promise<void> => speech.begin(wanted);
export const speak = (language: Language): Promise<void> => speech.speak(language);
export const language = (): Language => speech.language;
export const t = (key: Key, parameters: Parameters = {}): string => speech.t(key, parameters);

/** In which form days and hours are written: as the browser's settings say, as far as they are of this language. */
export function locales(): string[] {
  const own = navigator.languages.filter((tag) => tag.split("-")[0] === speech.language);
  return [...own, speech.language];
}

/** Whether pieces are written as symbols instead of letters. */
export function figurines(): boolean {
  return symbols;
}

export function useFigurines(use: boolean): void {
  keep(FIGURINES, use ? "1" : "0");
  symbols = use;
}
