import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { mount } from "svelte";
import { dressed } from "../lib/dress";
import { screenOf } from "../lib/screen";
import { begin } from "../lib/words.svelte";
import "../style.css";
import Screen from "./Screen.svelte";

const page = document.getElementById("page");
const asked = new URLSearchParams(location.search);
dressed(asked);
void begin(asked.get("lang")).then(() => {
  if (page !== null) mount(Screen, { target: page, props: { screen: screenOf(asked) } });
});
