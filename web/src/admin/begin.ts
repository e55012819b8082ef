/** The page of the organiser: its words, and drawing it. */
import { mount } from "svelte";
import Start from "./Start.svelte";

export { begin } from "./lib/i18n.svelte";

export function draw(): void {
  const page = document.getElementById("page");
  if (page !== null) mount(Start, { target: page });
}
