/** Outputs as the daemon tells them, and the request that adds one. */

export type Kind = "lichess" | "folder" | "ftp" | "http" | "web_hook" | "site";

export interface Output {
  readonly name: string;
  readonly kind: Kind | "command";
  readonly place: string;
  readonly section: string | null;
  readonly delay: string | null;
  readonly configured: boolean;
  readonly state: "starting" | "paused" | "idle" | "up_to_date" | "sending" | "retrying" | "failing";
  readonly trouble: string | null;
  readonly warnings: readonly string[];
  readonly sent_at: number | null;
  readonly answer: string | null;
  readonly behind_since: number | null;
  readonly waiting: number;
  readonly next_attempt_at: number | null;
  readonly problems: readonly { readonly item: string; readonly text: string }[];
}

export interface Draft {
  readonly kind: Kind;
  readonly name: string;
  readonly section: string;
  readonly delay: string;
  /** Addresses of rounds, one a line. */
  readonly rounds: string;
  /** An address, or a folder. */
  readonly url: string;
  readonly file: string;
  readonly user: string;
  readonly secret: string;
}

/** A time as `0:07` or `1:02:03`. */
export function lag(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Where the files of a site go: a folder, or by the beginning of an address a server. */
function sitePlace(url: string, user: string, secret: string | null): unknown {
  if (/^s?ftps?:/.test(url)) return { ftp: { url, user, password: secret } };
  if (/^https?:/.test(url)) return { http: { url, token: secret } };
  return { folder: { path: url } };
}

/** What is sent to add an output; `language` is that of the pages of a site. */
export function newOutput(draft: Draft, language: string): unknown {
  const { kind, secret } = draft;
  const [name, url] = [draft.name.trim(), draft.url.trim()];
  const optional = (value: string) => (value.trim() === "" ? null : value.trim());
  const rounds = draft.rounds.trim() === "" ? [] : draft.rounds.trim().split("\n");
  const targets: Record<Kind, unknown> = {
    lichess: { rounds: rounds.map((round) => round.trim()), token: secret },
    folder: { path: url },
    ftp: { url, file: optional(draft.file), user: draft.user.trim(), password: optional(secret) },
    http: { url, token: optional(secret) },
    web_hook: { url, secret },
    site: { to: sitePlace(url, draft.user.trim(), optional(secret)), language },
  };
  return {
    name,
    section: optional(draft.section),
    delay: optional(draft.delay),
    target: { [kind]: targets[kind] },
  };
}
