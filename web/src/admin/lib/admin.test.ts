import { describe, expect, test } from "vitest";
import { after, alternatives, linesTo, sanOf, typedLine } from "./chess";
import {
  anyBegun,
  earlierWithoutResult,
  gameMeant,
  gamesAt,
  resultOfKey,
  rowsOf,
  withoutResult,
} from "./results";
import { addressIsHidden, changedOutput, draftOf, emptyDraft, lag, newOutput } from "./outputs";
import { alarmHref, parseRoute, tableHref } from "./route";
import { slugOf } from "./section";
import { exchangedBoards, spares } from "./spares";
import { differing, found, paced, scoreText, stateOf, tiles, type Tile } from "./tiles";
import { instantIn, localIn, milliseconds } from "./time";
import { Values } from "./values";
import type { Alarm, BoardState, GameLine, SectionLine } from "./wire";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const game = (more: Partial<GameLine> = {}): GameLine => ({
  id: "a-1-1",
  section: "a",
  round: 1,
  number: 1,
  table: 1,
  board: "100",
  white: 1,
  black: 2,
  state: "playing",
  withdrawn: false,
  result: null,
  differs: null,
  started: true,
  plies: 4,
  last_san: "Nf6",
  last_uci: "g8f6",
  last_at: 1000,
  fen: START,
  clock: null,
  reason: "",
  unexplained: false,
  ...more,
});
const clock = { white_ms: 1, black_ms: 1, running: null, read_at: 0 };
const board = (more: Partial<BoardState> = {}): BoardState => ({
  board: "100",
  connected: true,
  fen: START.split(" ")[0] ?? "",
  rotated: false,
  white_is_left: true,
  clock,
  clock_battery_low: false,
  battery: null,
  unexplained: [],
  wrong_start: [],
  unsteady: [],
  faulty: [],
  candidates: [],
  shows_other: null,
  claim: null,
  game: "a-1-1",
  ...more,
});
const alarm = (more: Partial<Alarm> = {}): Alarm => ({
  id: 1,
  kind: "flag_down",
  audience: "arbiter",
  rule: "6.9",
  game: "a-1-1",
  tables: [1],
  sides: [],
  text: "",
  sentences: [],
  can_wait: false,
  raised_at: 0,
  acknowledged_by: null,
  ...more,
});

test("tables are found by number, board and name, with or without accents", () => {
  const white = { name: "Łuczak, Zoë" };
  const tile = { table: 12, game: null, board: board({ board: "41987" }), white, black: null } as Tile;
  const other = { table: 13, game: null, board: board({ board: "12" }), white: null, black: null } as Tile;
  for (const query of [" 12 ", "41987", "zoe", "ŁUCZAK, Zoë"])
    expect(found([other, tile], query), query).toEqual([tile]);
  for (const query of ["1", "419", "adler"]) expect(found([other, tile], query), query).toEqual([]);
  expect(found([other, tile], "")).toEqual([other, tile]);
  expect(found([other], "12"), "no table has this number").toEqual([other]);
});

test("results are missing only where a game has begun", () => {
  const paired = game({ state: "paired", started: false });
  expect(anyBegun([])).toBe(false);
  expect(anyBegun([paired, game({ section: null })])).toBe(false);
  expect(anyBegun([paired, game()])).toBe(true);
  expect(anyBegun([{ ...paired, result: { white: "one", black: "zero", kind: "forfeit" } }])).toBe(true);
});

