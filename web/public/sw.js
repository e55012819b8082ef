/*
 * Keeps the files of the pages whose names have their digest, so that a second visit needs few bytes, and says without a network
 * that there is none. It keeps no page, no PGN and no answer of the API: what it kept could be older or newer than the delay
 * allows. Other pages than those of the public are left alone.
 */
const KEPT = "boardcast-assets-1";
/** More files than one build has; the oldest go first. */
const MOST = 60;
const OWN_PAGES = /^\/($|game\/)/;

const WORDS = {
  en: ["No connection", "The boards come back by themselves as soon as the network does."],
  de: ["Keine Verbindung", "Die Bretter kommen von selbst zurück, sobald das Netz wieder da ist."],
  es: ["Sin conexión", "Los tableros vuelven solos en cuanto vuelva la red."],
  fr: ["Pas de connexion", "Les échiquiers reviennent d'eux-mêmes dès que le réseau est là."],
  it: ["Nessuna connessione", "Le scacchiere tornano da sole appena torna la rete."],
  pl: ["Brak połączenia", "Szachownice wrócą same, gdy tylko wróci sieć."],
};

function offline() {
  const language = (self.navigator.languages ?? ["en"])
    .map((tag) => tag.split("-")[0])
    .find((tag) => Object.hasOwn(WORDS, tag));
  const [title, text] = WORDS[language ?? "en"];
  const html = `<!doctype html><html lang="${language ?? "en"}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="10"><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main></html>`;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'",
  };
  return new Response(html, { status: 503, headers });
}

async function asset(request) {
  const cache = await caches.open(KEPT);
  const known = await cache.match(request);
  if (known !== undefined) return known;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST)).map((key) => cache.delete(key)));
  }
  return answer;
}

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  const old = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(old());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (address.pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (request.mode === "navigate" && OWN_PAGES.test(address.pathname)) {
    event.respondWith(fetch(request).catch(offline));
  }
});
