/** Names of tables, players and moves as the pages write them. */
import { versus } from "../../lib/apart";
import { known, t } from "./i18n.svelte";
import { shortName } from "./names";
import { scoreText, type State, type Tile } from "./tiles";
import type { Values } from "./values";
import type { GameLine } from "./wire";

const ICONS: Readonly<Record<State, string>> = {
  unreadable: "!",
  unseen: "!",
  doubtful: "?",
  alarm: "!",
  claim: "½",
  silent: "⌁",
  unassigned: "∅",
  wrong_start: "≠",
  missing: "…",
  differs: "≠",
  free_moves: "?",
  stopped: "‖",
  no_clock: "◔",
  unsteady: "~",
  battery: "▯",
  board_battery: "▯",
  reported: "✉",
  adjourned: "‖",
  waiting: "○",
  playing: "▶",
  finished: "✓",
};

/** States are never colour alone. */
export function stateIcon(state: State): string {
  return ICONS[state];
}

/** The place of a game that has no tile: it is of an earlier round. */
export function gamePlace(game: GameLine): string {
  if (game.table !== null) return t("table.n", { table: game.table });
  return game.number === null ? game.id : t("pairing.n", { number: game.number });
}

/** `Adler, Ida – Bos, Jan (Table 1)`; null where the page does not have the game. */
export function gameName(id: string, hall: Values): string | null {
  const game = hall.game(id);
  if (game === null || game.section === null) return null;
  const players = hall.players(game.section);
  const name = (side: "white" | "black") => players[game[side] ?? -1]?.name ?? t(`side.${side}`);
  return `${versus(name("white"), name("black"))} (${gamePlace(game)})`;
}

/** `Table 7`, `Board 3` without an e-board, or the serial number of a board without a table. */
export function placeText(tile: Tile): string {
  if (tile.table !== null) return t("table.n", { table: tile.table });
  if (tile.game?.number != null) return t("pairing.n", { number: tile.game.number });
  return t("board.serial", { serial: tile.board?.board ?? tile.game?.board ?? "?" });
}

/** Both players, each name in a room of so many small letters. */
export function playersText(tile: Tile, room = Infinity): string {
  if (tile.game === null || tile.game.section === null) return t("players.none");
  const [white, black] = [tile.white?.name ?? t("side.white"), tile.black?.name ?? t("side.black")];
  return versus(shortName(white, room), shortName(black, room));
}

/** `24. Nf3` or `24… Nf6`. */
export function lastMove(game: GameLine): string {
  if (game.last_san === null) return "";
  const [, turn, , , , number] = game.fen.split(" ");
  const full = Number(number) || 1;
  return turn === "b" ? `${full}. ${game.last_san}` : `${full - 1}… ${game.last_san}`;
}

/** The result, as points; empty without one. */
export function gameResult(game: GameLine): string {
  return game.result === null ? "" : scoreText(game.result);
}

/** Why a game ended, where the record says it: in the reader's language, else as it was typed. */
export function reasonText(reason: string): string {
  return known(`reason.${reason.replaceAll(" ", "_")}`) ?? reason;
}

/** By whom something was done: a person by name, else that no person did it, with the source of games that it came from. */
export function byText(by: string): string {
  const [, rule] = /^rule (.*)$/su.exec(by) ?? [];
  if (rule === undefined) return by;
  const source = /^source (.+)$/su.exec(rule)?.[1];
  return source === undefined ? t("by.rule") : `${t("by.rule")} (${source})`;
}
