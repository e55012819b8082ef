/** Scripts, words, and drawing the page: each is a task of its own, so that a slow phone answers in between. */
import { mount } from "svelte";
import "./admin.css";
import { begin } from "./lib/i18n.svelte";
import { nextTask } from "./lib/turns";
import Start from "./Start.svelte";

const page = document.getElementById("page");
await nextTask();
await begin();
await nextTask();
if (page !== null) mount(Start, { target: page });
