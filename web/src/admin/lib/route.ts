/** The pages of the dashboard and their addresses, which stand after «#». Pure. */
import type { Key } from "./i18n.svelte";

export type Route =
  | { readonly page: "hall" | "results" | "system" | "log" }
  | { readonly page: "event"; readonly tab: string }
  | { readonly page: "table"; readonly game: string }
  | { readonly page: "arbiter"; readonly game: string | null }
  | {
      readonly page: "round";
      readonly section: string | null;
      readonly round: number | null;
      /** What of the round is shown; none for its pairings. */
      readonly part?: string;
    }
  | { readonly page: "setup"; readonly step: string };

export const TITLES: Readonly<Record<Route["page"], Key>> = {
  hall: "page.hall",
  table: "page.table",
  arbiter: "page.arbiter",
  round: "page.round",
  results: "page.results",
  event: "page.event",
  system: "page.system",
  setup: "page.setup",
  log: "page.log",
};

/** The page of an address; an unknown one is the hall. */
export function parseRoute(hash: string): Route {
  const [page = "", one, two, three] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  if (page === "table" && one) return { page, game: one };
  if (page === "arbiter") return { page, game: one || null };
  if (page === "round") {
    const round = Number(two);
    const number = Number.isInteger(round) && round > 0 ? round : null;
    return { page, section: one || null, round: number, ...(three ? { part: three } : {}) };
  }
  if (page === "setup") return { page, step: one ?? "" };
  if (page === "event") return { page, tab: one ?? "" };
  if (page === "results" || page === "system" || page === "log") return { page };
  return { page: "hall" };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const tableHref = (game: string) => `#/table/${encodeURIComponent(game)}`;
export const arbiterHref = (game: string) => `#/arbiter/${encodeURIComponent(game)}`;
export const roundHref = (section: string, round: number) =>
  `#/round/${encodeURIComponent(section)}/${round}`;

/** Where the cause of an alarm that concerns no single game is put right. */
const MENDED: Readonly<Record<string, string>> = {
  board_without_table: "#/round///boards",
  moves_before_round: "#/round",
  pairings_refused: "#/round///load",
  output_failing: "#/event/outputs",
  source_failing: "#/event/sources",
  server_unreachable: "#/system",
  record_incomplete: "#/system",
};

/** Where an alarm is looked at: at its table, else where its cause is put right; null where that is not in the dashboard. */
export const alarmHref = (alarm: { readonly game: string | null; readonly kind: string }): string | null =>
  alarm.game === null ? (MENDED[alarm.kind] ?? null) : tableHref(alarm.game);
