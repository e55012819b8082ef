/**
 * Requests to the daemon. A session that has run out opens the login over the page, and the request waits for it: nothing that
 * was typed is lost.
 */
import { dayText, known, language, t, timeText } from "./i18n.svelte";
import { live } from "./live.svelte";
import {
  refusalWords,
  withGames,
  worded,
  type CodedParameters,
  type CodedText,
  type FilePlace,
} from "./refusals";
import type { Order } from "./wire";
import { gameName } from "./words";

export type Role = "viewer" | "arbiter" | "operator" | "administrator";
export interface Session {
  readonly name: string;
  readonly role: Role;
  readonly csrf_token: string;
  /** Whether this browser is in the rehearsal. */
  readonly rehearsal: boolean;
}

const API = "/api/v1/admin";
/** Each may do what those before it may. */
export const ROLES: readonly Role[] = ["viewer", "arbiter", "operator", "administrator"];

/** A refusal of the daemon, or a daemon that does not answer (status 0). */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Which sentence the daemon gave; none for its other answers. */
    readonly code: string | null = null,
    /** The values of that sentence. */
    readonly params: CodedParameters = {},
  ) {
    super(message);
  }
}

type State = "asking" | "out" | "in" | "ended";
const login = $state<{ state: State; session: Session | null; told: string }>({
  state: "asking",
  session: null,
  told: "",
});
let waiting: (() => void)[] = [];
/** Counts the logins: a refusal of what was sent before the last one says nothing about it. */
let logins = 0;

/** `asking` until it is known; `ended` while a login form lies over the page. */
export function loginState(): State {
  return login.state;
}

export function session(): Session | null {
  return login.session;
}

/** Why this browser cannot log in, as far as the daemon said it; empty when it can. */
export function toldOfLogin(): string {
  return login.told;
}

/** Whether this person has at least the role. */
export function may(role: Role): boolean {
  return login.session !== null && ROLES.indexOf(login.session.role) >= ROLES.indexOf(role);
}

/** Looks whether this browser is logged in. */
export async function findSession(): Promise<void> {
  const asked = logins;
  try {
    const found = await answer<Session>(await send("GET", "/session"));
    if (asked === logins) entered(found);
  } catch (error) {
    if (asked !== logins) return;
    // Only a refusal of its own, not that of a session, is about how the browser came or who there is.
    const told = error instanceof Refused && (error.status === 403 || error.code === "no_administrator");
    login.told = told ? sentence(error) : "";
    if (error instanceof Refused && error.status === 401) {
      login.state = login.session === null ? "out" : "ended";
    } else {
      // The page goes on trying: the daemon may be restarting.
      setTimeout(() => void findSession(), 2000);
    }
  }
}

export async function logIn(name: string, password: string): Promise<void> {
  entered(await answer<Session>(await send("POST", "/session", { name, password })));
}

/** Changes this person's password. It ends every session of the account: this browser logs in again at once. */
export async function changePassword(old: string, wanted: string): Promise<void> {
  await request("PUT", "/session/password", { old, new: wanted });
  await logIn(login.session?.name ?? "", wanted);
}

export async function makeFirst(token: string, name: string, password: string): Promise<void> {
  entered(
    await answer<Session>(
      await send("POST", "/first-administrator", { token, name, password, at: Date.now() }),
    ),
  );
}

export async function logOut(): Promise<void> {
  await request("DELETE", "/session").catch(() => undefined);
  login.session = null;
  login.state = "out";
}

/** The daemon says that the session has ended. */
export function sessionEnded(): void {
  if (login.state === "in") login.state = "ended";
}

function entered(session: Session): void {
  logins += 1;
  login.session = session;
  login.state = "in";
  login.told = "";
  const ready = waiting;
  waiting = [];
  for (const go of ready) go();
}

/** Sends a request; waits for a login if the session has ended. */
export async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  for (;;) {
    const sent = logins;
    const response = await send(method, path, body, headers);
    if (response.status !== 401) return answer<T>(response);
    if (sent !== logins) continue;
    sessionEnded();
    await new Promise<void>((go) => waiting.push(go));
  }
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Response> {
  const headers: Record<string, string> = { ...more };
  const token = login.session?.csrf_token;
  if (method !== "GET" && token !== undefined) headers["X-CSRF-Token"] = token;
  const form = body instanceof FormData;
  if (body !== undefined && !form) headers["Content-Type"] = "application/json";
  const content = body === undefined ? {} : { body: form ? body : JSON.stringify(body) };
  try {
    return await fetch(API + path, { method, headers, ...content, signal: AbortSignal.timeout(30_000) });
  } catch {
    // Only what asks for something changes nothing for certain: the answer to an order may have been lost after the daemon had it.
    throw new Refused(0, method === "GET" ? t("error.silent") : `${t("error.silent")} ${t("error.unsure")}`);
  }
}

