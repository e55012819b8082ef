import { expect, test } from "vitest";
import { lastPlyOf } from "./penalty";
import type { GameMoves } from "./wire";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const move = { san: "e4", uci: "e2e4", fen: "", clk_ms: 1, emt_ms: 1 };
const game = (plies: number, start = START, gaps: GameMoves["gaps"] = []) => ({
  start,
  moves: Array(plies).fill(move) as (typeof move)[],
  gaps,
});

test("a penalty is noted at the last move of the player who gets the time", () => {
  expect([lastPlyOf(game(0), "white"), lastPlyOf(game(1), "white"), lastPlyOf(game(1), "black")]).toEqual([
    null,
    1,
    null,
  ]);
  expect([lastPlyOf(game(4), "white"), lastPlyOf(game(4), "black")]).toEqual([3, 4]);
});

test("also where Black began", () => {
  const black = START.replace(" w ", " b ");
  expect([lastPlyOf(game(3, black), "black"), lastPlyOf(game(3, black), "white")]).toEqual([3, 2]);
});

test("also where moves went unseen and the same side moved again", () => {
  // 1. e4 e5 2. Ke3, which is illegal, and the game goes on with Black's move.
  const gap = { after_ply: 2, fen: "rnbqkbnr/pppp1ppp/8/4p3/4P3/4K3/PPPP1PPP/RNBQ1BNR b kq - 1 2" };
  expect([lastPlyOf(game(3, START, [gap]), "white"), lastPlyOf(game(3, START, [gap]), "black")]).toEqual([
    1, 3,
  ]);
});
