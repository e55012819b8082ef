/** Clock values and times spent as series for a plot. Pure. */
import { moveNumber } from "./game";
import type { Game, Side } from "./wire";

/** One side's time left and time spent in minutes, by move number; null where they are not known. */
export interface Times {
  readonly numbers: number[];
  readonly left: Record<Side, (number | null)[]>;
  readonly spent: Record<Side, (number | null)[]>;
}

const minutes = (ms: number | null) => (ms === null ? null : ms / 60_000);

export function timesOf(game: Game): Times {
  const numbers: number[] = [];
  const times: Times = {
    numbers,
    left: { white: [], black: [] },
    spent: { white: [], black: [] },
  };
  for (const move of game.moves) {
    const { number, side } = moveNumber(game, move.ply);
    if (numbers.at(-1) !== number) {
      numbers.push(number);
      for (const series of [times.left, times.spent]) {
        series.white.push(null);
        series.black.push(null);
      }
    }
    times.left[side][numbers.length - 1] = minutes(move.clk_ms);
    times.spent[side][numbers.length - 1] = minutes(move.emt_ms);
  }
  return times;
}
