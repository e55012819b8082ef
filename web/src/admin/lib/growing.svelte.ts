/** Long lists that are drawn part by part between frames: drawn at once, 200 rows are one task of half a second on a slow device. */
import { soon } from "../../lib/slices";

/** Rows that come at first, and in each part that follows. */
const PART = 6;

/** The rows of a list that are drawn by now, in a component. */
export function growing<T>(all: () => readonly T[]): { readonly rows: readonly T[] } {
  let drawn = $state(PART);
  $effect(() => (drawn < all().length ? soon(() => (drawn += PART)) : undefined));
  const rows = $derived(all().slice(0, drawn));
  return {
    get rows() {
      return rows;
    },
  };
}
