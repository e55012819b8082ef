/** Work in turns: parts of a page that are drawn one after the other, in slices between frames. */
import { flushSync } from "svelte";
import { soon } from "../../lib/slices";

/** So many milliseconds go to parts between two frames. */
const SLICE_MS = 8;

/** Does a work in its turn; the returned function calls it off. */
export type Turn = (work: () => void) => () => void;

/**
 * A row of works. It takes turns with other work between frames, so that this does not wait for the whole row. Between two frames
 * `least` of them are done, and up to `most` on a quick device: the time says nothing of what laying them out will cost. The first one is
 * done alone, as it brings what the others find: compiled functions, and fonts.
 */
export function inTurn(least = 1, most = 2): Turn {
  const row = new Set<() => void>();
  let planned = false;
  let first = true;
  const plan = () => {
    if (planned || row.size === 0) return;
    planned = true;
    soon(() => {
      planned = false;
      const until = performance.now() + SLICE_MS;
      let done = 0;
      for (const work of row) {
        row.delete(work);
        // Drawn here, so that the slice knows how long it took.
        flushSync(work);
        done += 1;
        if (first || done >= most || (done >= least && performance.now() >= until)) break;
      }
      first = false;
      plan();
    });
  };
  return (work) => {
    row.add(work);
    plan();
    return () => row.delete(work);
  };
}
