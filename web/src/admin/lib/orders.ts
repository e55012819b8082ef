/** The orders that may ask before they are carried out, as a person knows them: by the words of their buttons. */
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
  set_players: "tools.players",
  adopt: "tools.assign",
  edit_moves: "moves.edit",
};

/** What an order does and to what, e.g. `Publish the round · Open A · Round 2`. */
export function nameOf(order: Order, hall: Values): string {
  const told = NAMES[order.order];
  const game = typeof order["game"] === "string" ? hall.game(order["game"]) : null;
  const sections = hall.hall?.sections ?? [];
  const section = sections.find((one) => one.section === (order["section"] ?? game?.section)) ?? null;
  const number = order["round"] ?? game?.round;
  const round = section?.rounds.find((one) => one.round === number) ?? null;
  const table = game?.table ?? null;
  return [
    told === undefined ? order.order : section === null && told === "form.save" ? t("form.create") : t(told),
    section?.settings.name ?? "",
    round === null ? "" : roundName(round),
    table === null ? "" : t("table.n", { table }),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
