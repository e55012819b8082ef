import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { mount } from "svelte";
import "../style.css";
import "./admin.css";
import App from "./App.svelte";
import { begin } from "./lib/i18n.svelte";

const page = document.getElementById("page");
await begin();
// In a task of its own: a slow phone answers between reading the script and drawing the page.
setTimeout(() => {
  if (page !== null) mount(App, { target: page });
});
