/** Names of openings by position. Pure. */

/** A number of 32 bits for a position: pieces, side to move and castling, without the counters (FNV-1a). */
export function positionNumber(fen: string): number {
  let sum = 0x811c9dc5;
  for (const letter of fen.split(" ").slice(0, 3).join(" ")) {
    sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  }
  return sum >>> 0;
}

/** The name of the latest position that has one. */
export function openingOf(fens: readonly string[], names: Readonly<Record<string, string>>): string | null {
  for (let i = Math.min(fens.length, LONGEST) - 1; i >= 0; i--) {
    const name = names[positionNumber(fens[i] ?? "")];
    if (name !== undefined) return name;
  }
  return null;
}

/** Half-moves after which no position of the table arises. */
const LONGEST = 60;