describe("the state of a table", () => {
  const won = { white: "one", black: "zero", kind: "played" } as const;
  test.each([
    ["playing", game(), board(), []],
    ["unseen", game(), board({ connected: false }), []],
    ["silent", game({ state: "paired" }), board({ connected: false, game: null }), []],
    ["unreadable", game(), board({ unexplained: ["e4"] }), []],
    ["doubtful", game(), board({ candidates: [["e4"], ["d4"]], unexplained: ["e4"] }), []],
    ["claim", game(), board({ claim: { result: "1-0", reason: "checkmate", due: null } }), []],
    ["playing", game(), board({ claim: { result: "1-0", reason: "checkmate", due: 5 } }), []],
    ["alarm", game(), board(), [alarm()]],
    ["playing", game(), board(), [alarm({ acknowledged_by: "anna" })]],
    ["stopped", game(), board(), [alarm({ kind: "clock_stopped", can_wait: true })]],
    ["no_clock", game(), board({ clock: null }), []],
    ["board_battery", game(), board({ battery: { percent: 14, charging: false, low: true } }), []],
    ["playing", game(), board({ battery: { percent: 80, charging: true, low: false } }), []],
    ["unsteady", game(), board({ unsteady: ["a1"] }), []],
    ["missing", game({ state: "result_missing" }), board(), []],
    ["finished", game({ state: "finished", result: won }), board({ connected: false }), []],
    ["differs", game({ state: "finished", result: won, differs: { ...won, white: "zero" } }), board(), []],
    ["unassigned", game({ state: "paired", board: null }), null, []],
    ["waiting", game({ state: "paired" }), board({ game: null }), []],
    ["wrong_start", game({ state: "paired" }), board({ game: null, wrong_start: ["d1", "e1"] }), []],
    ["adjourned", game({ state: "adjourned" }), board(), []],
    ["free_moves", game({ section: null, state: null, plies: 1 }), board(), []],
    ["waiting", game({ section: null, state: null, plies: 0 }), board(), []],
  ] as const)("%s", (state, one, stands, alarms) => {
    expect(stateOf(one, stands, [...alarms])[0]).toBe(state);
  });

  test("a table without a board may wait only while a board has no table", () => {
    const need = (...boards: string[]) => {
      const hall = { seats: { "2": "100" }, sections: [] };
      const lines = boards.map((serial) => [`board/${serial}`, board({ board: serial, game: null })]);
      const set = {
        "game/a-1-1": game({ state: "paired", board: null }),
        ...Object.fromEntries(lines),
        hall,
      };
      const text = JSON.stringify({ at: 5, speed: 1, whole: true, set, gone: [] });
      return tiles(Values.none().after(text) as Values).find((tile) => tile.state === "unassigned")?.need;
    };
    expect(need()).toBe("fine");
    expect(need("100")).toBe("fine");
    expect(need("100", "101")).toBe("soon");
  });

  test("a board that was taken away without a move is missed only at a table", () => {
    const need = (seats: object, plies: number) => {
      const hall = { seats, sections: [] };
      const one = game({ section: null, state: null, table: null, plies });
      const set = { "game/a-1-1": one, "board/100": board({ connected: false, game: null }), hall };
      const text = JSON.stringify({ at: 5, speed: 1, whole: true, set, gone: [] });
      return tiles(Values.none().after(text) as Values)[0]?.need;
    };
    expect(need({}, 0)).toBe("fine");
    expect(need({}, 3)).toBe("soon");
    expect(need({ "2": "100" }, 0)).toBe("soon");
  });

  test("names no missing clock where the section has no time control", () => {
    const state = (time_control: object) => {
      const hall = { seats: {}, sections: [{ section: "a", settings: { time_control }, rounds: [] }] };
      const set = { "game/a-1-1": game(), "board/100": board({ clock: null }), hall };
      const text = JSON.stringify({ at: 5, speed: 1, whole: true, set, gone: [] });
      return tiles(Values.none().after(text) as Values)[0]?.state;
    };
    expect(state({ white: "5400+30", black: "5400+30" })).toBe("no_clock");
    expect(state({ white: "-", black: "-" })).toBe("playing");
  });
});

