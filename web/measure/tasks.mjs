/** The tasks of a page's main thread, from the browser's own trace: what each needs of the processor, and for what. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A task of more milliseconds is a long one. */
export const LONG_MS = 50;

/** Names of the trace that say what a task does; everything else is `other`. A document begins in the browser's own code. */
const KINDS = {
  begin: /^LocalWindowProxy::Initialize$/,
  script: /^(FunctionCall|EvaluateScript|FireAnimationFrame|TimerFire|RunMicrotasks|EventDispatch|v8\.|V8\.)/,
  collection: /^(MinorGC|MajorGC|V8\.GC|BlinkGC|CppGC)/,
  style:
    /^(UpdateLayoutTree|RecalculateStyles|ScheduleStyleRecalculation|InvalidateLayout|ParseAuthorStyleSheet)$/,
  layout: /^(Layout|HitTest|IntersectionObserverController::computeIntersections)$/,
  paint: /^(PrePaint|Paint|PaintImage|Layerize|Commit|UpdateLayer|UpdateLayerTree|CompositeLayers)$/,
};
const KIND_ORDER = ["begin", "collection", "style", "layout", "paint", "script"];

function kindOf(name) {
  return KIND_ORDER.find((kind) => KINDS[kind].test(name)) ?? "other";
}

/**
 * The tasks of the main threads while `work` goes on: milliseconds on the wall, milliseconds of the processor, and these by kind. Where
 * other programs share the processor the second is what the page itself needs.
 */
export async function tasks(browser, page, work) {
  const folder = mkdtempSync(join(tmpdir(), "boardcast-measure-"));
  const path = join(folder, "trace.json");
  try {
    await browser.startTracing(page, { path, categories: ["toplevel", "devtools.timeline", "v8"] });
    await work();
    await browser.stopTracing();
    const { traceEvents } = JSON.parse(readFileSync(path, "utf8"));
    return traceEvents
      .filter((one) => one.name === "thread_name" && one.args.name === "CrRendererMain")
      .flatMap(({ pid, tid }) => ofThread(traceEvents.filter((one) => one.pid === pid && one.tid === tid)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The outermost tasks of one thread; what happens within one counts for the innermost kind. */
function ofThread(events) {
  const spans = events
    .filter((one) => one.ph === "X" && one.tdur !== undefined)
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const found = [];
  let stack = [];
  let task = null;
  for (const one of spans) {
    stack = stack.filter((outer) => outer.ts + outer.dur > one.ts);
    const kind = kindOf(one.name);
    if (stack.length === 0) {
      task = null;
      if (/RunTask$/.test(one.name)) {
        task = { wall: one.dur / 1000, cpu: one.tdur / 1000, at: one.ts, kinds: {} };
        found.push(task);
      }
    }
    if (task !== null) {
      const outer = stack.at(-1);
      // A part without a name of its own belongs to what it is a part of.
      one.kind = kind === "other" && outer !== undefined ? outer.kind : kind;
      task.kinds[one.kind] = (task.kinds[one.kind] ?? 0) + one.tdur / 1000;
      if (outer !== undefined) task.kinds[outer.kind] -= one.tdur / 1000;
    }
    stack.push(one);
  }
  return found;
}

/** The task that needs most of the processor. */
export const longest = (all) =>
  all.reduce((most, one) => (one.cpu > most.cpu ? one : most), { wall: 0, cpu: 0, kinds: {} });

/** What one task needs. */
export function taskText({ wall, cpu, kinds }) {
  const parts = Object.entries(kinds)
    .filter(([, ms]) => ms >= 1)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, ms]) => `${kind} ${ms.toFixed(0)}`);
  return `${cpu.toFixed(0)} ms of the processor (${parts.join(", ")}), ${wall.toFixed(0)} ms in all`;
}

/** The least, the median and the most of some values. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => (sorted[Math.round((sorted.length - 1) * share)] ?? 0).toFixed(0);
  return `${at(0)} / ${at(0.5)} / ${at(1)}`;
}
