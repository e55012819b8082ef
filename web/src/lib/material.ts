/** What the two sides have lost of their material. Pure. */
import type { Side } from "./wire";

const VALUES: Readonly<Record<string, number>> = { q: 9, r: 5, b: 3, n: 3, p: 1 };
const SIGNS: Readonly<Record<string, string>> = { q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };

export interface Material {
  /** The pieces that this side has more of, as symbols. */
  readonly more: string;
  /** By how many pawns this side is ahead; 0 for the side that is not. */
  readonly ahead: number;
}

/** The material of a side, compared with the other one. */
export function material(fen: string, side: Side): Material {
  const placed = fen.split(" ")[0] ?? "";
  const count = (letter: string) => [...placed].filter((piece) => piece === letter).length;
  let more = "";
  let ahead = 0;
  for (const [letter, value] of Object.entries(VALUES)) {
    const white = count(letter.toUpperCase()) - count(letter);
    const own = side === "white" ? white : -white;
    // A variation selector keeps phones from drawing pawns as pictures.
    more += `${SIGNS[letter]}\uFE0E`.repeat(Math.max(0, own));
    ahead += own * value;
  }
  return { more, ahead: Math.max(0, ahead) };
}
