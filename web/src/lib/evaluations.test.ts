import { describe, expect, it } from "vitest";
import * as about from "./evaluations";
import { mayBeEvaluated } from "./state";
import type { Game } from "./wire";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const move = (ply: number) => ({ ply, san: "e4", uci: "e2e4", fen: START, clk_ms: null, emt_ms: null });
const game = (moves: number, fen = START) =>
  ({ fen, moves: Array.from({ length: moves }, (_, index) => move(index + 1)) }) as unknown as Game;
const pawns = (centipawns: number, ply = 0) => ({ ply, centipawns, depth: 12 });
const mate = (mate: number, ply = 0) => ({ ply, mate, depth: 12 });

describe("an evaluation", () => {
  it("has the text that players know", () => {
    const texts = [pawns(70), pawns(-134), pawns(0), pawns(-4), pawns(994), pawns(-995), pawns(1260)];
    expect(texts.map(about.evaluationText)).toEqual(["+0.7", "−1.3", "0.0", "0.0", "+9.9", "−10", "+13"]);
    expect([mate(5), mate(-12), mate(0)].map(about.evaluationText)).toEqual(["M5", "−M12", "#"]);
  });

  it("fills the bar by White's chances, and with a mate to the edge", () => {
    expect(about.share(pawns(0), "white")).toBe(0.5);
    expect(about.share(pawns(100), "white")).toBeCloseTo(0.59, 2);
    expect(about.share(pawns(-300), "black")).toBeCloseTo(0.25, 2);
    expect([mate(3), mate(-3)].map((one) => about.share(one, "white"))).toEqual([1, 0]);
    expect(about.share(mate(0), "black")).toBe(1);
    expect(about.share(mate(0), "white")).toBe(0);
  });

  it("names the side that is ahead", () => {
    const sides = [pawns(3), pawns(-3), pawns(0), mate(2), mate(-2)].map((one) => about.ahead(one, "white"));
    expect(sides).toEqual(["white", "black", null, "white", "black"]);
  });

  it("is that of the position, or the latest before it", () => {
    const evaluated = { engine: "Fish", positions: [pawns(10, 1), pawns(20, 3)] };
    expect([0, 1, 2, 3, 9].map((ply) => about.latest(evaluated, ply)?.centipawns)).toEqual([
      undefined,
      10,
      10,
      20,
      20,
    ]);
  });
});

describe("the plot", () => {
  it("has a point for every half-move, at the number of its move", () => {
    const positions = [pawns(30), pawns(-900, 1), mate(4, 3), mate(-1, 9)];
    const { at, pawns: values } = about.points(game(3), { engine: "", positions });
    expect(at).toEqual([0.5, 1, 1.5, 2]);
    expect(values).toEqual([0.3, -5, null, 5]);
  });

  it("begins with Black's move where the game does", () => {
    expect(about.points(game(2, "8/8/8/8/8/8/8/8 b - - 0 41"), { engine: "", positions: [] }).at).toEqual([
      41, 41.5, 42,
    ]);
  });
});

describe("a round", () => {
  it("can have evaluations with a delay of 15 minutes, or when games are shown once they are over", () => {
    const may = (delayMs: number, untilOver = false) => mayBeEvaluated({ delayMs, untilOver });
    expect([may(0), may(899_000), may(900_000), may(0, true)]).toEqual([false, false, true, true]);
  });
});
