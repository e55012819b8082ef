import { describe, expect, test } from "vitest";
import { piecesOf } from "./drawing";

describe("the pieces of a FEN", () => {
  test("are on their squares", () => {
    const pieces = piecesOf("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    expect(pieces.size).toBe(32);
    expect([pieces.get(0), pieces.get(36), pieces.get(60)]).toEqual(["r", "P", "K"]);
    expect(pieces.get(52)).toBeUndefined();
  });

  test("of rubbish are few and nowhere beside the board", () => {
    for (const fen of ["", "8/8/8", "ppppppppppppppp/".repeat(20), "99999/8"]) {
      expect([...piecesOf(fen).keys()].every((square) => square >= 0 && square < 64)).toBe(true);
    }
  });
});
