/** An evaluation in the visitor's language, for those who do not see the bar. */
import { ahead, evaluationText, type Evaluation } from "./evaluations";
import type { Side } from "./wire";
import { locales, t } from "./words.svelte";

export function evaluationSentence(one: Evaluation | null, toMove: Side): string {
  if (one === null) return t("engine.none");
  if (one.mate === 0) return t("reason.checkmate");
  const side = ahead(one, toMove);
  if (side === null || evaluationText(one) === "0.0") return t("engine.equal");
  if (one.mate !== undefined) return t("engine.mate", { side: t(side), n: Math.abs(one.mate) });
  const pawns = Math.abs(one.centipawns ?? 0) / 100;
  const number = pawns.toLocaleString(locales(), { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  return t("engine.ahead", { side: t(side), pawns: number });
}
