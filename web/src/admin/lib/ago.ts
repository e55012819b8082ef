/** How long ago something was, in the words of this device's language. */
import { t } from "./i18n.svelte";
import { live } from "./live.svelte";
import { lag } from "./outputs";

/** The time since an instant of real time; «never» without one. */
export function ago(instant: number | null): string {
  return instant === null ? t("outputs.never") : t("outputs.ago", { time: lag(live.now - instant) });
}
