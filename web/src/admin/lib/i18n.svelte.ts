/**
 * The words of the dashboard in the language of this device. The files in `../languages` have them, one for each
 * language with the same keys; a translator edits nothing else. A key that a file lacks is shown in English.
 */
import english from "../languages/en.json";
import { bestLanguage, fill, type Language, type Parameters } from "../../lib/language";

export type Key = keyof typeof english;
type Words = Readonly<Record<string, string>>;

const files = import.meta.glob<{ default: Words }>("../languages/*.json");
const STORED = "boardcast-language";

const spoken = $state<{ language: Language; words: Words }>({ language: "en", words: english });

function stored(): string[] {
  try {
    const language = localStorage.getItem(STORED);
    return language === null ? [] : [language];
  } catch {
    return [];
  }
}

export async function begin(): Promise<void> {
  await show(bestLanguage([...stored(), ...navigator.languages]));
}

export async function speak(language: Language): Promise<void> {
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // It holds until the page is closed.
  }
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

/** A text in the language of this device. With `n` among the parameters, `key_one` is used for 1 if it exists. */
export function t(key: Key, parameters: Parameters = {}): string {
  const one = parameters["n"] === 1 ? `${key}_one` : key;
  const words = english as Words;
  return fill(spoken.words[one] ?? spoken.words[key] ?? words[one] ?? words[key] ?? key, parameters);
}

/** A text whose key comes from the daemon; null when there is none. */
export function known(key: string, parameters: Parameters = {}): string | null {
  return key in english ? t(key as Key, parameters) : null;
}

/** Hours and minutes, in the zone of the venue where it is known. */
export function timeText(at: number, zone?: string | null, seconds = false): string {
  const options: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hour12: false };
  if (seconds) options.second = "2-digit";
  if (zone) options.timeZone = zone;
  return new Intl.DateTimeFormat(spoken.language, options).format(at);
}

export function dayText(at: number): string {
  return new Intl.DateTimeFormat(spoken.language, { dateStyle: "medium", timeStyle: "short" }).format(at);
}
