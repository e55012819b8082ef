import { expect, test, vi } from "vitest";
import german from "../languages/de.json";
import { gameName, news, resultSentence } from "./say";
import type { Game } from "./wire";

vi.mock("./words.svelte", () => ({
  t: (key: keyof typeof german, { n = "" }: { n?: number | string } = {}) =>
    german[key].replace("{n}", String(n)),
}));

const game: Game = {
  game: "a",
  board: 7,
  tags: { White: "Müller, Jürgen", Black: "?" },
  fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  variant: "standard",
  moves: [],
  clock: null,
  result: "0-1",
  reason: "kings in the centre",
  state: "ended",
  waiting: false,
};
const sentence = (reason: string | null) => resultSentence({ ...game, reason });

test("a game is named, and its result said, in the visitor's language", () => {
  expect(gameName(game)).toBe("Müller – Schwarz");
  expect(gameName({ ...game, tags: {} })).toBe("Brett 7");
  expect(sentence("checkmate")).toBe("Schwarz gewinnt · Matt");
  expect(sentence("kings in the centre")).toBe("Schwarz gewinnt · Könige in der Mitte");
  expect(sentence("result piece")).toBe("Schwarz gewinnt · Ergebnisfigur");
  expect(sentence("forfeit")).toBe("Schwarz gewinnt · kampflos");
  // What a person wrote stays as it is.
  expect(sentence("constructor")).toBe("Schwarz gewinnt · constructor");
  expect(sentence(null)).toBe("Schwarz gewinnt");
});

test("an adjourned game says so in place of its last move, until it has a result", () => {
  const adjourned: Game = { ...game, state: "adjourned", result: "*", reason: null };
  expect(news(adjourned)).toBe("Hängepartie");
  expect(news({ ...adjourned, result: "1-0" })).not.toBe("Hängepartie");
});
