/**
 * The words of pages in one language at a time, from files with the same keys. A key that a file lacks is shown in English; the
 * choice is kept on the device.
 */
import { bestLanguage, fill, type Language, type Parameters } from "./language";

export type Words = Readonly<Record<string, string>>;
/** The files by their path `../languages/de.json`, read when they are needed. */
type Files = Readonly<Record<string, () => Promise<{ default: Words }>>>;

const STORED = "boardcast-language";

/** What the device keeps; null where storage is switched off, or the page is in a frame that may not use it. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds until the page is closed.
  }
}

export class Speech<Key extends string> {
  readonly #english: Words;
  readonly #files: Files;
  #spoken = $state.raw<{ language: Language; words: Words }>({ language: "en", words: {} });

  constructor(english: Readonly<Record<Key, string>>, files: Files) {
    this.#english = english;
    this.#files = files;
  }

  get language(): Language {
    return this.#spoken.language;
  }

  /** Takes the language that is wanted, that was chosen on this device, or that the browser prefers. */
  async begin(wanted: string | null = null): Promise<void> {
    const wishes = [wanted, kept(STORED), ...navigator.languages];
    await this.#show(bestLanguage(wishes.filter((wish) => wish !== null)));
  }

  async speak(language: Language): Promise<void> {
    keep(STORED, language);
    await this.#show(language);
  }

  /** A text. With `n` among the parameters, `key_one` is used for 1 if it exists. */
  t(key: Key, parameters: Parameters = {}): string {
    const one = parameters["n"] === 1 ? `${key}_one` : key;
    const [{ words }, english] = [this.#spoken, this.#english];
    return fill(words[one] ?? words[key] ?? english[one] ?? english[key] ?? key, parameters);
  }

  /** A text whose key comes from the daemon; null when there is none. */
  known(key: string, parameters: Parameters = {}): string | null {
    return Object.hasOwn(this.#english, key) ? this.t(key as Key, parameters) : null;
  }

  async #show(language: Language): Promise<void> {
    // The page must work when the file does not arrive.
    const file = this.#files[`../languages/${language}.json`];
    const words =
      language === "en"
        ? this.#english
        : await file?.()
            .then((file) => file.default)
            .catch(() => null);
    if (words === null || words === undefined) return;
    this.#spoken = { language, words };
    document.documentElement.lang = language;
  }
}
