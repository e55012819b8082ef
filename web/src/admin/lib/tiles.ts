/** What each table needs: its state in one word, and who comes first. Pure. */
import type { Alarm, BoardState, GameLine, Hall, Person, Score } from "./wire";
import type { Values } from "./values";

/** The states of the hall at a glance, as keys of the words `state.…`. */
export type State =
  | "unreadable"
  | "unseen"
  | "doubtful"
  | "alarm"
  | "claim"
  | "silent"
  | "unassigned"
  | "wrong_start"
  | "missing"
  | "differs"
  | "free_moves"
  | "stopped"
  | "no_clock"
  | "unsteady"
  | "battery"
  | "board_battery"
  | "reported"
  | "adjourned"
  | "waiting"
  | "playing"
  | "finished";
export type Need = "now" | "soon" | "fine";

export interface Tile {
  /** The game's id, or the board's serial number. */
  readonly key: string;
  readonly game: GameLine | null;
  readonly board: BoardState | null;
  readonly table: number | null;
  readonly white: Person | null;
  readonly black: Person | null;
  readonly state: State;
  readonly need: Need;
  /** Squares, seconds or lines that the state is about. */
  readonly about: string;
  readonly alarms: readonly Alarm[];
}

const NEEDS: Readonly<Record<State, Need>> = {
  unreadable: "now",
  unseen: "now",
  doubtful: "now",
  alarm: "now",
  claim: "now",
  silent: "soon",
  unassigned: "soon",
  wrong_start: "soon",
  missing: "soon",
  differs: "soon",
  free_moves: "soon",
  stopped: "soon",
  no_clock: "soon",
  unsteady: "soon",
  battery: "soon",
  board_battery: "soon",
  reported: "soon",
  adjourned: "fine",
  waiting: "fine",
  playing: "fine",
  finished: "fine",
};
const ORDER = Object.keys(NEEDS);
const RANK: Readonly<Record<Need, number>> = { now: 0, soon: 1, fine: 2 };

/** The state of one table and what it is about. `unclocked`: no clock belongs to the game, as in a simultaneous display. */
export function stateOf(
  game: GameLine | null,
  board: BoardState | null,
  alarms: readonly Alarm[],
  unclocked = false,
): [State, string] {
  const over = game !== null && (game.state === "finished" || game.state === "forfeit");
  const open = alarms.filter((alarm) => alarm.acknowledged_by === null);
  const clockMissing = board !== null && board.clock === null && !unclocked;
  if (game === null) {
    if (board === null || board.connected) return ["waiting", ""];
    return ["silent", ""];
  }
  if (over) return game.differs === null ? ["finished", ""] : ["differs", scoreText(game.differs)];
  const here = board !== null && board.game === game.id;
  if (board !== null && !board.connected) return [here && game.state === "playing" ? "unseen" : "silent", ""];
  if (here && board.candidates.length > 1) {
    return ["doubtful", board.candidates.map((line) => line.join(" ")).join(" / ")];
  }
  if (here && board.unexplained.length > 0) return ["unreadable", board.unexplained.join(" ")];
  if (game.unexplained) return ["unreadable", ""];
  if (here && board.claim !== null && board.claim.due === null) return ["claim", board.claim.result];
  const urgent = open.find((alarm) => !alarm.can_wait);
  if (urgent !== undefined) return ["alarm", urgent.kind];
  // Without a move it is only that the pieces stand ready, as between two rounds.
  if (game.section === null) return game.plies > 0 ? ["free_moves", ""] : (low(board) ?? ["waiting", ""]);
  if (game.state === "adjourned") return ["adjourned", ""];
  if (game.state === "result_missing") return ["missing", ""];
  if (game.state === "paired") {
    if (board === null && game.table !== null) return ["unassigned", ""];
    if (board !== null && board.wrong_start.length > 0 && board.wrong_start.length <= 8) {
      return ["wrong_start", board.wrong_start.join(" ")];
    }
    if (clockMissing) return ["no_clock", ""];
    return low(board) ?? ["waiting", ""];
  }
  if (open.some((alarm) => alarm.kind === "clock_stopped")) return ["stopped", ""];
  if (board !== null && (board.unsteady.length > 0 || board.faulty.length > 0)) {
    return ["unsteady", [...board.unsteady, ...board.faulty].join(" ")];
  }
  if (clockMissing) return ["no_clock", ""];
  return low(board) ?? ["playing", ""];
}

