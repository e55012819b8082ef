import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { mount } from "svelte";
import { dressed } from "../lib/dress";
import { gameOfPage, namePlace } from "../lib/place";
import { begin } from "../lib/words.svelte";
import "../style.css";
import Embed from "./Embed.svelte";

const page = document.getElementById("page");
const asked = new URLSearchParams(location.search);
dressed(asked);
namePlace(location.pathname, "");
void begin(asked.get("lang")).then(() => {
  if (page !== null) mount(Embed, { target: page, props: { game: gameOfPage(), asked } });
});