async function answer<T>(response: Response): Promise<T> {
  if (response.ok) {
    // What was added or changed has no content.
    const text = await response.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
  const problem = (await response.json().catch(() => null)) as Problem | null;
  if (problem?.detail === undefined)
    throw new Refused(response.status, t("error.status", { status: response.status }));
  const { detail, code, params, place, questions = [] } = problem;
  const refusal: CodedText = {
    text: detail,
    ...(code === undefined ? {} : { code, params: params ?? {} }),
    ...(place === undefined ? {} : { place }),
  };
  // The sentence of a refusal that asks has the questions in it; in other languages they come before it.
  const words = await refusalWords(language());
  const said = Object.hasOwn(words, code ?? "") ? [...questions, refusal] : [refusal];
  throw new Refused(response.status, (await inWords(said)).join(" "), code ?? null, params);
}

/** Sentences of the daemon in the reader's language, with times of day of this zone, else of this device. */
export async function inWords(
  sentences: readonly CodedText[],
  zone: string | null = null,
): Promise<string[]> {
  const words = await refusalWords(language());
  return sentences.map((one) =>
    worded(
      local(
        withGames(one, (id) => gameName(id, live.hall)),
        zone,
      ),
      words,
    ),
  );
}

/** A sentence with instants as times of day or as days with times, and players and kinds of byes in the reader's language. */
function local(said: CodedText, zone: string | null): CodedText {
  const shown = ([name, value]: [string, string | number | CodedText]) => {
    if (typeof value === "object") return [name, local(value, zone)];
    if (/^at$|_at$/.test(name) && typeof value === "number") return [name, timeText(value, zone)];
    if (name.endsWith("_moment") && typeof value === "number") return [name, dayText(value, zone)];
    if (name.endsWith("_side")) return [name, known(`side.${value}`) ?? value];
    return [name, name.endsWith("_bye") ? (known(`bye.${value}`) ?? value) : value];
  };
  const params = Object.fromEntries(Object.entries(said.params ?? {}).map(shown)) as CodedParameters;
  return { ...said, params };
}

/** A refusal as the daemon sends it. */
interface Problem {
  readonly detail?: string;
  readonly code?: string;
  readonly params?: CodedParameters;
  readonly place?: FilePlace;
  readonly questions?: readonly CodedText[];
}

export interface Done {
  readonly version: number;
  readonly notes: readonly CodedText[];
  readonly facts: readonly { fact: string; number?: number; what?: string; undo?: unknown }[];
}
/** What an order would lead to, in the reader's language. */
export interface Preview {
  readonly notes: readonly string[];
  readonly questions: readonly string[];
}

/** On what an order is based, and why it is given. */
export interface Based {
  /** Refused (412) if another person has changed anything since this version of the hall. */
  readonly version?: number | undefined;
  /** Refused (412, `changed`) if another person has changed the same since this version of the hall. */
  readonly seen?: number | undefined;
  /** Why, for the history. */
  readonly reason?: string | undefined;
}

export function order(order: Order, { version, seen, reason }: Based = {}): Promise<Done> {
  const headers: Record<string, string> = version === undefined ? {} : { "If-Match": `"${version}"` };
  const query = new URLSearchParams();
  if (reason !== undefined && reason !== "") query.set("reason", reason);
  if (seen !== undefined) query.set("seen", String(seen));
  const about = query.size === 0 ? "" : `?${query.toString()}`;
  return request<Done>("POST", `/orders${about}`, order, headers);
}

/** What loading files would change. */
export async function preview(path: string, body: FormData): Promise<Preview> {
  interface Sent {
    readonly notes: readonly CodedText[];
    readonly questions: readonly CodedText[];
  }
  const { notes, questions } = await request<Sent>("POST", path, body);
  return { notes: await inWords(notes), questions: await inWords(questions) };
}

export function get<T>(path: string): Promise<T> {
  return request<T>("GET", path);
}

/** What went wrong, as a sentence. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
