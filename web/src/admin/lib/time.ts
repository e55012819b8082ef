/** Times as people type them. Pure. */

/** `1:23:45`, `23:45` or `45` as milliseconds; undefined when it is no time. */
export function milliseconds(text: string): number | undefined {
  const parts = text.trim().split(":");
  if (parts.length > 3 || parts.some((part) => !/^\d{1,4}$/.test(part))) return undefined;
  const seconds = parts.reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds > 100 * 3600 ? undefined : seconds * 1000;
}

/** An instant as the wall clock of a zone shows it, for a field of date and time: `2026-11-22T14:30`. */
export function localIn(at: number, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

/**
 * The instant at which the wall clock of a zone shows this; null when the text is none. `known` is the instant that was saved: it
 * stays while the text is the same, as in the night of the change from summer time an hour comes twice.
 */
export function instantIn(text: string, zone: string, known?: number): number | null {
  if (known !== undefined && localIn(known, zone) === text) return known;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const wanted = Date.parse(`${text}:00Z`);
  if (Number.isNaN(wanted)) return null;
  // The offset at the instant itself is found in two steps, also near a change to or from summer time.
  let at = wanted;
  for (let step = 0; step < 2; step++) at += wanted - Date.parse(`${localIn(at, zone)}:00Z`);
  return at;
}
