/**
 * When a round is to start, in the venue's time and in the visitor's own where they differ.
 * Pure: time zones and language come in as arguments.
 */

import { fill } from "./language";

interface Visitor {
  /** IANA name of the visitor's time zone. */
  readonly zone: string;
  /** Languages in which days and hours are written. */
  readonly languages: readonly string[];
  /** The words; English where none are given. */
  readonly say?: (key: "starts" | "was_to_start" | "your_time", parts: Record<string, string>) => string;
}

const ENGLISH = {
  starts: "Starts {when}",
  was_to_start: "Was to start {when}",
  your_time: "{there} ({here} your time)",
};

/** The day in a time zone, as a text that is the same for the same day only. */
function day(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
}

/** Hours and minutes, with the day where it is not `today`. */
function moment(at: number, timeZone: string, today: string, visitor: Visitor): string {
  const named: Intl.DateTimeFormatOptions =
    day(at, timeZone) === today ? {} : { weekday: "short", day: "numeric", month: "short" };
  const format = { ...named, timeZone, hour: "numeric", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat([...visitor.languages], format).format(at);
}

/** Whether the name of a time zone is one that this browser knows. */
function known(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** `Starts at 14:00 (15:00 your time)`; `now` is the hall's time, all instants are UTC ms. */
export function startText(
  at: number,
  zone: string | null | undefined,
  now: number,
  visitor: Visitor,
): string {
  const venue = zone && known(zone) ? zone : visitor.zone;
  const today = day(now, venue);
  const there = moment(at, venue, today, visitor);
  const here = moment(at, visitor.zone, today, visitor);
  const say = visitor.say ?? ((key, parts) => fill(ENGLISH[key], parts));
  const when = there === here ? there : say("your_time", { there, here });
  return say(at > now ? "starts" : "was_to_start", { when });
}
