/** The hall as the daemon's socket tells it: values by key, kept until they are replaced. Connects again by itself. */
import { nextTask } from "../../lib/slices";
import { backoff } from "../../lib/socket";
import { findSession, sessionEnded, type Done } from "./api.svelte";
import { soundOn } from "./sound.svelte";
import { tiles, type Tile } from "./tiles";
import { Values } from "./values";

export type Link = "connecting" | "live" | "lost";

/** Without a message for this time the connection is dead; the daemon sends one every 5 s. */
const SILENCE_MS = 13_000;
/** The daemon sends what changed four times a second. */
const REACHED_MS = 1_000;
const SESSION_ENDED = 4001;
/** A page that is hidden for so long, and has no sound to give, is sent nothing until it is shown again. */
const HIDDEN_MS = 60_000;
/** Meanwhile it asks so often for its session, which ends where it is not used for half a day. */
const SESSION_MS = 3_600_000;
/** Clocks of a hall tick in so many groups one after the other, so that no moment draws all of them. */
const GROUPS = 16;

/** Messages of more characters are taken in several tasks. */
const LARGE = 20_000;
/** A message that took so many milliseconds to read and sort is drawn in the next task. */
const LONG_MS = 4;
/** So many waiting messages at most are shown together: two seconds of the hall. */
const TOGETHER = 8;

class Ticking {
  now = $state(Date.now());
}

class Live {
  /** What the hall is now; a new object with each message, whose unchanged parts are the same. */
  hall = $state.raw<Values>(Values.none());
  /** The tables of the hall, those first that need a person. */
  tiles = $state.raw<readonly Tile[]>([]);
  link = $state<Link>("connecting");
  /** Since when there is no connection, by this device's clock. */
  lostAt = $state<number | null>(null);
  /** Ticks once a second, for running clocks. */
  now = $state(Date.now());

  readonly #groups = Array.from({ length: GROUPS }, () => new Ticking());
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | ReturnType<typeof setInterval> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #hidden: ReturnType<typeof setTimeout> | undefined;
  /** Whether the connection is closed because the page is hidden. */
  #paused = false;
  #attempt = 0;
  #game: string | null = null;
  /** Messages that are not taken yet. */
  #waiting: string[] = [];
  #base: { at: number; received: number; speed: number } | null = null;
  /** The versions before and after the last orders of this page without another page's order between them. */
  #own: { before: number; after: number } | null = null;

  /** Hall time. */
  get instant(): number {
    return this.#instantAt(this.now);
  }

  /** Hall time as of the last tick of a group of clocks, which is any number. */
  instantOf(group: number): number {
    return this.#instantAt(this.#groups[group % GROUPS]?.now ?? this.now);
  }

