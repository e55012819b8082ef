import { describe, expect, it } from "vitest";
import { apply, completes, type Hall } from "./state";
import type { Event, Frame, Game, Happening, Move } from "./wire";
import { parseMessage } from "./wire";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

function move(ply: number, san: string): Move {
  return { ply, san, uci: "e2e4", fen: `after ${san}`, clk_ms: 5_400_000 - ply * 1000, emt_ms: 1000 };
}

function game(id: string, board: number, moves: Move[] = []): Game {
  return {
    game: id,
    board,
    tags: { White: "Polgar, Judit" },
    fen: START,
    variant: "standard",
    moves,
    clock: null,
    result: "*",
    reason: null,
    state: "playing",
    waiting: false,
  };
}

function snapshot(games: Game[], seq = 10): Frame {
  return {
    kind: "snapshot",
    snapshot: {
      stream: "hall/1/4f1c",
      seq,
      at: 1_795_000_000_000,
      speed: 1,
      delay_ms: 0,
      event: { slug: "hall", name: "Spring Open" },
      round: { number: 1, name: "Round 1" },
      games,
    },
  };
}

function event(seq: number, id: string, what: Happening): Frame {
  return { kind: "event", event: { seq, at: 1_795_000_001_000, game: id, ...what } };
}

/** A hall that took in these frames, one second after another. */
function after(...frames: Frame[]): Hall {
  const hall = frames.reduce<Hall | null>((hall, frame, i) => apply(hall, frame, i * 1000), null);
  if (hall === null) throw new Error("the story has no snapshot");
  return hall;
}

