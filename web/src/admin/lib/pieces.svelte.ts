/**
 * Pictures of pieces, one kind in each frame, the first time that the page shows them: the browser makes a document of each, which takes a
 * slow phone twenty milliseconds.
 */
import { soon } from "../../lib/slices";

const KINDS = "pPrRnNbBqQkK";

let shown = $state(0);
let planned = false;

/** A FEN with the pieces whose pictures are there. The others come by themselves, to all that reads this in an effect. */
export function withPictures(fen: string): string {
  if (shown >= KINDS.length) return fen;
  if (!planned) {
    planned = true;
    soon(() => {
      planned = false;
      shown += 1;
    });
  }
  const [pieces = "", ...rest] = fen.split(" ");
  const there = pieces.replaceAll(/[a-zA-Z]/g, (piece) => (KINDS.indexOf(piece) < shown ? piece : "1"));
  return [there, ...rest].join(" ");
}
