/** Times as people type them. Pure. */

/** `1:23:45`, `23:45` or `45` as milliseconds; undefined when it is no time. */
export function milliseconds(text: string): number | undefined {
  const parts = text.trim().split(":");
  if (parts.length > 3 || parts.some((part) => !/^\d{1,4}$/.test(part))) return undefined;
  const seconds = parts.reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds > 100 * 3600 ? undefined : seconds * 1000;
}
