/**
 * `/embed.js` for pages of other sites:
 *
 *     <script src="https://boards.example/embed.js" async></script>
 *     <a href="https://boards.example/pgn/game/12345.pgn" data-boardcast>Adler – Bos</a>
 *
 * Each marked link to a game's, a round's or an event's PGN gets the live boards in its place; without the script it stays a
 * link. Pages made for pgn4web's live board need only this script: a frame of `live-compact.html`, `board.html` or a page
 * like them whose `pgnData` names PGN of this server is replaced. No cookies, no names outside of this file.
 */
(() => {
  const own = document.currentScript;
  const site = own instanceof HTMLScriptElement ? new URL(own.src).origin : null;
  if (site === null) return;

  /** What a PGN address of this server is about; null for others. */
  function placeOf(pgn: URL): string | null {
    if (pgn.origin !== site) return null;
    const path = pgn.pathname.replace(/^\/ascii\//, "/");
    const game = /^\/pgn\/game\/([^/]+)\.pgn$/.exec(path)?.[1];
    if (game !== undefined) return `game/${game}`;
    if (path === "/live.pgn") return "round/current";
    const [, event, round] = /^\/pgn\/([^/]+)\/(?:round-(\d+)\/.*|live\.pgn|all\.pgn)$/.exec(path) ?? [];
    if (event === undefined) return null;
    return round === undefined ? `round/${event}` : `round/${event}/${round}`;
  }

  function addressOf(text: string, base: string): URL | null {
    try {
      return new URL(text, base);
    } catch {
      return null;
    }
  }

  /** A frame with the boards, shaped like what it replaces. */
  function frame(place: string, like: HTMLElement): HTMLIFrameElement {
    const made = document.createElement("iframe");
    const asked = new URLSearchParams();
    for (const name of ["lang", "theme", "light", "dark", "accent", "background", "flip", "moves"]) {
      const value = like.dataset[name];
      if (value !== undefined) asked.set(name, value);
    }
    if (!asked.has("lang") && document.documentElement.lang !== "") {
      asked.set("lang", document.documentElement.lang);
    }
    made.src = `${site}/embed/${place}?${asked}`;
    made.title = like.textContent?.trim() || like.title || "Live chess";
    made.loading = "lazy";
    made.referrerPolicy = "no-referrer";
    made.style.border = "0";
    made.style.width =
      like.dataset["width"] ?? (like instanceof HTMLIFrameElement ? `${like.width}px` : "100%");
    made.style.height =
      like.dataset["height"] ?? (like instanceof HTMLIFrameElement ? `${like.height}px` : "");
    if (!/^\d/.test(made.style.width)) made.style.width = "100%";
    if (!/^\d/.test(made.style.height)) made.style.height = place.startsWith("game") ? "640px" : "720px";
    made.style.maxWidth = "100%";
    return made;
  }

  function upgrade(): void {
    for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-boardcast][href]")) {
      const address = addressOf(link.href, location.href);
      const place = address === null ? null : placeOf(address);
      if (place !== null) link.replaceWith(frame(place, link));
    }
    // pgn4web has its settings in the query of a frame, also as pd= or pgnData=.
    for (const old of document.querySelectorAll<HTMLIFrameElement>(
      "iframe[src*='pgnData='], iframe[src*='pd=']",
    )) {
      const settings = addressOf(old.src, location.href)?.searchParams;
      const data = settings?.get("pgnData") ?? settings?.get("pd") ?? "";
      const address = data === "" ? null : addressOf(data, old.src);
      const place = address === null ? null : placeOf(address);
      if (place !== null) old.replaceWith(frame(place, old));
    }
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", upgrade);
  else upgrade();
})();
