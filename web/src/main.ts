import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import { mount } from "svelte";
import App from "./components/App.svelte";
import "./style.css";

const page = document.getElementById("page");
if (page !== null) mount(App, { target: page });
