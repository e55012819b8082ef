/** The orders that may lead to a question, as a person knows them: by the words of their buttons. */
import { roundName, t, type Key } from "./i18n.svelte";
import type { Values } from "./values";
import type { Order } from "./wire";

const NAMES: Readonly<Record<string, Key>> = {
  set_section: "form.save",
  end_event: "event.end",
  pair: "hand.pair",
  unpair: "pairings.unpair",
  publish: "round.publish",
  arm: "round.arm",
  unpublish: "round.unpublish",
  finish: "round.finish",
  reopen: "round.reopen",
  set_round: "tab.plan",
  load_pairings: "tab.load",
  confirm_pairings: "action.load_as_they_are",
  set_bye: "hand.bye_do",
  add_player: "hand.add",
  set_player: "players.correct",
  set_display: "event.players",
  set_result: "tools.result",
  set_players: "tools.players",
  set_clock: "moves.clock_set",
  swap_board: "tools.board",
  seat_boards: "tab.boards",
  assign_by_serial: "boards.proposal",
  adjourn: "tools.adjourn",
  resume: "tools.resume",
  withdraw: "tools.withdraw",
  restore: "tools.restore",
  start_from: "tools.start_from",
  go_on: "mend.go_on",
  adopt: "tools.assign",
  claim: "tools.assign",
  edit_moves: "moves.edit",
  change_output: "act.edit",
  undo: "act.undo",
};

/** What an order sets, as the pages write it. */
function valueOf(order: Order): string {
  if (order.order === "change_output" && typeof order["name"] === "string") return order["name"];
  if (order.order !== "set_result") return "";
  const { result } = order;
  return typeof result === "string"
    ? result.replaceAll("1/2", "½").replace(/^(\S+?) ?- ?(\S+)$/, "$1–$2")
    : `(${t("tools.no_result")})`;
}

/** The words of its button, with what it sets; a result by forfeit is named by who is absent. */
function words(order: Order, section: boolean): string {
  const absent = { "+ - -": t("side.black"), "- - +": t("side.white") }[String(order["result"])];
  if (order.order === "set_result" && absent !== undefined) return t("pairings.absent", { side: absent });
  const told = NAMES[order.order];
  if (told === undefined) return order.order;
  return told === "form.save" && !section ? t("form.create") : `${t(told)} ${valueOf(order)}`.trim();
}

/** What an order does and to what, e.g. `Publish the round · Open A · Round 2` or `Result 1–0 · Open A · Round 2 · Table 3`. */
export function nameOf(order: Order, hall: Values): string {
  const game = typeof order["game"] === "string" ? hall.game(order["game"]) : null;
  const sections = hall.hall?.sections ?? [];
  const section = sections.find((one) => one.section === (order["section"] ?? game?.section)) ?? null;
  const number = order["round"] ?? game?.round;
  const round = section?.rounds.find((one) => one.round === number) ?? null;
  const table = game?.table ?? null;
  return [
    words(order, section !== null),
    section?.settings.name ?? "",
    round === null ? "" : roundName(round),
    table === null ? "" : t("table.n", { table }),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
