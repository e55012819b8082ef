/** Long lists that are drawn part by part between frames: drawn at once, 200 rows are one task of half a second on a slow device. */
import { soon } from "../../lib/slices";

/** Rows in each part. The first row comes alone, as it brings what the others find: compiled functions, and fonts. */
const PART = 4;

/** The rows of a list that are drawn by now, in a component. */
export function growing<T>(all: () => readonly T[]): { readonly rows: readonly T[] } {
  let drawn = $state(1);
  $effect(() => (drawn < all().length ? soon(() => (drawn += PART)) : undefined));
  const rows = $derived(all().slice(0, drawn));
  return {
    get rows() {
      return rows;
    },
  };
}
