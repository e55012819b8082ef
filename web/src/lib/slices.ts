/** Work that is done in slices between frames, so that the page answers meanwhile. */

/** Longest slice in milliseconds; a slow device needs several times as long for what was begun last. */
const SLICE_MS = 4;

/** The next task of the page: what waits for it leaves the browser time for other things. */
export const nextTask = (): Promise<void> => new Promise((go) => setTimeout(go));

const waiting = new Set<() => void>();
let due = false;

/** Does this between frames, in the order of the calls; the returned function calls it off. */
export function soon(work: () => void): () => void {
  waiting.add(work);
  plan();
  return () => waiting.delete(work);
}

function plan(): void {
  if (due || waiting.size === 0) return;
  due = true;
  // A hidden page has no frames.
  if (document.visibilityState === "visible") requestAnimationFrame(() => setTimeout(slice));
  else setTimeout(slice);
}

function slice(): void {
  due = false;
  const until = performance.now() + SLICE_MS;
  for (const work of waiting) {
    waiting.delete(work);
    work();
    if (performance.now() >= until) break;
  }
  plan();
}