/** The battery of the board or of its clock, if it is low. */
function low(board: BoardState | null): [State, string] | null {
  if (board?.battery?.low) return ["board_battery", `${board.battery.percent} %`];
  return board?.clock_battery_low ? ["battery", ""] : null;
}

/**
 * All tables of the hall and the boards without one, those first that need a person. A tile that is as before is the same
 * object, so that a page draws only what changed.
 */
export function tiles(values: Values, before: readonly Tile[] = []): Tile[] {
  const known = new Map(before.map((tile) => [tile.key, tile]));
  return sorted(values).map((tile) => {
    const old = known.get(tile.key);
    return old !== undefined && same(old, tile) ? old : tile;
  });
}

/**
 * The tiles to draw next: those that need a person as they are now, and of the others that changed at most `limit`, from the place
 * `from` on; the rest stays as drawn for now. Else a moment with many moves is one long task of the browser.
 */
export function paced(next: readonly Tile[], drawn: readonly Tile[], limit: number, from: number): Tile[] {
  const known = new Map(drawn.map((tile) => [tile.key, tile]));
  const found = [...next];
  let left = limit;
  for (let step = 0; step < next.length; step++) {
    const place = (from + step) % next.length;
    const tile = next[place];
    const old = tile === undefined ? undefined : known.get(tile.key);
    if (old === undefined || old === tile || old.need !== "fine" || tile?.need !== "fine") continue;
    if (left > 0) left -= 1;
    else found[place] = old;
  }
  return found;
}

function same(one: Tile, other: Tile): boolean {
  const plain: readonly (keyof Tile)[] = [
    "game",
    "board",
    "table",
    "white",
    "black",
    "state",
    "need",
    "about",
  ];
  const alarms =
    one.alarms.length === other.alarms.length && one.alarms.every((it, i) => it === other.alarms[i]);
  return alarms && plain.every((key) => one[key] === other[key]);
}

function sorted(values: Values): Tile[] {
  const alarms = values.alarms;
  const boards = new Map(values.boards.map((board) => [board.board, board]));
  const seated = tablesByBoard(values.hall);
  const used = new Set<string>();
  const unclocked = new Set<string | null>();
  for (const { section, settings } of values.hall?.sections ?? []) {
    const { white, black } = settings.time_control;
    if (white === "-" && black === "-") unclocked.add(section);
  }
  const byGame = new Map<string, Alarm[]>();
  for (const alarm of alarms) {
    if (alarm.game !== null) byGame.set(alarm.game, [...(byGame.get(alarm.game) ?? []), alarm]);
  }
  /** Whether a board has no table. */
  const free = values.boards.some((board) => !seated.has(board.board));
  const found: Tile[] = [];
  for (const game of latestByTable(values.games)) {
    const board = game.board === null ? null : (boards.get(game.board) ?? absent(game.board));
    if (board !== null) used.add(board.board);
    const players = values.players(game.section);
    const mine = byGame.get(game.id) ?? [];
    const plain = stateOf(game, board, mine, unclocked.has(game.section));
    const reports = values.reports(game.id);
    const [state, about]: [State, string] =
      reports.length > 0 && NEEDS[plain[0]] === "fine" ? ["reported", reports[0]?.text ?? ""] : plain;
    const gone = state === "silent" && game.section === null && game.plies === 0;
    const table = game.table ?? (game.section === null ? (seated.get(game.board ?? "") ?? null) : null);
    found.push({
      key: game.id,
      game,
      board,
      table,
      white: game.white === null ? null : (players[game.white] ?? null),
      black: game.black === null ? null : (players[game.black] ?? null),
      state,
      // A table without a board can only wait where there is one for it; a board that was taken away without a move is missed nowhere.
      need: (state === "unassigned" && !free) || (gone && table === null) ? "fine" : NEEDS[state],
      about,
      alarms: mine,
    });
  }
  for (const board of boards.values()) {
    if (used.has(board.board)) continue;
    const [state, about] = stateOf(null, board, []);
    const table = seated.get(board.board) ?? null;
    const need = table === null ? "fine" : NEEDS[state];
    const none = { game: null, white: null, black: null, alarms: [] };
    found.push({ key: `board:${board.board}`, board, table, state, need, about, ...none });
  }
  return found.sort(
    (a, b) =>
      RANK[a.need] - RANK[b.need] ||
      (a.need === "fine" ? 0 : ORDER.indexOf(a.state) - ORDER.indexOf(b.state)) ||
      (a.table ?? a.game?.number ?? 1e6) - (b.table ?? b.game?.number ?? 1e6) ||
      (a.key < b.key ? -1 : 1),
  );
}

