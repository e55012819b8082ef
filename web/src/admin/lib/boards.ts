/** Questions about one board. Pure. */

/** Whether a king stands on e4, seen from either end: it is not known yet how the board stands. */
export function kingOnE4(fen: string): boolean {
  const rows = (fen.split(" ")[0] ?? "")
    .split("/")
    .map((row) => row.replaceAll(/\d/g, (empty) => " ".repeat(Number(empty))));
  if (rows.length !== 8) return false;
  // A start position has neither square occupied by a king, so that no game in progress is meant by chance alone.
  const e4 = rows[4]?.[4] ?? "";
  const d5 = rows[3]?.[3] ?? "";
  return /[Kk]/.test(e4) || /[Kk]/.test(d5);
}
