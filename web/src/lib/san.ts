/** Moves in the letters of a language. Pure. */

/** `Nf3` with other signs for king, queen, rook, bishop and knight, in this order. */
export function pieces(san: string, signs: string): string {
  const [...own] = signs;
  return san.replaceAll(/[KQRBN]/g, (letter) => own["KQRBN".indexOf(letter)] ?? letter);
}
