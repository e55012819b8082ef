/** The languages there are, and how a text is filled in. Pure. */

/** The languages with their own names. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  pl: "Polski",
} as const;
export type Language = keyof typeof LANGUAGES;

export type Parameters = Readonly<Record<string, string | number>>;

/** The first language of `wanted` that there is, else English. */
export function bestLanguage(wanted: readonly string[]): Language {
  const known = wanted
    .map((tag) => tag.toLowerCase().split("-")[0] ?? "")
    .find((tag) => Object.hasOwn(LANGUAGES, tag));
  return (known as Language | undefined) ?? "en";
}

/** Fills `{name}` in a text. */
export function fill(text: string, parameters: Parameters): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole));
}
