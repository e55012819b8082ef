/**
 * The hall as the page knows it: a fold of the frames of the live feed.
 * Pure; knows neither the document nor the socket, and is told the time.
 */
import type { Event, Frame, Game, Section, Snapshot } from "./wire";

/** Ties the hall's time to ours; renewed whenever the daemon tells its time. */
export interface TimeBase {
  /** Hall time (UTC ms) at `received`. */
  readonly at: number;
  /** Our monotonic milliseconds. */
  readonly received: number;
  readonly speed: number;
}

export interface Hall {
  readonly stream: string;
  /** Sequence number of the last frame taken in. */
  readonly seq: number;
  readonly time: TimeBase;
  readonly delayMs: number;
  /** Games are shown once they are over. */
  readonly untilOver: boolean;
  readonly event: Snapshot["event"];
  readonly round: Snapshot["round"];
  readonly sections: readonly Section[];
  /** By id: the latest game of each board, and the one before it for those who still look at it. */
  readonly games: ReadonlyMap<string, Game>;
  /** Board number to the id of its latest game. */
  readonly boards: ReadonlyMap<number, string>;
}

/** The shortest delay with which the daemon gives evaluations of an engine. */
const LEAST_DELAY_MS = 15 * 60_000;

/** The games of the boards, in their order. */
export function gamesOf(hall: Pick<Hall, "boards" | "games"> | null): Game[] {
  if (hall === null) return [];
  return [...hall.boards].sort(([a], [b]) => a - b).flatMap(([, id]) => hall.games.get(id) ?? []);
}

/** Whether games of the round can have evaluations, if there is an engine. */
export function mayBeEvaluated(hall: Pick<Hall, "delayMs" | "untilOver">): boolean {
  return hall.untilOver || hall.delayMs >= LEAST_DELAY_MS;
}

/** Whether the hall may be shown as it is after this frame: in the middle of a step it may not. */
export function completes(frame: Frame): boolean {
  return frame.kind !== "event" || frame.event.more !== true;
}

/** Takes in one frame that arrived at `received` (monotonic ms). */
export function apply(hall: Hall | null, frame: Frame, received: number): Hall | null {
  switch (frame.kind) {
    case "snapshot":
      return fromSnapshot(frame.snapshot, received);
    case "resumed":
      if (hall === null) return null;
      return { ...hall, time: { at: frame.resumed.at, received, speed: frame.resumed.speed } };
    case "lost":
      return hall;
    case "heartbeat":
      return hall === null ? null : { ...hall, time: { ...hall.time, at: frame.heartbeat.at, received } };
    case "event":
      // Numbers have gaps but never go back: what is not newer has been taken in already.
      if (hall === null || frame.event.seq <= hall.seq) return hall;
      return { ...hall, ...happened(hall, frame.event), seq: frame.event.seq };
  }
}

function fromSnapshot(snapshot: Snapshot, received: number): Hall {
  return {
    stream: snapshot.stream,
    seq: snapshot.seq,
    time: { at: snapshot.at, received, speed: snapshot.speed },
    delayMs: snapshot.delay_ms,
    untilOver: snapshot.until_over ?? false,
    event: snapshot.event,
    round: snapshot.round,
    sections: snapshot.sections ?? [snapshot.event],
    games: new Map(snapshot.games.map((game) => [game.game, game])),
    boards: new Map(snapshot.games.map((game) => [game.board, game.game])),
  };
}

function happened(hall: Hall, event: Event): Pick<Hall, "games" | "boards"> {
  if (event.event === "game_started") return started(hall, event);
  const before = hall.games.get(event.game);
  if (before === undefined) return hall;
  const after = changed(before, event);
  if (after === before) return hall;
  return { games: new Map(hall.games).set(event.game, after), boards: hall.boards };
}

function started(
  hall: Hall,
  event: Extract<Event, { event: "game_started" }>,
): Pick<Hall, "games" | "boards"> {
  const previous = hall.boards.get(event.board);
  const games = new Map(
    [...hall.games].filter(([id, game]) => game.board !== event.board || id === previous),
  );
  games.set(event.game, {
    game: event.game,
    board: event.board,
    tags: { ...hall.games.get(event.game)?.tags, ...event.tags },
    fen: event.fen,
    variant: event.variant,
    chess960_number: event.chess960_number ?? null,
    moves: [],
    clock: null,
    result: "*",
    reason: null,
    state: "playing",
    waiting: false,
  });
  return { games, boards: new Map(hall.boards).set(event.board, event.game) };
}

function changed(game: Game, event: Event): Game {
  switch (event.event) {
    case "move": {
      const { ply, san, uci, fen, clk_ms, emt_ms } = event;
      const moves = [...game.moves.slice(0, ply - 1), { ply, san, uci, fen, clk_ms, emt_ms }];
      // A corrected move does not begin a game again that is over or adjourned.
      const state = game.state === "ended" || game.state === "adjourned" ? game.state : "playing";
      return { ...game, moves, state };
    }
    case "retract":
      return {
        ...game,
        moves: game.moves.slice(0, event.to_ply),
        gaps: (game.gaps ?? []).filter((gap) => gap.after_ply <= event.to_ply),
      };
    case "gap": {
      const { after_ply, fen } = event;
      const gaps = (game.gaps ?? []).filter((gap) => gap.after_ply < after_ply);
      return { ...game, gaps: fen === null ? gaps : [...gaps, { after_ply, fen }], waiting: false };
    }
    case "amend": {
      const { clk_ms, emt_ms } = event;
      const moves = game.moves.map((move) => (move.ply === event.ply ? { ...move, clk_ms, emt_ms } : move));
      return { ...game, moves };
    }
    case "tags":
      return { ...game, tags: { ...game.tags, ...event.tags } };
    case "clock": {
      const { white_ms, black_ms, running, read_at } = event;
      return { ...game, clock: { white_ms, black_ms, running, read_at } };
    }
    case "waiting":
      return { ...game, waiting: event.waiting };
    case "result":
      return { ...game, result: event.result, reason: event.reason };
    case "game_ended":
      return { ...game, state: "ended", waiting: false };
    default:
      return game;
  }
}
