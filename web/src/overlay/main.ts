import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { mount } from "svelte";
import { dressed } from "../lib/dress";
import { overlayOf } from "../lib/overlay";
import { begin } from "../lib/words.svelte";
import "../style.css";
import "./overlay.css";
import Overlay from "./Overlay.svelte";

const page = document.getElementById("page");
const asked = new URLSearchParams(location.search);
dressed(asked);
void begin(asked.get("lang")).then(() => {
  if (page !== null) mount(Overlay, { target: page, props: { overlay: overlayOf(location) } });
});
