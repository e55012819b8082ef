import { describe, expect, test } from "vitest";
import { after } from "./chess";
import { claims, claimsWith } from "./claims";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** The start and the position after each move. */
function played(text: string, start = START): string[] {
  const moves = text.split(" ").filter((san) => san !== "");
  return Array.from({ length: moves.length + 1 }, (_, plies) => after(start, moves.slice(0, plies)) ?? "");
}
const kinds = (fens: readonly string[]) => claims(fens)?.holds.map((one) => `${one.kind} ${one.article}`);

describe("a claim", () => {
  test("of three times the same position holds, and says after which plies it stood", () => {
    const fens = played("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    expect(kinds(fens)).toEqual(["threefold 9.2.2"]);
    expect(claims(fens)?.repeated).toEqual([0, 4, 8]);
    expect(kinds(fens.slice(0, -1))).toEqual([]);
  });

  test("with a written move holds before it is played", () => {
    const fens = played("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    expect(claimsWith(fens, "Ng8")?.holds).toEqual([{ kind: "threefold", article: "9.2.1" }]);
    expect(claimsWith(fens, "Nd5")?.holds).toEqual([]);
    expect(claimsWith(fens, "Ke4")).toBeNull();
    expect(claimsWith(fens, "<script>")).toBeNull();
  });

  test("does not count a position in which castling was still possible", () => {
    const start = "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1";
    const fens = played("Rb1 Rb8 Ra1 Ra8 Rb1 Rb8 Ra1 Ra8", start);
    expect(claims(fens)?.repeated).toEqual([4, 8]);
  });

  test("counts en passant only where it was legal", () => {
    const pinned = "4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1";
    const legal = played("e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1", pinned);
    expect(claims(legal)?.repeated).toEqual([5, 9]);
    const nobody = played("e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    expect(claims(nobody)?.repeated).toEqual([1, 5, 9]);
  });

  test("of fifty moves holds after a hundred plies, and of seventy-five after a hundred and fifty", () => {
    const at = (halfmoves: number) => [`4k3/8/8/8/8/8/4P3/4K2R b - - ${halfmoves} 90`];
    expect(kinds(at(99))).toEqual([]);
    expect(kinds(at(100))).toEqual(["fifty 9.3.2"]);
    expect(kinds(at(150))).toEqual(["seventy_five 9.6.2"]);
    expect(claimsWith(at(99), "Kd8")?.holds).toEqual([{ kind: "fifty", article: "9.3.1" }]);
  });

  test("a checkmate goes before the seventy-five moves", () => {
    expect(kinds(["R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 90"])).toEqual(["checkmate 5.1.1"]);
  });

  test("a bare king against a bishop cannot be mated", () => {
    expect(kinds(["4k3/8/8/8/8/8/8/2B1K3 w - - 3 60"])).toEqual(["material 5.2.2"]);
  });

  test("cannot be checked without positions", () => {
    expect(claims([])).toBeNull();
    expect(claims(["rubbish"])).toBeNull();
  });
});