  #instantAt(now: number): number {
    const base = this.#base;
    return base === null ? now : base.at + (Math.max(now, base.received) - base.received) * base.speed;
  }

  start(): () => void {
    this.#connect();
    let group = 0;
    let drawn = true;
    const ticking = setInterval(() => {
      // One group a frame, also where frames are late. A hidden page has none.
      if (!drawn && document.visibilityState === "visible") return;
      drawn = false;
      requestAnimationFrame(() => (drawn = true));
      const next = this.#groups[group];
      if (next !== undefined) next.now = Date.now();
      group = (group + 1) % GROUPS;
      if (group === 0) this.now = Date.now();
    }, 1000 / GROUPS);
    const back = () => {
      if (this.#paused) return;
      this.#attempt = 0;
      if (this.link !== "live" || this.#socket?.readyState !== WebSocket.OPEN) this.#connect();
    };
    const seen = () => {
      clearTimeout(this.#hidden);
      if (document.visibilityState === "visible") {
        this.#paused = false;
        back();
      } else {
        this.#hidden = setTimeout(() => this.#pause(), HIDDEN_MS);
      }
    };
    window.addEventListener("online", back);
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearInterval(ticking);
      clearTimeout(this.#timer);
      clearTimeout(this.#silence);
      clearTimeout(this.#hidden);
      window.removeEventListener("online", back);
      document.removeEventListener("visibilitychange", seen);
      const old = this.#socket;
      this.#socket = null;
      old?.close();
    };
  }

  /** The name of a section where several have rounds; else empty. */
  sectionName(section: string | null | undefined): string {
    const sections = this.hall.hall?.sections.filter((one) => one.rounds.length > 0) ?? [];
    const one = sections.find((one) => one.section === section);
    return one === undefined || sections.length < 2 ? "" : one.settings.name;
  }

  /** Asks for the moves of a game, in place of an earlier one. */
  watch(game: string | null): void {
    this.#game = game;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ game }));
  }

  /** A version that was shown, with the orders of this page after it. Where another page's order came between, they do not count. */
  withOwn(version: number | undefined): number | undefined {
    const own = this.#own;
    return own !== null && version !== undefined && own.before <= version && version < own.after
      ? own.after
      : version;
  }

  /** An order of this page was carried out: each of its facts made one version. */
  ordered({ version, facts }: Pick<Done, "version" | "facts">): void {
    const before = version - facts.length;
    this.#own = { before: this.#own?.after === before ? this.#own.before : before, after: version };
  }

  /** Waits until the page shows this version of the hall, but not for long. */
  async reached(version: number): Promise<void> {
    const until = Date.now() + REACHED_MS;
    while ((this.hall.hall?.version ?? 0) < version && Date.now() < until) {
      await new Promise((go) => setTimeout(go, 30));
    }
  }

  #connect(): void {
    clearTimeout(this.#timer);
    const old = this.#socket;
    const address = new URL("/api/v1/admin/live", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#waiting = [];
    old?.close();
    socket.onopen = () => {
      if (this.#game !== null) socket.send(JSON.stringify({ game: this.#game }));
    };
    socket.onmessage = (message: MessageEvent<unknown>) => {
      if (this.#socket === socket && typeof message.data === "string") {
        void this.#receive(socket, message.data);
      }
    };
    socket.onclose = (closed) => {
      if (this.#socket !== socket) return;
      if (closed.code === SESSION_ENDED) sessionEnded();
      this.#lost();
    };
  }

  /**
   * Messages in their order. A large one is read, sorted and drawn in a task each, so that the page answers in between; a small one is
   * drawn in a task of its own where the device is slow. Messages that wait for a slow page are read in a task each and shown together.
   */
  async #receive(socket: WebSocket, text: string): Promise<void> {
    this.#waiting.push(text);
    if (this.#waiting.length > 1) return;
    let values: Values | null = null;
    let together = 0;
    for (let next: string | undefined = text; next !== undefined; next = this.#waiting[0]) {
      const large = next.length > LARGE;
      const until = performance.now() + LONG_MS;
      values = (values ?? this.hall).after(next) ?? values;
      if (large || this.#waiting.length > 1) await nextTask();
      // The messages of another connection are not those of this one.
      if (this.#socket !== socket) return;
      together += 1;
      if (this.#waiting.length === 1 || together === TOGETHER) {
        const sorted = values !== null && !values.sameAs(this.hall) ? tiles(values, this.tiles) : null;
        if (large || performance.now() >= until) await nextTask();
        if (this.#socket !== socket) return;
        if (values !== null) this.#take(values, sorted);
        values = null;
        together = 0;
      }
      this.#waiting.shift();
    }
  }

  #take(next: Values, sorted: readonly Tile[] | null): void {
    this.#attempt = 0;
    this.#base = { at: next.at, received: Date.now(), speed: next.speed };
    if (sorted !== null) this.tiles = sorted;
    this.hall = next;
    this.link = "live";
    this.lostAt = null;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      const dead = this.#socket;
      this.#socket = null;
      dead?.close();
      this.#lost();
    }, SILENCE_MS);
  }

  /** Closes the connection of a hidden page. One with sound goes on: it must be heard. */
  #pause(): void {
    if (soundOn()) return;
    this.#paused = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    const open = this.#socket;
    this.#socket = null;
    open?.close();
    this.#waiting = [];
    this.link = "connecting";
    this.lostAt = null;
    this.#timer = setInterval(() => void findSession(), SESSION_MS);
  }

  #lost(): void {
    clearTimeout(this.#silence);
    this.link = "lost";
    this.lostAt ??= Date.now();
    this.#timer = setTimeout(
      () => {
        // The handshake does not say why it was refused: ask whether the session goes on.
        void findSession();
        this.#connect();
      },
      backoff(this.#attempt++, Math.random()) / 3,
    );
  }
}

export const live = new Live();
