/** The values of the daemon's socket, sorted by kind. Pure. */
import type { Output } from "./outputs";
import type { Source } from "./sources";
import { zoneOf } from "./zones";
import type { Alarm, BoardState, GameLine, GameMoves, Hall, Health, Person, Report } from "./wire";

const NO_REPORTS: readonly Report[] = [];
const NO_PLAYERS: Readonly<Record<string, Person>> = {};

interface Message {
  readonly at: number;
  readonly speed: number;
  readonly whole: boolean;
  readonly set: Readonly<Record<string, unknown>>;
  readonly gone: readonly string[];
}

export class Values {
  #boards: readonly BoardState[] | undefined;

  private constructor(
    readonly at: number,
    readonly speed: number,
    private readonly byKey: ReadonlyMap<string, unknown>,
  ) {}

  static none(): Values {
    return new Values(0, 1, new Map());
  }

  /** The values after a message; null when it cannot be read. */
  after(text: string): Values | null {
    const message = parse(text);
    if (message === null) return null;
    const changed = message.whole || Object.keys(message.set).length > 0 || message.gone.length > 0;
    if (!changed) return new Values(message.at, message.speed, this.byKey);
    const byKey = new Map(message.whole ? [] : this.byKey);
    for (const [key, value] of Object.entries(message.set)) byKey.set(key, value);
    for (const key of message.gone) byKey.delete(key);
    return new Values(message.at, message.speed, byKey);
  }

  /** Whether nothing but the time differs. */
  sameAs(other: Values): boolean {
    return this.byKey === other.byKey;
  }
  /** Whether the first message has come. */
  get known(): boolean {
    return this.byKey.size > 0;
  }
  get hall(): Hall | null {
    return (this.byKey.get("hall") as Hall | undefined) ?? null;
  }
  get health(): Health | null {
    return (this.byKey.get("health") as Health | undefined) ?? null;
  }
  get games(): GameLine[] {
    return this.all<GameLine>("game/");
  }
  /** Sorted once for all who ask: a whole hall asks several times for each message. */
  get boards(): readonly BoardState[] {
    this.#boards ??= this.all<BoardState>("board/").sort(
      (a, b) => a.board.length - b.board.length || (a.board < b.board ? -1 : 1),
    );
    return this.#boards;
  }
  get alarms(): Alarm[] {
    return this.all<Alarm>("alarm/").sort((a, b) => a.id - b.id);
  }
  get outputs(): Output[] {
    return this.all<Output>("output/").sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  get sources(): Source[] {
    return this.all<Source>("source/").sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  /** What visitors report about a game. */
  reports(game: string): readonly Report[] {
    return (this.byKey.get(`report/${game}`) as Report[] | undefined) ?? NO_REPORTS;
  }
  /** A game of the hall, or the one of an earlier round that the page asked for, which is in no list. */
  game(id: string): GameLine | null {
    const line = this.byKey.get(`game/${id}`) ?? this.byKey.get(`past/${id}`);
    return (line as GameLine | undefined) ?? null;
  }
  /** The time zone of a game, else that of the event. */
  zone(game: string | null): string | null {
    const section = game === null ? null : this.game(game)?.section;
    return zoneOf(this.hall?.sections ?? [], section);
  }
  moves(id: string): GameMoves | null {
    return (this.byKey.get(`moves/${id}`) as GameMoves | undefined) ?? null;
  }
  board(serial: string | null): BoardState | null {
    return serial === null ? null : ((this.byKey.get(`board/${serial}`) as BoardState | undefined) ?? null);
  }
  players(section: string | null): Readonly<Record<string, Person>> {
    return (this.byKey.get(`players/${section}`) as Record<string, Person> | undefined) ?? NO_PLAYERS;
  }

  private all<T>(prefix: string): T[] {
    const found: T[] = [];
    for (const [key, value] of this.byKey) if (key.startsWith(prefix)) found.push(value as T);
    return found;
  }
}

function parse(text: string): Message | null {
  try {
    const json = JSON.parse(text) as Partial<Message> | null;
    if (typeof json !== "object" || json === null || typeof json.set !== "object") return null;
    return Array.isArray(json.gone) && typeof json.at === "number" ? (json as Message) : null;
  } catch {
    return null;
  }
}
