/** What the page is drawn with, by itself: to evaluate it takes as long as to evaluate all else. */
export { flushSync, mount } from "svelte";
