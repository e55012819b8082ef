/** What shows evaluations: comes after the page, where the daemon has an engine. */
export { default as EngineBar } from "./EngineBar.svelte";
export { default as EngineLine } from "./EngineLine.svelte";
export { default as EvaluationPlot } from "./EvaluationPlot.svelte";
