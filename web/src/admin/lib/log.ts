/** The lines of the daemon's log, and which of them are wanted. Pure. */
export const LEVELS = ["error", "warn", "info", "debug"] as const;
export type Level = (typeof LEVELS)[number];

export interface LogLine {
  readonly number: number;
  /** Real time: milliseconds since 1970, UTC. */
  readonly at: number;
  readonly level: Level | "trace";
  readonly text: string;
}

/** The lines of at least this level that contain every word of the query, the newest first. */
export function matching(lines: readonly LogLine[], level: Level, query: string): LogLine[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const serious: readonly string[] = LEVELS.slice(0, LEVELS.indexOf(level) + 1);
  const wanted = (line: LogLine) => {
    const text = line.text.toLowerCase();
    const loud = level === "debug" || serious.includes(line.level);
    return loud && words.every((word) => text.includes(word));
  };
  return lines.filter(wanted).reverse();
}
