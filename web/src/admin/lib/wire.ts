/** What the protected API sends, as types written by hand. Instants are UTC milliseconds of the hall. */
import type { CodedText } from "./refusals";

export type Side = "white" | "black";

export interface Person {
  readonly name: string;
  readonly title?: string;
  readonly rating?: number;
  readonly federation?: string;
  readonly fide_id?: number;
  readonly team?: string;
}
export interface Score {
  readonly white: "zero" | "half" | "one";
  readonly black: "zero" | "half" | "one";
  readonly kind: "played" | "unrated" | "forfeit";
}
export interface Clock {
  readonly white_ms: number | null;
  readonly black_ms: number | null;
  readonly running: Side | null;
  readonly flag?: Side | null;
  readonly read_at: number;
}
export type PairingState = "paired" | "playing" | "adjourned" | "result_missing" | "finished" | "forfeit";

export interface GameLine {
  readonly id: string;
  readonly section: string | null;
  readonly round: number | null;
  readonly number: number | null;
  readonly table: number | null;
  readonly board: string | null;
  readonly white: number | null;
  readonly black: number | null;
  readonly state: PairingState | null;
  readonly withdrawn: boolean;
  readonly result: Score | null;
  readonly differs: Score | null;
  readonly started: boolean;
  readonly plies: number;
  readonly last_san: string | null;
  readonly last_uci: string | null;
  readonly last_at: number | null;
  readonly fen: string;
  readonly clock: Clock | null;
  readonly reason: string;
  readonly unexplained: boolean;
}
export interface Move {
  readonly san: string;
  readonly uci: string;
  readonly fen: string;
  readonly clk_ms: number | null;
  readonly emt_ms: number | null;
}
/** A player of a section. */
export interface Player {
  readonly player: number;
  readonly facts: { readonly number: number | null; readonly display: string; readonly forgotten: boolean };
  /** None when the person was removed. */
  readonly person: Person | null;
}
export interface GameMoves {
  readonly id: string;
  readonly start: string;
  readonly chess960: boolean;
  readonly moves: readonly Move[];
  /** Where moves went unseen, with the positions from which the game went on. */
  readonly gaps: readonly { readonly after_ply: number; readonly fen: string }[];
  readonly events: readonly {
    readonly at: number;
    readonly event: string;
    readonly by: string | null;
    readonly about: string;
  }[];
  readonly corrections: readonly {
    readonly number: number;
    readonly sentence: CodedText;
    readonly can_undo: boolean;
    readonly undoes: number | null;
  }[];
}
export interface BoardState {
  readonly board: string;
  readonly connected: boolean;
  readonly fen: string;
  readonly rotated: boolean;
  readonly white_is_left: boolean | null;
  readonly clock: Clock | null;
  readonly clock_battery_low: boolean;
  readonly battery: { readonly percent: number; readonly charging: boolean; readonly low: boolean } | null;
  readonly unexplained: readonly string[];
  readonly wrong_start: readonly string[];
  readonly unsteady: readonly string[];
  readonly faulty: readonly string[];
  readonly candidates: readonly (readonly string[])[];
  /** The id of another game that is played on it instead. */
  readonly shows_other: string | null;
  readonly claim: { readonly result: string; readonly reason: string; readonly due: number | null } | null;
  readonly game: string | null;
}
export interface Alarm {
  readonly id: number;
  readonly kind: string;
  readonly audience: "arbiter" | "operator";
  readonly rule: string | null;
  readonly game: string | null;
  readonly tables: readonly number[];
  readonly sides: readonly Side[];
  readonly text: string;
  /** `text` as sentences that can be translated; empty where it has none. */
  readonly sentences: readonly CodedText[];
  readonly can_wait: boolean;
  readonly raised_at: number;
  readonly acknowledged_by: string | null;
}
export interface TimeControls {
  readonly white?: string;
  readonly black?: string;
}
/** Seconds, or nothing before the game is over. */
export type Delay = number | "until_over";
export interface SectionSettings {
  tournament: string;
  name: string;
  site: string;
  zone: string;
  first_table: number;
  time_control: TimeControls;
  last_day?: string;
  /** Address of the event's video, https; none for no video. */
  video?: string;
  auto_publish: boolean;
  arm_by_publishing: boolean;
  result_rule: string;
  doubt_rule: string;
  doubt_wait_s: number;
  boardless_games: boolean;
  forfeits: boolean;
  simultaneous: boolean;
  open_play: boolean;
  /** None for that of the tournament. */
  delay_s?: Delay;
}
export type RoundState = "prepared" | "published" | "armed" | "running" | "finished";
export interface RoundLine {
  readonly round: number;
  /** Its own; null for its number alone. */
  readonly name: string | null;
  readonly state: RoundState;
  /** Whether its pairings are public; a round that was loaded with all its results is over and not public. */
  readonly published: boolean;
  readonly games: number;
  /** Games without a result; withdrawn ones do not count. */
  readonly without_result: number;
  /** What holds for it: its own, that of its section or of the tournament. */
  readonly delay_s: Delay;
}
export interface SectionLine {
  readonly section: string;
  readonly settings: SectionSettings;
  readonly over: boolean;
  readonly over_from: string | null;
  readonly rounds: readonly RoundLine[];
}
export interface Hall {
  readonly version: number;
  readonly sections: readonly SectionLine[];
  readonly seats: Readonly<Record<string, string>>;
  readonly tables_without_board: readonly number[];
  /** What the order `assign_by_serial` would assign now. */
  readonly proposed_seats: readonly { readonly table: number; readonly board: string | null }[];
  /** The table that waits for a board with a king on e4. */
  readonly identifying: number | null;
  readonly kept_apart: readonly {
    readonly parked: string;
    readonly board: string;
    readonly claimed: string | null;
  }[];
}
export interface Pairing {
  readonly id: string;
  readonly pair: {
    readonly number: number;
    readonly boardless: boolean;
    readonly white: number | null;
    readonly black: number | null;
  };
  readonly state: PairingState;
  readonly withdrawn: boolean;
  readonly result: Score | null;
  readonly imported: Score | null;
}
export interface RoundView {
  readonly version: number;
  readonly round: {
    readonly number: number;
    readonly state: RoundState;
    readonly settings: {
      readonly name?: string;
      readonly date?: string;
      readonly planned_start?: number;
      readonly time_control?: TimeControls;
      readonly default_time_s?: number;
      readonly delay_s?: Delay;
    };
    readonly games: readonly Pairing[];
    readonly byes: Readonly<Record<string, string>>;
  };
  readonly tables: Readonly<Record<string, number>>;
}
export interface Ready {
  readonly ready: boolean;
  readonly problems: readonly {
    readonly problem: Readonly<Record<string, unknown>> & { readonly problem: string };
    readonly text: string;
    readonly serious: boolean;
  }[];
}
export interface Health {
  readonly ok: boolean;
  readonly troubles: readonly CodedText[];
}
export type Order = { readonly order: string } & Readonly<Record<string, unknown>>;

/** What a visitor of the public pages reports about a game. */
export interface Report {
  readonly at: number;
  readonly ply: number;
  readonly text: string;
}

/** The last messages of a board. */
export interface Traffic {
  readonly board: string;
  readonly lines: readonly {
    readonly at: number;
    readonly from: "board" | "daemon" | "session";
    readonly bytes: string;
    readonly means: readonly string[];
  }[];
}
