/** What the server said of the page: the section, round and game that it is about. */

function said(name: string): string | null {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="boardcast:${name}"]`)?.content;
  return content === undefined || content === "" ? null : content;
}

/** The game of the page's address. */
export function gameOfPage(): string | null {
  return said("game");
}

/** Has the page's address name its section and round, by which the feed is chosen; `address` is the path to show. */
export function namePlace(address: string, hash: string): void {
  const event = said("event");
  if (event === null) return;
  const asked = new URLSearchParams(location.search);
  asked.set("event", event);
  const round = said("round");
  if (round === null) asked.delete("round");
  else asked.set("round", round);
  try {
    history.replaceState(null, "", `${address}?${asked}${hash}`);
  } catch {
    // A frame without an origin may not change its address: the current round is shown.
  }
}
