/** Snapshots without a socket: the first one of each page, and all of them for pages that a key opens. */
import type { Status } from "./socket";

/** Between two questions of a page with a key. */
const EVERY_MS = 1000;
const PATIENCE_MS = 8000;

/** A snapshot as text; null when it does not come. */
export async function ask(address: string): Promise<string | null> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}

/** Where a page below `/arbiter/{key}/` finds its undelayed snapshots; null for public pages. */
export function keyAddress(page: Location): string | null {
  const key = /^(\/arbiter\/[^/]+)\/(?:overlay|screen)/.exec(page.pathname)?.[1];
  return key === undefined ? null : `${key}/round`;
}

/** Asks again and again until the returned function is called. */
export function poll(
  address: string,
  reader: { message(text: string): void; status(status: Status): void },
): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let before: string | null = null;
  async function turn() {
    const text = await ask(address);
    if (stopped) return;
    if (text === null) reader.status("reconnecting");
    else {
      if (text !== before) reader.message(text);
      before = text;
      reader.status("live");
    }
    timer = setTimeout(() => void turn(), EVERY_MS);
  }
  void turn();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