describe("the values of the socket", () => {
  const message = (set: object, more: object = {}) =>
    JSON.stringify({ at: 5, speed: 1, whole: false, set, gone: [], ...more });

  test("are replaced, kept and removed", () => {
    const first = Values.none().after(message({ "game/x": game({ id: "x" }) }, { whole: true }));
    const second = first?.after(message({ "game/y": game({ id: "y" }) }));
    expect(second?.games.map((one) => one.id)).toEqual(["x", "y"]);
    expect(second?.game("x")).toBe(first?.game("x"));
    expect(second?.after(message({}, { gone: ["game/x"] }))?.games.map((one) => one.id)).toEqual(["y"]);
    expect(second?.after(message({}, { whole: true }))?.known).toBe(false);
  });

  test("the game of an earlier round that a page asked for is in no list", () => {
    const values = Values.none().after(message({ "past/x": game({ id: "x" }) }, { whole: true }));
    expect([values?.game("x")?.id, values?.games]).toEqual(["x", []]);
  });

  test("rubbish changes nothing", () => {
    for (const text of ["", "{", "null", "[]", "7", "{}", '{"set":{},"gone":1,"at":1}']) {
      expect(Values.none().after(text), text).toBeNull();
    }
  });

  test("those that need a person stand first, and 300 tables keep their order", () => {
    const set: Record<string, unknown> = {};
    for (let number = 300; number > 0; number--) {
      const id = `a-1-${number}`;
      set[`game/${id}`] = game({ id, number, table: number, board: `${number}` });
      set[`board/${number}`] = board({ board: `${number}`, game: id, connected: number !== 250 });
    }
    const values = Values.none().after(message(set, { whole: true })) ?? Values.none();
    const tables = tiles(values).map((tile) => tile.table);
    expect(tables.slice(0, 3)).toEqual([250, 1, 2]);
    expect(tables).toHaveLength(300);
    expect(tiles(Values.none())).toEqual([]);
  });
});

describe("tables that change at once", () => {
  const tile = (key: string, state: "playing" | "silent", about = "") => ({
    ...{ key, about, state, game: null, board: null, table: null, white: null, black: null, alarms: [] },
    need: state === "playing" ? ("fine" as const) : ("soon" as const),
  });
  const keys = ["1", "2", "3", "4", "5", "6"];
  const drawn = keys.map((key) => tile(key, "playing"));
  const next = keys.map((key) => tile(key, key === "6" ? "silent" : "playing", "e4"));

  test("are drawn some at a time, and those that need a person at once", () => {
    const first = paced(next, drawn, 2, 3);
    expect(first.map((one) => one.about)).toEqual(["", "", "", "e4", "e4", "e4"]);
    const second = paced(next, first, 2, 5);
    expect(second.map((one) => one.about)).toEqual(["e4", "e4", "", "e4", "e4", "e4"]);
    expect(paced(next, second, 2, 1)).toEqual(next);
  });

  test("come and go at once", () => {
    expect(paced(next, [], 2, 0)).toEqual(next);
    expect(paced([], drawn, 2, 4)).toEqual([]);
  });
});

describe("a spare board", () => {
  const later = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
  const values = (...set: [string, object][]) =>
    Values.none().after(
      JSON.stringify({ at: 5, speed: 1, whole: true, set: Object.fromEntries(set), gone: [] }),
    ) ?? Values.none();
  const running = game({ plies: 4, fen: `${later} w KQkq - 2 3` });
  const out = board({ connected: false });
  const spare = board({ board: "555", game: null, fen: later });
  const offered = (...set: [string, object][]) =>
    spares(tiles(values(...set))).map((one) => [one.board, one.tile.game?.id]);

  test("is offered for the only game whose position it shows", () => {
    const hall: [string, object][] = [
      ["game/a-1-1", running],
      ["board/100", out],
      ["board/555", spare],
    ];
    expect(offered(...hall)).toEqual([["555", "a-1-1"]]);
    const twin = { ...running, id: "a-1-2", number: 2, table: 2, board: "101" };
    expect(offered(...hall, ["game/a-1-2", twin])).toEqual([]);
  });

  test("is not offered while the game's own board shows the position, nor at the beginning", () => {
    const own = board({ fen: later });
    expect(offered(["game/a-1-1", running], ["board/100", own], ["board/555", spare])).toEqual([]);
    const young = { ...running, plies: 3 };
    expect(offered(["game/a-1-1", young], ["board/100", out], ["board/555", spare])).toEqual([]);
  });
});

test("boards that were exchanged are offered once", () => {
  const at = (number: number, other: string | null) => {
    const id = `a-1-${number}`;
    const own = { id, number, table: number, board: `10${number}` };
    const shown = { board: `10${number}`, game: id, shows_other: other };
    return [
      [`game/${id}`, game(own)],
      [`board/10${number}`, board(shown)],
    ] as [string, object][];
  };
  const offered = (...set: [string, object][][]) => {
    const values = { at: 5, speed: 1, whole: true, set: Object.fromEntries(set.flat()), gone: [] };
    const known = Values.none().after(JSON.stringify(values)) ?? Values.none();
    return exchangedBoards(tiles(known)).map((one) => [one.board, one.own.table, one.tile.game?.id]);
  };
  expect(offered(at(1, null), at(2, null))).toEqual([]);
  expect(offered(at(1, null), at(2, "a-1-1"))).toEqual([["102", 2, "a-1-1"]]);
  expect(offered(at(1, "a-1-2"), at(2, "a-1-1"))).toHaveLength(1);
});

