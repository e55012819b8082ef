/**
 * A socket to the live feed that comes back by itself. Knows when to connect; what messages mean is the
 * reader's matter.
 */

export type Status = "connecting" | "live" | "reconnecting";

export interface Reader {
  /** Where to resume, asked before each connection; null for a fresh start. */
  resumeFrom(): { stream: string; seq: number } | null;
  message(text: string): void;
  status(status: Status): void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** The daemon says something every 30 seconds; a connection that is silent for longer is dead. */
const LONGEST_SILENCE_MS = 75_000;

/** How long to wait before attempt number `attempt` (from 0); `chance` in 0..1 keeps a hall from returning at once. */
export function backoff(attempt: number, chance: number): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10));
  return most * (0.5 + chance / 2);
}

/** An address of the API for the section and round that the page's own address asks for. */
function placed(path: string, page: Location): URL {
  const address = new URL(path, page.href);
  const asked = new URL(page.href).searchParams;
  for (const name of ["event", "round"]) {
    const value = asked.get(name);
    if (value !== null) address.searchParams.set(name, value);
  }
  return address;
}

/** The snapshot that the page begins with. */
export function roundAddress(page: Location): string {
  const { pathname, search } = placed("/api/v1/round", page);
  return pathname + search;
}

/** Where a page below `/arbiter/{key}/` finds its undelayed feed; null for public pages. */
export function keyFeed(page: Location): string | null {
  const key = /^(\/arbiter\/[^/]+)\/(?:overlay|screen)/.exec(page.pathname)?.[1];
  return key === undefined ? null : `${key}/live`;
}

/** The feed that the page follows. That of a key begins with a snapshot each time. */
export function liveAddress(page: Location, resume: { stream: string; seq: number } | null): string {
  const keyed = keyFeed(page);
  const address = keyed === null ? placed("/api/v1/live", page) : new URL(keyed, page.href);
  address.protocol = page.protocol === "https:" ? "wss:" : "ws:";
  if (resume !== null && keyed === null) {
    address.searchParams.set("stream", resume.stream);
    address.searchParams.set("since", String(resume.seq));
  }
  return address.href;
}

/** Connects and stays connected until the returned function is called. */
export function follow(reader: Reader): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;

  /** Waits for the next message. */
  function listen() {
    clearTimeout(silence);
    silence = setTimeout(reconnect, LONGEST_SILENCE_MS);
  }

  function connect() {
    clearTimeout(timer);
    listen();
    const current = new WebSocket(liveAddress(window.location, reader.resumeFrom()));
    socket = current;
    current.onmessage = (message: MessageEvent<unknown>) => {
      if (typeof message.data !== "string") return;
      attempt = 0;
      reader.message(message.data);
      listen();
      reader.status("live");
    };
    current.onclose = () => {
      if (socket !== current) return;
      reader.status("reconnecting");
      timer = setTimeout(connect, backoff(attempt++, Math.random()));
    };
  }

  /** The network came back, perhaps another one: the old connection may be dead without knowing it. */
  function reconnect() {
    const old = socket;
    socket = null;
    old?.close();
    reader.status("reconnecting");
    connect();
  }

  /** The page is looked at again: it connects at once. */
  function lookedAt() {
    if (document.visibilityState === "visible" && socket?.readyState === WebSocket.CLOSED) connect();
  }

  reader.status("connecting");
  connect();
  window.addEventListener("online", reconnect);
  document.addEventListener("visibilitychange", lookedAt);
  return () => {
    window.removeEventListener("online", reconnect);
    document.removeEventListener("visibilitychange", lookedAt);
    clearTimeout(timer);
    clearTimeout(silence);
    const old = socket;
    socket = null;
    old?.close();
  };
}
