/** Team matches, made of boards that stand one after the other. Pure. */
import { player } from "./game";
import type { Game } from "./wire";

export interface Match {
  /** The team with White on the first board. */
  readonly home: string;
  readonly away: string;
  readonly homePoints: number;
  readonly awayPoints: number;
  /** Games without a result. */
  readonly open: number;
  /** The first board. */
  readonly board: number;
}

const POINTS: Readonly<Record<string, readonly [number, number]>> = {
  "1-0": [1, 0],
  "0-1": [0, 1],
  "1/2-1/2": [0.5, 0.5],
  "1/2-0": [0.5, 0],
  "0-1/2": [0, 0.5],
  "0-0": [0, 0],
};

/** The matches of a round in the order of its boards; none where games have no teams. */
export function matchesOf(games: readonly Game[]): Match[] {
  const matches: { -readonly [Name in keyof Match]: Match[Name] }[] = [];
  for (const game of games) {
    const [white, black] = [player(game, "white").team, player(game, "black").team];
    if (white === "" || black === "" || white === black) continue;
    let match = matches.find(
      (match) =>
        (match.home === white && match.away === black) || (match.home === black && match.away === white),
    );
    if (match === undefined) {
      match = { home: white, away: black, homePoints: 0, awayPoints: 0, open: 0, board: game.board };
      matches.push(match);
    }
    const points = POINTS[game.result];
    if (points === undefined) {
      match.open += 1;
      continue;
    }
    const [home, away] = match.home === white ? points : [points[1], points[0]];
    match.homePoints += home;
    match.awayPoints += away;
  }
  return matches;
}

/** `2½`. */
export function pointsText(points: number): string {
  const whole = Math.floor(points);
  const half = points > whole ? "½" : "";
  return whole === 0 && half !== "" ? half : `${whole}${half}`;
}
