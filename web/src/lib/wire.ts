/**
 * What `/api/v1/live` sends, as types written by hand.
 * Knows the names on the wire and nothing of what the page makes of them.
 * Instants are UTC milliseconds of the hall, durations milliseconds.
 */

export type Side = "white" | "black";
export type Tags = Readonly<Record<string, string>>;

export interface Move {
  /** Counted from 1 in the game, whoever moves first. */
  readonly ply: number;
  readonly san: string;
  /** Castling is e1g1; in Chess960 the king takes its rook. */
  readonly uci: string;
  /** Position after the move. */
  readonly fen: string;
  /** Time left on the mover's clock; null where it was not read. */
  readonly clk_ms: number | null;
  /** Time the move took; null where it is not known. */
  readonly emt_ms: number | null;
}

/** Moves that were not seen: the game goes on from another position, and plies are counted on. */
export interface Gap {
  /** The last ply before it; 0 where there is none. */
  readonly after_ply: number;
  readonly fen: string;
}

export interface ClockReading {
  readonly white_ms: number | null;
  readonly black_ms: number | null;
  readonly running: Side | null;
  readonly read_at: number;
}

export interface Game {
  readonly game: string;
  readonly board: number;
  readonly tags: Tags;
  /** Start position. */
  readonly fen: string;
  readonly variant: string;
  /** The number of a Chess960 start, 0 to 959. */
  readonly chess960_number?: number | null;
  readonly moves: readonly Move[];
  readonly gaps?: readonly Gap[];
  readonly clock: ClockReading | null;
  /** `1-0`, `0-1`, `1/2-1/2`, or `*` while there is none. */
  readonly result: string;
  readonly reason: string | null;
  /** `paired`: only the players are known yet. `adjourned`: it goes on later. */
  readonly state: "paired" | "ready" | "playing" | "adjourned" | "ended";
  /** The board's position is being sorted out. */
  readonly waiting: boolean;
}

/** A competition with rounds and players of its own. */
export interface Section {
  readonly slug: string;
  readonly name: string;
}

export interface Snapshot {
  readonly stream: string;
  readonly seq: number;
  /** Hall time of sending. */
  readonly at: number;
  /** Hall milliseconds in a millisecond of ours: 1 but for demonstrations. */
  readonly speed: number;
  /** By how much the games of the round are behind. */
  readonly delay_ms: number;
  /** Nothing of a game of the round is shown before it is over. */
  readonly until_over?: boolean;
  readonly event: Section & {
    readonly site?: string | null;
    /** IANA name of the venue's time zone. */
    readonly time_zone?: string | null;
    readonly tournament?: string | null;
    /** Address of the event's video; none for no video. */
    readonly video?: string | null;
  };
  readonly round: {
    readonly number: number;
    readonly name: string;
    /** The day at the venue, `2026-11-21`. */
    readonly date?: string | null;
    readonly planned_start?: number | null;
  };
  /** All that are broadcast from this hall. */
  readonly sections?: readonly Section[];
  readonly games: readonly Game[];
}

export interface Resumed {
  readonly stream: string;
  readonly seq: number;
  readonly at: number;
  readonly speed: number;
}

export interface Heartbeat {
  /** Number of the last event that was sent. */
  readonly seq: number;
  readonly at: number;
}

export type Happening =
  | {
      readonly event: "game_started";
      readonly board: number;
      readonly fen: string;
      readonly variant: string;
      readonly chess960_number?: number | null;
      readonly tags?: Tags;
    }
  | ({ readonly event: "move" } & Move)
  | { readonly event: "retract"; readonly to_ply: number }
  | {
      readonly event: "amend";
      readonly ply: number;
      readonly clk_ms: number | null;
      readonly emt_ms: number | null;
    }
  | { readonly event: "tags"; readonly tags: Tags }
  | ({ readonly event: "clock" } & ClockReading)
  | { readonly event: "gap"; readonly after_ply: number; readonly fen: string | null }
  | { readonly event: "waiting"; readonly waiting: boolean }
  | { readonly event: "result"; readonly result: string; readonly reason: string | null }
  | { readonly event: "game_ended" };

export type Event = Happening & {
  readonly seq: number;
  readonly at: number;
  readonly game: string;
  /** The next event belongs to the same step: neither is shown without the other. */
  readonly more?: boolean;
};

export type Frame =
  | { readonly kind: "snapshot"; readonly snapshot: Snapshot }
  | { readonly kind: "resumed"; readonly resumed: Resumed }
  /** We read too slowly; a fresh snapshot follows. */
  | { readonly kind: "lost" }
  /** Nothing is missing, and it is this late. */
  | { readonly kind: "heartbeat"; readonly heartbeat: Heartbeat }
  | { readonly kind: "event"; readonly event: Event };

/** One message; empty for whatever a newer daemon may send that this page does not know. */
export function parseMessage(text: string): Frame[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof json !== "object" || json === null) return [];
  if ("snapshot" in json) return [{ kind: "snapshot", snapshot: json.snapshot as Snapshot }];
  if ("resumed" in json) return [{ kind: "resumed", resumed: json.resumed as Resumed }];
  if ("lost" in json) return [{ kind: "lost" }];
  if ("heartbeat" in json) return [{ kind: "heartbeat", heartbeat: json.heartbeat as Heartbeat }];
  if ("events" in json && Array.isArray(json.events)) {
    return json.events.map((event: Event): Frame => ({ kind: "event", event }));
  }
  return [];
}
