/** Long lists that are drawn part by part between frames: drawn at once, 200 rows are one task of half a second on a slow device. */
import { flushSync, untrack } from "svelte";
import { soon } from "../../lib/slices";

/** Rows in each part. The first row comes alone, as it brings what the others find: compiled functions, and fonts. */
const PART = 4;

/**
 * The rows of a list that are drawn by now, in a component: from the top on, or from the end back, for a list whose newest row is its
 * last one. There what is added later is drawn with the list. A page that is printed has all of them.
 */
export function growing<T>(
  all: () => readonly T[],
  from: "top" | "end" = "top",
): { readonly rows: readonly T[] } {
  let drawn = $state(1);
  let before = 0;
  $effect.pre(() => {
    const added = all().length - before;
    if (from === "end" && before > 0 && added > 0) untrack(() => (drawn += added));
    before += added;
  });
  $effect(() => (drawn < all().length ? soon(() => (drawn += PART)) : undefined));
  $effect(() => {
    const whole = () => flushSync(() => (drawn = Math.max(drawn, all().length)));
    addEventListener("beforeprint", whole);
    return () => removeEventListener("beforeprint", whole);
  });
  const rows = $derived(from === "top" ? all().slice(0, drawn) : all().slice(-drawn));
  return {
    get rows() {
      return rows;
    },
  };
}