describe("the hall", () => {
  it("grows by the moves that arrive", () => {
    const hall = after(
      snapshot([game("a", 1), game("b", 2)]),
      event(11, "a", { event: "move", ...move(1, "e4") }),
      event(14, "a", { event: "move", ...move(2, "c5") }),
    );
    expect(hall.games.get("a")?.moves.map((played) => played.san)).toEqual(["e4", "c5"]);
    expect(hall.games.get("b")?.moves).toEqual([]);
    expect(hall.seq).toBe(14);
  });

  it("keeps the games that nothing happened to as they are", () => {
    const before = after(snapshot([game("a", 1), game("b", 2)]));
    const hall = apply(before, event(11, "a", { event: "waiting", waiting: true }), 0);
    expect(hall?.games.get("b")).toBe(before.games.get("b"));
    expect(before.games.get("a")?.waiting).toBe(false);
  });

  it("takes in nothing twice when a resumed feed overlaps", () => {
    const once = after(snapshot([game("a", 1)]), event(11, "a", { event: "move", ...move(1, "e4") }));
    expect(apply(once, event(11, "a", { event: "retract", to_ply: 0 }), 0)).toBe(once);
  });

  it("puts a correction in the place of what it corrects", () => {
    const hall = after(
      snapshot([game("a", 1, [move(1, "e4"), move(2, "e5"), move(3, "Nf3")])]),
      event(11, "a", { event: "retract", to_ply: 1 }),
      event(12, "a", { event: "move", ...move(2, "c5") }),
      event(13, "a", { event: "amend", ply: 1, clk_ms: 42_000, emt_ms: null }),
    );
    const moves = hall.games.get("a")?.moves;
    expect(moves?.map((played) => played.san)).toEqual(["e4", "c5"]);
    expect(moves?.[0]).toMatchObject({ clk_ms: 42_000, emt_ms: null });
  });

  it("shows a result, takes it back, and ends the game", () => {
    const won = after(
      snapshot([game("a", 1)]),
      event(11, "a", { event: "result", result: "1-0", reason: "checkmate" }),
    );
    expect(won.games.get("a")).toMatchObject({ result: "1-0", reason: "checkmate", state: "playing" });
    const open = apply(won, event(12, "a", { event: "result", result: "*", reason: null }), 0);
    expect(open?.games.get("a")).toMatchObject({ result: "*", reason: null });
    const ended = apply(open, event(13, "a", { event: "game_ended" }), 0);
    expect(ended?.games.get("a")?.state).toBe("ended");
  });

  it("keeps a game adjourned while its moves are corrected, until a snapshot says that it goes on", () => {
    const adjourned = { ...game("a", 1, [move(1, "e4")]), state: "adjourned" as const };
    const corrected = after(
      snapshot([adjourned]),
      event(11, "a", { event: "retract", to_ply: 0 }),
      event(12, "a", { event: "move", ...move(1, "d4") }),
    );
    expect(corrected.games.get("a")?.state).toBe("adjourned");
    const resumed = apply(corrected, snapshot([game("a", 1, [move(1, "d4")])], 13), 0);
    expect(resumed?.games.get("a")?.state).toBe("playing");
  });

  it("merges tags and replaces clock readings", () => {
    const hall = after(
      snapshot([game("a", 1)]),
      event(11, "a", { event: "tags", tags: { Black: "Short, Nigel" } }),
      event(12, "a", { event: "clock", white_ms: 1, black_ms: null, running: "black", read_at: 5 }),
    );
    expect(hall.games.get("a")?.tags).toEqual({ White: "Polgar, Judit", Black: "Short, Nigel" });
    expect(hall.games.get("a")?.clock).toEqual({ white_ms: 1, black_ms: null, running: "black", read_at: 5 });
  });

  it("shows a board's new game, keeps the last one for who still looks at it, and forgets older ones", () => {
    const begun = { event: "game_started", board: 1, fen: START, variant: "standard" } as const;
    const second = after(snapshot([game("a", 1), game("x", 2)]), event(11, "b", begun));
    expect(second.boards.get(1)).toBe("b");
    expect([...second.games.keys()].sort()).toEqual(["a", "b", "x"]);
    const third = apply(second, event(12, "c", begun), 0);
    expect(third?.boards.get(1)).toBe("c");
    expect([...(third?.games.keys() ?? [])].sort()).toEqual(["b", "c", "x"]);
  });

  it("lets a paired game begin without losing its names", () => {
    const hall = after(
      snapshot([{ ...game("a", 1), state: "paired" }]),
      event(11, "a", { event: "game_started", board: 1, fen: START, variant: "standard" }),
    );
    expect(hall.games.get("a")).toMatchObject({ state: "playing", tags: { White: "Polgar, Judit" } });
  });

  it("is complete when a step is", () => {
    const first = event(11, "a", { event: "retract", to_ply: 0 });
    const half = first.kind === "event" ? { ...first, event: { ...first.event, more: true } } : first;
    expect(completes(half)).toBe(false);
    expect(completes(event(12, "a", { event: "move", ...move(1, "d4") }))).toBe(true);
    expect(completes(snapshot([]))).toBe(true);
  });

  it("forgets a withdrawn game with the snapshot that leaves it out", () => {
    const hall = after(snapshot([game("a", 1), game("b", 2)]), snapshot([game("b", 2)], 11));
    expect([...hall.games.keys()]).toEqual(["b"]);
    expect(hall.boards.has(1)).toBe(false);
  });

  it("ignores what it does not know and goes on counting", () => {
    const before = after(snapshot([game("a", 1)]));
    const unknown = { seq: 11, at: 0, game: "a", event: "fanfare" } as unknown as Event;
    const hall = apply(before, { kind: "event", event: unknown }, 0);
    expect(hall?.games).toBe(before.games);
    expect(hall?.seq).toBe(11);
    expect(apply(before, event(11, "nobody's", { event: "game_ended" }), 0)?.games).toBe(before.games);
  });

  it("renews its time when the feed resumes and starts again from a fresh snapshot", () => {
    const resumed: Frame = { kind: "resumed", resumed: { stream: "hall/1/4f1c", seq: 10, at: 77, speed: 8 } };
    const hall = after(snapshot([game("a", 1)]), { kind: "lost" }, resumed);
    expect(hall.time).toEqual({ at: 77, received: 2000, speed: 8 });
    expect(hall.games.has("a")).toBe(true);
    expect([...after(snapshot([game("a", 1)]), snapshot([game("b", 1)])).games.keys()]).toEqual(["b"]);
  });
});

describe("a message", () => {
  it("is told by its shape", () => {
    expect(parseMessage('{"lost":{"from":1,"to":2}}')).toEqual([{ kind: "lost" }]);
    const ended = '{"seq":1,"at":2,"game":"a","event":"game_ended"}';
    const kinds = parseMessage(`{"events":[${ended},${ended}]}`).map((frame) => frame.kind);
    expect(kinds).toEqual(["event", "event"]);
    expect(parseMessage('{"resumed":{}}')[0]?.kind).toBe("resumed");
    expect(parseMessage('{"heartbeat":{"seq":1,"at":2}}')[0]?.kind).toBe("heartbeat");
  });

  it("of an unknown shape, or no JSON at all, is nothing", () => {
    for (const text of ["", "{", "null", "7", "[]", '{"weather":"fine"}', '{"events":7}'])
      expect(parseMessage(text)).toEqual([]);
  });
});
