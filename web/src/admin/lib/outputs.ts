/** Outputs as the daemon tells them, and the request that adds one. */
import type { CodedText } from "./refusals";

export type Kind = "lichess" | "folder" | "ftp" | "http" | "web_hook" | "site";

export interface Output {
  readonly name: string;
  readonly kind: Kind | "command";
  readonly place: string;
  readonly section: string | null;
  readonly delay: string | null;
  readonly configured: boolean;
  readonly state: "starting" | "paused" | "idle" | "up_to_date" | "sending" | "retrying" | "failing";
  readonly trouble: CodedText | null;
  readonly warnings: readonly CodedText[];
  readonly sent_at: number | null;
  readonly answer: CodedText | null;
  readonly behind_since: number | null;
  readonly waiting: number;
  readonly next_attempt_at: number | null;
  readonly problems: readonly { readonly item: CodedText; readonly reason: CodedText }[];
}

/** What a consumer says when it is asked. */
export interface Tested {
  readonly ok: boolean;
  readonly sentences: readonly CodedText[];
}

/** What the form holds. */
export interface Draft {
  kind: Kind;
  name: string;
  section: string;
  delay: string;
  /** Addresses of rounds, one a line. */
  rounds: string;
  /** First and last table; null for all. */
  first: number | null;
  last: number | null;
  /** An address, or a folder. */
  url: string;
  method: "PUT" | "POST";
  file: string;
  user: string;
  secret: string;
  /** Digest of the host key of an SFTP server. */
  hostKey: string;
  /** Of the pages of a site. */
  language: string;
}

interface Server {
  readonly url: string;
  readonly file?: string | null;
  readonly user: string;
  readonly host_key: string | null;
}
interface Folder {
  readonly path: string;
}

/** Settings of an output as the daemon gives them: without secrets, and without web addresses, which may hold one. */
export interface OutputSettings {
  readonly section: string | null;
  readonly delay: string | null;
  readonly target: {
    readonly lichess?: {
      readonly rounds: readonly string[];
      readonly tables: readonly [number, number] | null;
    };
    readonly folder?: Folder;
    readonly ftp?: Server;
    readonly http?: { readonly method: "PUT" | "POST" };
    readonly web_hook?: object;
    readonly site?: {
      readonly to: { readonly folder?: Folder; readonly http?: object; readonly ftp?: Server };
      readonly language: string;
    };
  } | null;
}

/** The empty form; `language` is that of the person. */
export function emptyDraft(language: string): Draft {
  return {
    kind: "lichess",
    name: "",
    section: "",
    delay: "",
    rounds: "",
    first: null,
    last: null,
    url: "",
    method: "PUT",
    file: "",
    user: "",
    secret: "",
    hostKey: "",
    language,
  };
}

/** The form for an output that is there. */
export function draftOf(name: string, { section, delay, target }: OutputSettings): Draft {
  const kind = (Object.keys(target ?? {})[0] ?? "folder") as Kind;
  const server = target?.ftp ?? target?.site?.to.ftp;
  const draft = emptyDraft(target?.site?.language ?? "en");
  const tables = target?.lichess?.tables ?? null;
  return {
    ...draft,
    kind,
    name,
    section: section ?? "",
    delay: delay ?? "",
    rounds: target?.lichess?.rounds.join("\n") ?? "",
    first: tables?.[0] ?? null,
    last: tables?.[1] ?? null,
    url: (target?.folder ?? target?.site?.to.folder)?.path ?? server?.url ?? "",
    method: target?.http?.method ?? "PUT",
    file: server?.file ?? "",
    user: server?.user ?? "",
    hostKey: server?.host_key ?? "",
  };
}

/** Whether the address of an output that is there is not given out, and stays while the field is empty. */
export function addressIsHidden({ target }: OutputSettings): boolean {
  return (target?.http ?? target?.web_hook ?? target?.site?.to.http) !== undefined;
}

/** Whether the form asks for a user: files go to an FTP or SFTP server. */
export function hasUser({ kind, url }: Draft): boolean {
  return kind === "ftp" || (kind === "site" && FTP.test(url.trim()));
}

/** A time as `0:07` or `1:02:03`. */
export function lag(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

const FTP = /^s?ftps?:/;
const optional = (value: string) => (value.trim() === "" ? null : value.trim());

/** Where the files of a site go: a folder, or by the beginning of an address a server. */
function sitePlace(draft: Draft, hidden: boolean): unknown {
  const [url, secret] = [draft.url.trim(), optional(draft.secret)];
  if (hasUser(draft)) {
    return { ftp: { url, user: draft.user.trim(), password: secret, host_key: optional(draft.hostKey) } };
  }
  if (/^https?:/.test(url) || (url === "" && hidden)) return { http: { url, token: secret } };
  return { folder: { path: url } };
}

function targetOf(draft: Draft, hidden: boolean): unknown {
  const { kind, secret, first, last, method } = draft;
  const url = draft.url.trim();
  const rounds = draft.rounds.trim() === "" ? [] : draft.rounds.trimEnd().split("\n");
  const tables = first === null && last === null ? null : [first ?? 1, last ?? 9999];
  const ftp = {
    url,
    file: optional(draft.file),
    user: draft.user.trim(),
    password: optional(secret),
    host_key: optional(draft.hostKey),
  };
  const targets: Record<Kind, unknown> = {
    lichess: { rounds: rounds.map((round) => round.trim()), token: optional(secret), tables },
    folder: { path: url },
    ftp,
    http: { url, method, token: optional(secret) },
    web_hook: { url, secret: optional(secret) },
    site: { to: sitePlace(draft, hidden), language: draft.language },
  };
  return { [kind]: targets[kind] };
}

/** What is sent to change an output; `hidden` says whether an empty address stays as it is. */
export function changedOutput(draft: Draft, hidden: boolean): unknown {
  return {
    section: optional(draft.section),
    delay: optional(draft.delay),
    target: targetOf(draft, hidden),
  };
}

/** What is sent to add an output. */
export function newOutput(draft: Draft): unknown {
  return { name: draft.name.trim(), ...(changedOutput(draft, false) as object) };
}