export function tablesByBoard(hall: Hall | null): Map<string, number> {
  return new Map(Object.entries(hall?.seats ?? {}).map(([table, board]) => [board, Number(table)]));
}

/** Of two rounds at one table the one that goes on; an unassigned game stands beside. */
function latestByTable(games: readonly GameLine[]): GameLine[] {
  const latest = new Map<string, GameLine>();
  const busy = (game: GameLine) => (game.state === "playing" || game.state === "result_missing" ? 1 : 0);
  for (const game of games) {
    const key = game.section === null ? game.id : `${game.section}/${game.number}`;
    const other = latest.get(key);
    const wins =
      other === undefined ||
      busy(game) > busy(other) ||
      (busy(game) === busy(other) && (game.round ?? 0) > (other.round ?? 0));
    if (wins) latest.set(key, game);
  }
  return [...latest.values()];
}

const ABSENT = new Map<string, BoardState>();

/** A board that has a table and was never found; the same object for the same board. */
function absent(serial: string): BoardState {
  const known = ABSENT.get(serial);
  if (known !== undefined) return known;
  const board: BoardState = {
    board: serial,
    connected: false,
    fen: "",
    rotated: false,
    white_is_left: null,
    clock: null,
    clock_battery_low: false,
    battery: null,
    unexplained: [],
    wrong_start: [],
    unsteady: [],
    faulty: [],
    candidates: [],
    shows_other: null,
    claim: null,
    game: null,
  };
  ABSENT.set(serial, board);
  return board;
}

/** `1–0`, `½–½`, `+–−`. */
export function scoreText(score: Score): string {
  const points = { zero: "0", half: "½", one: "1" };
  if (score.kind !== "forfeit") return `${points[score.white]}–${points[score.black]}`;
  const sign = { zero: "−", half: "=", one: "+" };
  return `${sign[score.white]}–${sign[score.black]}`;
}

/** Squares on which two placements differ. */
export function differing(one: string, other: string): string[] {
  const [a, b] = [squares(one), squares(other)];
  if (a === null || b === null) return [];
  return a.flatMap((piece, index) =>
    piece === b[index] ? [] : [`${"abcdefgh"[index % 8]}${8 - Math.floor(index / 8)}`],
  );
}

/**
 * The tables that a query finds: a number is a table or, where no table has it, the serial number of a board; other words are
 * part of a name or of a serial number. Nothing finds all.
 */
export function found(tiles: readonly Tile[], query: string): readonly Tile[] {
  const wanted = plain(query.trim());
  const serial = ({ board }: Tile) => plain(board?.board ?? "");
  if (/^\d+$/.test(wanted)) {
    const tables = tiles.filter(({ table, game }) => String(table ?? game?.number ?? "") === wanted);
    return tables.length > 0 ? tables : tiles.filter((tile) => serial(tile) === wanted);
  }
  return tiles.filter((tile) =>
    plain(`${tile.white?.name ?? ""} ${tile.black?.name ?? ""} ${serial(tile)}`).includes(wanted),
  );
}

/** Tables that stand together in the hall: those of one section, or all others. */
export interface Group {
  /** The section's address; empty for tables and boards of no section with rounds. */
  readonly section: string;
  readonly name: string;
  readonly tiles: readonly Tile[];
}

/**
 * The tables by section, in the order of the sections, then those of none. Where fewer than two sections have rounds, all are one group:
 * only two sections can have a table of the same number.
 */
export function bySection(tiles: readonly Tile[], hall: Hall | null): readonly Group[] {
  const sections = hall?.sections.filter((one) => one.rounds.length > 0) ?? [];
  if (sections.length < 2) return [{ section: "", name: "", tiles }];
  const groups = new Map<string, Tile[]>(sections.map((one) => [one.section, []]));
  const others: Tile[] = [];
  for (const tile of tiles) (groups.get(tile.game?.section ?? "") ?? others).push(tile);
  return [
    ...sections.map(({ section, settings }) => ({
      section,
      name: settings.name,
      tiles: groups.get(section) ?? [],
    })),
    { section: "", name: "", tiles: others },
  ].filter((group) => group.tiles.length > 0);
}

/** Small letters without accents. */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The 64 squares of a FEN from a8 to h1; null when it is none. */
function squares(fen: string): string[] | null {
  const placement = fen.split(" ")[0] ?? "";
  const found = [...placement.replaceAll("/", "")].flatMap((sign) =>
    /[1-8]/.test(sign) ? Array<string>(Number(sign)).fill("") : [sign],
  );
  return found.length === 64 ? found : null;
}