describe("the results desk", () => {
  test("keys", () => {
    expect(["1", "=", "5", ".", "0"].map(resultOfKey)).toEqual([
      "1-0",
      "1/2-1/2",
      "1/2-1/2",
      "1/2-1/2",
      "0-1",
    ]);
    expect(["2", "a", "Enter"].map(resultOfKey)).toEqual([null, null, null]);
  });

  test("what is over comes first, then the longest without a move, then the others by table, whatever they move", () => {
    const now = 3_600_000;
    const games = [
      game({ id: "third", table: 3, last_at: now - 60_000 }),
      game({ id: "second", table: 2, last_at: now - 1000 }),
      game({ id: "quiet", table: 9, last_at: now - 1_500_000 }),
      game({ id: "silent", table: 8, last_at: now - 1_200_000 }),
      game({ id: "over", table: 7, last_at: now - 2000, state: "result_missing" }),
      game({ id: "paired", state: "paired" }),
      game({ id: "free", section: null }),
    ];
    const order = ["over", "quiet", "silent", "second", "third"];
    expect(withoutResult(games, now).map((one) => one.id)).toEqual(order);
    const moved = games.map((one) => (one.id === "third" ? { ...one, last_at: now } : one));
    expect(withoutResult(moved, now).map((one) => one.id)).toEqual(order);
  });

  test("a row of the list that is as before is the same object", () => {
    const [one, two] = [game({ id: "one" }), game({ id: "two" })];
    const row = (game: GameLine) => ({ game, section: "", white: "Ida", black: "Jan", zone: null });
    const before = rowsOf([one, two], row, []);
    const after = rowsOf([{ ...one, plies: 5 }, two], row, before);
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });

  test("results are missing in rounds that are over and not in the list", () => {
    const round = (round: number, state: string, without_result: number) => ({
      round,
      state,
      without_result,
    });
    const rounds = [round(1, "finished", 2), round(2, "finished", 0), round(3, "running", 9)];
    const sections = [{ section: "a", rounds }] as unknown as SectionLine[];
    const missing = (games: GameLine[]) =>
      earlierWithoutResult(sections, games).map(({ round }) => [round.round, round.without_result]);
    expect(missing([game({ section: "a", round: 3 })])).toEqual([[1, 2]]);
    expect(missing([game({ section: "a", round: 1 })])).toEqual([]);
  });

  test("a number means the game without a result", () => {
    const done = { white: "one", black: "zero", kind: "played" } as const;
    const games = [game({ id: "first", result: done }), game({ id: "second", round: 2 })];
    expect(gamesAt(games, 1).map(({ id }) => id)).toEqual(["second"]);
    expect(gamesAt(games, 7)).toEqual([]);
  });

  test("a number that two sections have means neither; of open play and a round with pairings it means the second", () => {
    const open = new Set(["a"]);
    const games = [
      game({ id: "a-1-1" }),
      game({ id: "b-1-1", section: "b" }),
      game({ id: "c-1-1", section: "c" }),
    ];
    const ids = (found: GameLine[]) => found.map(({ id }) => id);
    expect(ids(gamesAt(games, 1, open))).toEqual(["b-1-1", "c-1-1", "a-1-1"]);
    expect(gameMeant(gamesAt(games, 1, open), open)).toBeNull();
    expect(gameMeant(gamesAt(games.slice(0, 2), 1, open), open)?.id).toBe("b-1-1");
    expect(gameMeant(gamesAt(games.slice(0, 1), 1, open), open)?.id).toBe("a-1-1");
  });
});

