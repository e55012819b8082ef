/** The results desk: which game a typed number means, and what a key means. Pure. */
import type { GameLine, RoundLine, SectionLine } from "./wire";

/** `1`, `=` or `0`, and what a block of number keys has in place of `=`. */
export function resultOfKey(key: string): string | null {
  if (key === "1") return "1-0";
  if (key === "0") return "0-1";
  return ["=", "5", ".", ",", "/", "½"].includes(key) ? "1/2-1/2" : null;
}

/** Without a move for so long a game may be over without a sign of its end. */
const LONG_MS = 20 * 60_000;

/**
 * The games without a result: first those that are over, the oldest first, then those without a move for a long time, then those that are
 * played, in the order of their tables. No move of a game that goes on may change the order below a finger.
 */
export function withoutResult(games: readonly GameLine[], now: number): GameLine[] {
  const open = games.filter(
    (game) =>
      game.section !== null &&
      game.result === null &&
      (game.state === "result_missing" || game.state === "playing"),
  );
  const quiet = ({ last_at }: GameLine) => last_at !== null && now - last_at >= LONG_MS;
  const rank = (game: GameLine) => (game.state === "result_missing" ? 0 : quiet(game) ? 1 : 2);
  const at = (game: GameLine) => (rank(game) === 2 ? 0 : (game.last_at ?? 0));
  return open.sort((a, b) => rank(a) - rank(b) || at(a) - at(b) || tableOf(a) - tableOf(b));
}

/** One line of the list of games without a result. */
export interface MissingRow {
  readonly game: GameLine;
  /** The name of its section; empty where one section has rounds. */
  readonly section: string;
  readonly white: string;
  readonly black: string;
  readonly zone: string | null;
}

/** The rows of these games; one that is as before is the same object, so that the page draws only what changed. */
export function rowsOf(
  games: readonly GameLine[],
  row: (game: GameLine) => MissingRow,
  before: readonly MissingRow[],
): MissingRow[] {
  const known = new Map(before.map((one) => [one.game.id, one]));
  return games.map((game) => {
    const [old, next] = [known.get(game.id), row(game)];
    const same =
      old !== undefined && (Object.keys(next) as (keyof MissingRow)[]).every((key) => old[key] === next[key]);
    return same ? old : next;
  });
}

/** Rounds that are over and of which results are missing, where the list of games has not these games. */
export function earlierWithoutResult(
  sections: readonly SectionLine[],
  games: readonly GameLine[],
): { readonly section: SectionLine; readonly round: RoundLine }[] {
  const shown = new Set(games.map((game) => `${game.section}/${game.round}`));
  return sections.flatMap((section) =>
    section.rounds
      .filter((round) => round.state === "finished" && round.without_result > 0)
      .filter((round) => !shown.has(`${section.section}/${round.round}`))
      .map((round) => ({ section, round })),
  );
}

/** Whether a game of a round has begun or has a result: before that no result is missing, and none is entered. */
export function anyBegun(games: readonly GameLine[]): boolean {
  return games.some(
    (game) =>
      game.section !== null && (game.started || game.result !== null || game.state === "result_missing"),
  );
}

export function tableOf(game: GameLine): number {
  return game.table ?? game.number ?? 0;
}

/**
 * The games that the number of a table can mean, one of each section that has such a table: one without a result before others. Games
 * of open play come last.
 */
export function gamesAt(
  games: readonly GameLine[],
  table: number,
  openPlay: ReadonlySet<string> = new Set(),
): GameLine[] {
  const here = games.filter((game) => game.section !== null && tableOf(game) === table);
  const sections = [...new Set(here.map((game) => game.section ?? ""))];
  const last = (section: string) => Number(openPlay.has(section));
  return sections
    .sort((a, b) => last(a) - last(b) || (a < b ? -1 : 1))
    .flatMap((section) => {
      const own = here.filter((game) => game.section === section);
      return (
        own.find((game) => game.result === null && game.started) ??
        own.find((game) => game.result === null) ??
        own[0] ??
        []
      );
    });
}

/** The one of these games that is meant without a choice of its section; null where several are of rounds with pairings. */
export function gameMeant(found: readonly GameLine[], openPlay: ReadonlySet<string>): GameLine | null {
  const paired = found.filter((game) => !openPlay.has(game.section ?? ""));
  const likely = paired.length > 0 ? paired : found;
  return likely.length === 1 ? (likely[0] ?? null) : null;
}
