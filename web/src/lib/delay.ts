/** What is said of the delay of a round. */
import type { Hall } from "./state";
import { t } from "./words.svelte";

type Delay = Pick<Hall, "delayMs" | "untilOver">;

/** Whether games are shown later than they are played. */
export function isLate(hall: Delay | null): boolean {
  return hall !== null && (hall.delayMs > 0 || hall.untilOver);
}

/** The delay of the round, empty where it has none; single boards may have another one, which would say something about a player. */
export function delayText(hall: Delay | null): string {
  if (hall === null) return "";
  const minutes = Math.ceil(hall.delayMs / 60_000);
  if (!hall.untilOver) return minutes === 0 ? "" : t("later", { n: minutes });
  return minutes === 0 ? t("after_end") : t("after_end_later", { n: minutes });
}
