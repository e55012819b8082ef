/**
 * The scripts, the words, and drawing the page: each is a task of its own, so that a slow phone answers in between. So this file has
 * nothing but what parts them.
 */
import "./admin.css";
import { nextTask } from "../lib/slices";

await nextTask();
await import("./runtime");
await nextTask();
const { begin, draw } = await import("./begin");
await nextTask();
await begin();
await nextTask();
draw();
