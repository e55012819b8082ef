/**
 * The words of the public pages in the visitor's language. The files in `../languages` have them, one for each language with
 * the same keys. A key that a file lacks is shown in English.
 */
import english from "../languages/en.json";
import { bestLanguage, fill, type Language, type Parameters } from "./language";

export type Key = keyof typeof english;
type Words = Readonly<Record<string, string>>;

const files = import.meta.glob<{ default: Words }>(["../languages/*.json", "!../languages/en.json"]);
const LANGUAGE = "boardcast-language";
const FIGURINES = "boardcast-figurines";

const spoken = $state<{ language: Language; words: Words; figurines: boolean }>({
  language: "en",
  words: english,
  figurines: kept(FIGURINES) === "1",
});

function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // storage is switched off, or the page is in a frame that may not use it
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds until the page is closed.
  }
}

/** Takes the language that the address asks for, that was chosen on this device, or that the browser prefers. */
export async function begin(wanted: string | null = null): Promise<void> {
  const wishes = [wanted, kept(LANGUAGE), ...navigator.languages];
  await show(bestLanguage(wishes.filter((wish) => wish !== null)));
}

export async function speak(language: Language): Promise<void> {
  keep(LANGUAGE, language);
  await show(language);
}

async function show(language: Language): Promise<void> {
  const file = files[`../languages/${language}.json`];
  // The page must work when the file does not arrive.
  const words =
    language === "en"
      ? english
      : await file?.()
          .then((file) => file.default)
          .catch(() => null);
  if (words === null || words === undefined) return;
  spoken.words = words;
  spoken.language = language;
  document.documentElement.lang = language;
}

export function language(): Language {
  return spoken.language;
}

/** In which form days and hours are written: as the browser's settings say, as far as they are of this language. */
export function locales(): string[] {
  const own = navigator.languages.filter((tag) => tag.split("-")[0] === spoken.language);
  return [...own, spoken.language];
}

/** A text. With `n` among the parameters, `key_one` is used for 1 if it exists. */
export function t(key: Key, parameters: Parameters = {}): string {
  const one = parameters["n"] === 1 ? `${key}_one` : key;
  const words = english as Words;
  return fill(spoken.words[one] ?? spoken.words[key] ?? words[one] ?? words[key] ?? key, parameters);
}

/** Whether pieces are written as symbols instead of letters. */
export function figurines(): boolean {
  return spoken.figurines;
}

export function useFigurines(use: boolean): void {
  keep(FIGURINES, use ? "1" : "0");
  spoken.figurines = use;
}