describe("chess", () => {
  test("typed moves are read until the first that is wrong", () => {
    expect(typedLine(START, "1. e4 e5 2.Nf3 {good} Nc6")).toEqual({
      line: ["e4", "e5", "Nf3", "Nc6"],
      wrong: null,
    });
    expect(typedLine(START, "e4 Ke4")).toEqual({ line: ["e4"], wrong: "Ke4" });
    expect(typedLine("rubbish", "e4").wrong).toBe("e4");
    expect(typedLine(START, "").line).toEqual([]);
  });

  test("a position is reached by the shortest lines", () => {
    const fen = after(START, ["e4", "e5"]) ?? "";
    expect(linesTo(START, fen)).toEqual([["e4", "e5"]]);
    expect(linesTo(START, after(START, ["Nf3"]) ?? "")).toEqual([["Nf3"]]);
    expect(linesTo(START, "8/8/8/8/8/8/8/8")).toEqual([]);
    expect(linesTo("rubbish", fen)).toEqual([]);
  });

  test("a move on the board has its name, an illegal one none", () => {
    expect(sanOf(START, "g1", "f3")).toBe("Nf3");
    expect(sanOf(START, "g1", "g4")).toBeNull();
    expect(sanOf("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7", "e8", "knight")).toBe("e8=N+");
  });

  test("the likeliest moves in place of a wrong one come first", () => {
    const knight = after(START, ["e4", "e5"]) ?? "";
    const offered = alternatives(knight, "g1f3", ["b8c6", "f1b5"]);
    expect(offered).toHaveLength(28);
    expect(offered.filter((one) => one.near && one.lost === 0).map((one) => one.san)).toEqual([
      "f3",
      "Qf3",
      "Nh3",
    ]);
    // The knight is in the way of the bishop, so that Bb5 is lost.
    expect(offered.find((one) => one.san === "Ne2")).toEqual({ san: "Ne2", lost: 1, near: true });
    expect(offered.findIndex((one) => one.lost > 0)).toBe(offered.filter((one) => one.lost === 0).length);
    // Castling is one move, however it is written.
    const castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (const uci of ["e1g1", "e1h1"])
      expect(alternatives(castling, uci, []).map((one) => one.san)).not.toContain("O-O");
    expect(alternatives(castling, "e1f1", []).map((one) => one.san)).toContain("O-O");
    const promoted = alternatives("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", []);
    expect(promoted.slice(0, 3).map((one) => one.san)).toEqual(["e8=B", "e8=N+", "e8=R"]);
    expect(alternatives("rubbish", "e2e4", [])).toEqual([]);
    expect(alternatives(START, "e2e5", [])).toEqual([]);
  });

  test("differing squares", () => {
    expect(differing(START, after(START, ["e4"]) ?? "")).toEqual(["e4", "e2"]);
    expect(differing(START, START)).toEqual([]);
    expect(differing("", START)).toEqual([]);
  });
});

test("addresses of pages, also broken ones", () => {
  expect(parseRoute(tableHref("a/b ?1"))).toEqual({ page: "table", game: "a/b ?1" });
  expect(parseRoute("#/round/open-a/3")).toEqual({ page: "round", section: "open-a", round: 3 });
  expect(parseRoute("#/round/open-a/x")).toEqual({ page: "round", section: "open-a", round: null });
  expect(parseRoute("#/round///boards")).toEqual({
    page: "round",
    section: null,
    round: null,
    part: "boards",
  });
  for (const hash of ["", "#", "#/table", "#/nothing", "#/%E0%A4%A"])
    expect(parseRoute(hash)).toEqual({ page: "hall" });
});

test("an alarm leads to where its cause is put right", () => {
  expect(alarmHref({ game: "g1", kind: "flag_down" })).toBe("#/table/g1");
  expect(alarmHref({ game: null, kind: "board_without_table" })).toBe("#/round///boards");
  expect(alarmHref({ game: null, kind: "disk_space_low" })).toBeNull();
});

test("slugs are plain, short and new", () => {
  expect(slugOf("Öffnung ß 2026!", [])).toBe("offnung-ss-2026");
  expect(slugOf("Open A", ["open-a", "open-a-2"])).toBe("open-a-3");
  expect(slugOf("国际象棋", [])).toBe("section");
  expect(slugOf("x".repeat(200), []).length).toBeLessThanOrEqual(40);
});

