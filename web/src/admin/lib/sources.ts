/** Sources as the daemon describes them, and the requests that add, change and test one. Pure. */
import type { CodedText } from "./refusals";

export type SourceKind = "url" | "folder" | "post";

/** A source and its state; instants are UTC milliseconds, real time. */
export interface Source {
  readonly name: string;
  readonly kind: SourceKind;
  readonly place: string;
  readonly every_s: number | null;
  readonly has_token: boolean;
  readonly section: string | null;
  readonly round: number | null;
  readonly first_board: number;
  readonly state: "waiting" | "working" | "retrying" | "failing";
  readonly trouble: CodedText | null;
  readonly answered_at: number | null;
  readonly taken_at: number | null;
  readonly game_count: number;
  readonly note_count: number;
}

/** A game of a source, and why it is not taken. */
export interface SourceGame {
  readonly players: string;
  readonly round: number | null;
  readonly board: number | null;
  readonly game: string | null;
  readonly plies: number;
  readonly note: CodedText | null;
}

/** What the form holds. Fields of numbers are null while they are empty. */
export interface SourceDraft {
  name: string;
  kind: SourceKind;
  url: string;
  every_s: number | null;
  token: string;
  path: string;
  section: string;
  round: number | null;
  first_board: number | null;
}

/** The form for a new source, or for one that is there: its address and token are not given out, and stay while empty. */
export function draftOf(source: Source | null): SourceDraft {
  return {
    name: source?.name ?? "",
    kind: source?.kind ?? "url",
    url: "",
    every_s: source?.every_s ?? 10,
    token: "",
    path: source?.kind === "folder" ? source.place : "",
    section: source?.section ?? "",
    round: source?.round ?? null,
    first_board: source?.first_board ?? 1,
  };
}

/** What is sent to add, change or test a source. */
export function newSource(draft: SourceDraft): unknown {
  const optional = (text: string) => (text.trim() === "" ? null : text.trim());
  const places: Record<SourceKind, unknown> = {
    url: { url: { url: optional(draft.url), every_s: draft.every_s, token: optional(draft.token) } },
    folder: { folder: { path: draft.path.trim() } },
    post: "post",
  };
  return {
    name: draft.name.trim(),
    section: optional(draft.section),
    round: draft.round,
    first_board: draft.first_board,
    from: places[draft.kind],
  };
}

/** A command that sends a file of games to a source. */
export function sendCommand(address: string, key: string): string {
  return `curl -H "Authorization: Bearer ${key}" --data-binary @round.pgn ${address}`;
}
