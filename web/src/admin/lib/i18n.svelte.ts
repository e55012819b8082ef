/** The words of the dashboard in the language of this device: `../languages` has one file for each. */
import english from "../languages/en.json";
import type { Language, Parameters } from "../../lib/language";
import { Speech } from "../../lib/speech.svelte";

export type Key = keyof typeof english;

const speech = new Speech<Key>(
  english,
  import.meta.glob<{ default: Readonly<Record<string, string>> }>([
    "../languages/*.json",
    "!../languages/en.json",
  ]),
);

export const begin = (): Promise<void> => speech.begin();
export const speak = (language: Language): Promise<void> => speech.speak(language);
export const language = (): Language => speech.language;
export const t = (key: Key, parameters: Parameters = {}): string => speech.t(key, parameters);

/** A text whose key comes from the daemon; null when there is none. */
export const known = (key: string, parameters: Parameters = {}): string | null =>
  speech.known(key, parameters);

/** The name of a round, else its number. */
export const roundName = (round: { readonly round: number; readonly name: string | null }): string =>
  round.name ?? t("round.n", { round: round.round });

/** By language and options, as one for each row of a long list is most of the time that the list takes. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(at: number, zone: string | null | undefined, options: Intl.DateTimeFormatOptions): string {
  const wanted = zone ? { ...options, timeZone: zone } : options;
  const key = `${speech.language} ${JSON.stringify(wanted)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(speech.language, wanted);
  formats.set(key, format);
  return format.format(at);
}

/** Hours and minutes, in the zone of the venue where it is known. */
export function timeText(at: number, zone?: string | null, seconds = false): string {
  const options: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return formatted(at, zone, seconds ? { ...options, second: "2-digit" } : options);
}

/** Day, hours and minutes, in the zone of the venue where it is known. */
export function dayText(at: number, zone?: string | null): string {
  return formatted(at, zone, { dateStyle: "medium", timeStyle: "short" });
}