test("times as people type them", () => {
  expect(["1:23:45", "2:05", "30"].map(milliseconds)).toEqual([5_025_000, 125_000, 30_000]);
  expect(["", "1:2:3:4", "a", "-5", "99999:00:00"].map(milliseconds)).toEqual(Array(5).fill(undefined));
});

test("scores", () => {
  expect(scoreText({ white: "half", black: "half", kind: "played" })).toBe("½–½");
  expect(scoreText({ white: "one", black: "zero", kind: "forfeit" })).toBe("+–−");
});

test("times of the venue, also where summer time begins", () => {
  const noon = Date.UTC(2026, 10, 22, 12, 0);
  expect(localIn(noon, "Europe/Prague")).toBe("2026-11-22T13:00");
  expect(instantIn("2026-11-22T13:00", "Europe/Prague")).toBe(noon);
  expect(instantIn("2026-03-29T03:30", "Europe/Prague")).toBe(Date.UTC(2026, 2, 29, 1, 30));
  expect(instantIn("2026-07-01T09:00", "America/New_York")).toBe(Date.UTC(2026, 6, 1, 13, 0));
  expect(instantIn("rubbish", "UTC")).toBeNull();
  const [first, second] = [Date.UTC(2026, 9, 25, 0, 10), Date.UTC(2026, 9, 25, 1, 10)];
  for (const known of [first, second]) {
    const shown = localIn(known, "Europe/Berlin");
    expect(shown, "this hour comes twice").toBe("2026-10-25T02:10");
    expect(instantIn(shown, "Europe/Berlin", known), "what was not changed").toBe(known);
  }
  expect(instantIn("2026-10-25T03:10", "Europe/Berlin", first)).toBe(Date.UTC(2026, 9, 25, 2, 10));
});

describe("outputs", () => {
  test("a lag is hours, minutes and seconds", () => {
    expect([lag(-5), lag(7_900), lag(61_000), lag(3_723_000)]).toEqual(["0:00", "0:07", "1:01", "1:02:03"]);
  });

  test("a draft becomes the request of its kind, without empty texts", () => {
    const draft = { ...emptyDraft("de"), name: " club " };
    const rounds = "https://lichess.org/a/b/abcd1234 \n\n efgh5678\n";
    expect(newOutput({ ...draft, kind: "lichess", rounds, secret: "lip" })).toEqual({
      name: "club",
      section: null,
      delay: null,
      target: {
        lichess: { rounds: ["https://lichess.org/a/b/abcd1234", "", "efgh5678"], token: "lip", tables: null },
      },
    });
    const ftp = newOutput({
      ...draft,
      kind: "ftp",
      delay: "15 min",
      url: "sftp://host/x",
      user: "hall",
    });
    const site = (url: string) => newOutput({ ...draft, kind: "site", url, user: "hall" });
    expect(site("/srv/www")).toMatchObject({
      target: { site: { to: { folder: { path: "/srv/www" } }, language: "de" } },
    });
    expect(site("ftps://host/x")).toMatchObject({ target: { site: { to: { ftp: { user: "hall" } } } } });
    expect(site("https://host/x")).toMatchObject({
      target: { site: { to: { http: { url: "https://host/x" } } } },
    });
    expect(ftp).toMatchObject({
      delay: "15 min",
      target: { ftp: { url: "sftp://host/x", file: null, user: "hall", password: null } },
    });
  });

  test("what the form gets of an output is what it sends back", () => {
    const targets = [
      { lichess: { rounds: ["", "https://lichess.org/a/b/abcd1234"], tables: [1, 100] as const } },
      { folder: { path: "/srv/games" } },
      { http: { url: "", method: "POST" as const } },
      { web_hook: { url: "" } },
      { ftp: { url: "sftp://host/x", file: "{round}.pgn", user: "hall", host_key: "AAAA" } },
      { site: { to: { folder: { path: "/srv/www" } }, language: "pl" } },
      { site: { to: { http: { url: "" } }, language: "de" } },
      { site: { to: { ftp: { url: "ftp://host/x", user: "hall", host_key: null } }, language: "fr" } },
    ];
    for (const target of targets) {
      const settings = { section: "open", delay: "900 s", target };
      expect(changedOutput(draftOf("club", settings), addressIsHidden(settings))).toMatchObject(settings);
    }
  });
});
