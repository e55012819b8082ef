import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { mount } from "svelte";
import App from "./components/App.svelte";
import { gameOfPage, namePlace } from "./lib/place";
import { gameHref } from "./lib/route";
import { begin } from "./lib/words.svelte";
import "./style.css";

const page = document.getElementById("page");
const game = gameOfPage();
if (game !== null) {
  const ply = Number(new URLSearchParams(location.search).get("ply") ?? NaN);
  namePlace("/", gameHref(game, Number.isInteger(ply) && ply >= 0 ? ply : null));
}
void begin().then(() => {
  if (page !== null) mount(App, { target: page });
});
// It says when there is no network; where the browser has none, or the connection is not secure, all else works.
window.addEventListener("load", () => {
  navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
});
