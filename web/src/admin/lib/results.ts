/** The results desk: which game a typed number means, and what a key means. Pure. */
import type { GameLine, RoundLine, SectionLine } from "./wire";

/** `1`, `=` or `0`, and what a block of number keys has in place of `=`. */
export function resultOfKey(key: string): string | null {
  if (key === "1") return "1-0";
  if (key === "0") return "0-1";
  return ["=", "5", ".", ",", "/", "½"].includes(key) ? "1/2-1/2" : null;
}

/** The games without a result: first those that are over, then those that are played, the longest without a move first. */
export function withoutResult(games: readonly GameLine[]): GameLine[] {
  const open = games.filter(
    (game) =>
      game.section !== null &&
      game.result === null &&
      (game.state === "result_missing" || game.state === "playing"),
  );
  const rank = (game: GameLine) => (game.state === "result_missing" ? 0 : 1);
  return open.sort(
    (a, b) => rank(a) - rank(b) || (a.last_at ?? 0) - (b.last_at ?? 0) || tableOf(a) - tableOf(b),
  );
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
