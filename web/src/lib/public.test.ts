import { describe, expect, it } from "vitest";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LANGUAGES } from "./language";
import { material } from "./material";
import { matchesOf, pointsText } from "./matches";
import { openingOf, positionNumber } from "./openings";
import { gameFor, Liveliness, overlayOf } from "./overlay";
import { pieces } from "./san";
import { pages, screenOf } from "./screen";
import { timesOf } from "./times";
import type { Game, Move } from "./wire";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

function game(board: number, more: Partial<Game> = {}): Game {
  return {
    game: `g${board}`,
    board,
    tags: { White: `White ${board}`, Black: `Black ${board}` },
    fen: START,
    variant: "standard",
    moves: [],
    clock: null,
    result: "*",
    reason: null,
    state: "playing",
    waiting: false,
    ...more,
  };
}
const move = (ply: number, clk_ms: number | null = null, emt_ms: number | null = null): Move => ({
  ply,
  san: "Nf3",
  uci: "g1f3",
  fen: START,
  clk_ms,
  emt_ms,
});

describe("the words of the public pages", () => {
  const folder = fileURLToPath(new URL("../languages", import.meta.url));
  const sources = fileURLToPath(new URL("..", import.meta.url));
  const words = (language: string) =>
    JSON.parse(readFileSync(`${folder}/${language}.json`, "utf8")) as Record<string, string>;
  const english = words("en");
  const gaps = (text = "") => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

  it.each(Object.keys(LANGUAGES))("%s has every key with the same gaps", (language) => {
    const own = words(language);
    expect(Object.keys(own)).toEqual(Object.keys(english));
    const wrong = Object.keys(english).filter(
      (key) => own[key]?.trim() === "" || gaps(own[key]).join() !== gaps(english[key]).join(),
    );
    expect(wrong).toEqual([]);
  });

  it("are all used", () => {
    const text = readdirSync(sources, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(svelte|ts)$/.test(name) && !name.includes(".test.") && !name.startsWith("admin"))
      .map((name) => readFileSync(`${sources}/${name}`, "utf8"))
      .join("\n");
    const unused = Object.keys(english).filter((key) => {
      const bare = key.replace(/_one$/, "");
      const family = `\`${bare.split(".")[0]}.\${`;
      return !text.includes(`"${bare}"`) && !text.includes(family);
    });
    expect(unused).toEqual([]);
  });
});

describe("moves in other letters", () => {
  it("changes pieces alone", () => {
    expect(pieces("Nbxd7+", "KDTLS")).toBe("Sbxd7+");
    expect(pieces("e8=Q#", "♔♕♖♗♘")).toBe("e8=♕#");
    expect(pieces("O-O-O", "KHWGS")).toBe("O-O-O");
  });
});

describe("material", () => {
  it("says what one side has more", () => {
    const fen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPP2/RNBQKBNR w KQkq - 0 1";
    expect(material(fen, "white")).toEqual({ more: "♛\uFE0E", ahead: 7 });
    expect(material(fen, "black")).toEqual({ more: "♟\uFE0E♟\uFE0E", ahead: 0 });
    expect(material("rubbish", "white")).toEqual({ more: "", ahead: 0 });
  });
});

describe("team matches", () => {
  const teams = (white: string, black: string) => ({ WhiteTeam: white, BlackTeam: black });

  it("add up over boards with either colour", () => {
    const [match, ...others] = matchesOf([
      game(1, { tags: teams("A", "B"), result: "1-0" }),
      game(2, { tags: teams("B", "A"), result: "1/2-1/2" }),
      game(3, { tags: teams("A", "B") }),
      game(4, { result: "1-0" }),
    ]);
    expect(match).toMatchObject({ home: "A", away: "B", homePoints: 1.5, awayPoints: 0.5, open: 1 });
    expect(others).toEqual([]);
  });

  it("are written with halves", () => {
    expect([0, 0.5, 1, 2.5].map(pointsText)).toEqual(["0", "½", "1", "2½"]);
  });
});

describe("openings", () => {
  it("are named by the latest known position, however it was reached", () => {
    const later = START.replace(" 0 1", " 7 30");
    expect(positionNumber(later)).toBe(positionNumber(START));
    const names = { [positionNumber(START)]: "A00 Start" };
    expect(openingOf([START, "8/8/8/8/8/8/8/8 w - - 0 1"], names)).toBe("A00 Start");
    expect(openingOf([], names)).toBeNull();
  });
});

describe("an overlay's address", () => {
  const at = (path: string, search = "") => overlayOf({ pathname: path, search });

  it("names a board, a player, or a kind", () => {
    expect(at("/overlay/board/3")).toEqual({ kind: "board", who: "3" });
    expect(at("/arbiter/key/overlay/players/M%C3%BCller")).toEqual({ kind: "players", who: "Müller" });
    expect(at("/overlay/wall", "?n=9")).toEqual({ kind: "wall", count: 9 });
    expect(at("/overlay/wall", "?n=1e9")).toEqual({ kind: "wall", count: 64 });
    expect(at("/overlay/board/%E0%A4%A")).toEqual({ kind: "board", who: "%E0%A4%A" });
    expect(at("/overlay/<script>")).toEqual({ kind: "unknown" });
  });

  it("finds the board", () => {
    const games = [game(1, { result: "1-0" }), game(2), game(3)];
    expect(gameFor("3", games)?.board).toBe(3);
    expect(gameFor("current", games)?.board).toBe(2);
    expect(gameFor("black 3", games)?.board).toBe(3);
    expect(gameFor("7", games)).toBeNull();
    expect(gameFor("current", [])).toBeNull();
  });

  it("goes to the liveliest board, and not too often", () => {
    const lively = new Liveliness();
    const [one, two] = [game(1), game(2)];
    const moved = (before: Game, count: number) => ({
      ...before,
      moves: Array.from({ length: count }, (_, i) => move(i + 1)),
    });
    expect(lively.choose([one, two], 0)?.board).toBe(1);
    expect(lively.choose([one, moved(two, 1)], 1000)?.board).toBe(1);
    expect(lively.choose([one, moved(two, 2)], 30_000)?.board).toBe(2);
    expect(lively.choose([moved(one, 1), { ...moved(two, 2), result: "1-0" }], 31_000)?.board).toBe(1);
    expect(lively.choose([], 32_000)).toBeNull();
  });
});

describe("a hall screen", () => {
  it("turns over all boards, then the results", () => {
    const screen = screenOf(new URLSearchParams("n=4&seconds=x"));
    expect(screen).toEqual({ boards: 4, seconds: 15 });
    expect(pages(5, screen)).toEqual([
      { kind: "boards", from: 0 },
      { kind: "boards", from: 4 },
      { kind: "results", from: 0 },
    ]);
    expect(pages(0, screen)).toEqual([]);
    expect(screenOf(new URLSearchParams("n=999&seconds=0"))).toEqual({ boards: 24, seconds: 3 });
  });
});

describe("the times of a game", () => {
  it("stand at their moves, and are left out where they are not known", () => {
    const times = timesOf(game(1, { moves: [move(1, 60_000, 30_000), move(2), move(3, 0, 60_000)] }));
    expect(times.numbers).toEqual([1, 2]);
    expect(times.left).toEqual({ white: [1, 0], black: [null, null] });
    expect(times.spent).toEqual({ white: [0.5, 1], black: [null, null] });
  });
});
