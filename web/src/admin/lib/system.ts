import type { HistoryLine } from "./history";

/** What the daemon says of itself. */
export interface System {
  readonly version: string;
  /** Real time of the start: milliseconds since 1970, UTC. */
  readonly started_at: number;
  readonly disk_free: number | null;
  readonly disk_total: number | null;
  readonly public_address: string | null;
}

/** A port of the machine. */
export interface Port {
  readonly port: string;
  readonly device: string;
  readonly state: "board" | "asked" | "not_asked";
  readonly board: string | null;
  readonly allowed: boolean;
  /** Since when a serial server cannot be reached there. */
  readonly unreachable_since: number | null;
}

/** The lines with those of `earlier` that are older, as far as none is missing between them. */
export function followed(
  lines: readonly HistoryLine[],
  earlier: readonly HistoryLine[],
): readonly HistoryLine[] {
  const last = lines.at(-1)?.correction.number ?? 0;
  const older = earlier.filter((line) => line.correction.number < last);
  return older[0]?.correction.number === last - 1 ? [...lines, ...older] : lines;
}

/** `1.4 GB`. */
export function sizeText(bytes: number, language: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  const style = {
    style: "unit",
    unit: units[unit] ?? "byte",
    maximumFractionDigits: value < 10 ? 1 : 0,
  } as const;
  return new Intl.NumberFormat(language, style).format(value);
}
