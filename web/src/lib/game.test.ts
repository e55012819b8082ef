import { describe, expect, it } from "vitest";
import * as about from "./game";
import type { Game, Move } from "./wire";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const move = (ply: number, san: string, uci: string, fen: string, clk_ms: number | null = null): Move => ({
  ply,
  san,
  uci,
  fen,
  clk_ms,
  emt_ms: null,
});

const foolsMate: Game = {
  game: "a",
  board: 7,
  tags: { White: "Müller, Jürgen", WhiteElo: "2100", WhiteTeam: "SK Nord", Black: "?", BlackElo: "0" },
  fen: START,
  variant: "standard",
  moves: [
    move(1, "f3", "f2f3", "x b", 60_000),
    move(2, "e5", "e7e5", "x w", 59_000),
    move(3, "g4", "g2g4", "x b", 58_000),
    move(4, "Qh4#", "d8h4", "x w", 57_000),
  ],
  clock: null,
  result: "0-1",
  reason: "checkmate",
  state: "ended",
  waiting: false,
};

describe("a game", () => {
  it("lists its moves in pairs", () => {
    const rows = about.moveRows(foolsMate).map((row) => [row.number, row.white?.san, row.black?.san]);
    expect(rows).toEqual([
      [1, "f3", "e5"],
      [2, "g4", "Qh4#"],
    ]);
  });

  it("counts from its start position, also when Black begins", () => {
    const study = { ...foolsMate, fen: "8/8/8/8/8/8/8/8 b - - 0 41", moves: foolsMate.moves.slice(0, 2) };
    const rows = about.moveRows(study).map((row) => [row.number, row.white?.san, row.black?.san]);
    expect(rows).toEqual([
      [41, undefined, "f3"],
      [42, "e5", undefined],
    ]);
    expect(about.moveText(study, study.moves[0]!)).toBe("41... f3");
  });

  it("knows the last move's squares and the king in check", () => {
    expect(about.position(foolsMate, 4)).toEqual({ fen: "x w", lastMove: ["d8", "h4"], check: "white" });
    expect(about.position(foolsMate, 0)).toEqual({ fen: START, lastMove: [], check: null });
  });

  it("knows the clocks as they stood at any move", () => {
    expect(about.clockAt(foolsMate, "white", 4)).toBe(58_000);
    expect(about.clockAt(foolsMate, "black", 3)).toBe(59_000);
    expect(about.clockAt(foolsMate, "black", 1)).toBeNull();
  });

  it("lets no clock run once it is over", () => {
    const clock = { white_ms: 9000, black_ms: 8000, running: "white", read_at: 0 } as const;
    expect(about.runningSide({ ...foolsMate, clock })).toBeNull();
    expect(about.liveClock({ ...foolsMate, clock }, "white", 5000)).toBe(9000);
    expect(about.liveClock({ ...foolsMate, clock, result: "*", state: "playing" }, "white", 5000)).toBe(4000);
  });

  it("names players, and colours where no player is named", () => {
    expect(about.player(foolsMate, "white")).toMatchObject({ name: "Müller, Jürgen", rating: "2100" });
    expect(about.player(foolsMate, "black")).toMatchObject({ name: "Black", rating: "" });
    expect(about.shortName("Müller, Jürgen")).toBe("Müller, J.");
    expect(about.shortName("Ju Wenjun")).toBe("Ju Wenjun");
  });

  it("shows results as people write them", () => {
    expect([about.score(foolsMate, "white"), about.score(foolsMate, "black")]).toEqual(["0", "1"]);
    expect(about.resultText({ ...foolsMate, result: "1/2-1/2" })).toBe("½–½");
    expect(about.score({ ...foolsMate, result: "*" }, "white")).toBe("");
  });

  it.each([
    ["muller", true],
    ["jur mul", true],
    ["nord", true],
    ["7", true],
    ["210", false],
    ["uller", false],
    ["muller carlsen", false],
  ])("found by %s: %s", (query, found) => expect(about.matches(foolsMate, query)).toBe(found));
});
