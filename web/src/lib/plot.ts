/** The plots of a game's times, drawn by uPlot. */
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Side } from "./wire";

type Series = Readonly<Record<Side, (number | null)[]>>;
type Words = Readonly<Record<Side | "left", string>>;
interface Size {
  readonly width: number;
  readonly height: number;
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A vertical line at the move on the board. */
function mark(at: number | null): uPlot.Plugin {
  return {
    hooks: {
      draw: (plot) => {
        if (at === null) return;
        const x = Math.round(plot.valToPos(at, "x", true));
        plot.ctx.fillStyle = colour("--accent");
        plot.ctx.fillRect(x, plot.bbox.top, 2, plot.bbox.height);
      },
    },
  };
}

/** Both sides' times: Black's downwards, without a sign. */
const unsigned = (value: number) => String(Math.round(Math.abs(value) * 100) / 100);
const signed = (value: number) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

function axes(text: (value: number) => string): uPlot.Axis[] {
  const stroke = colour("--dim");
  const grid = { stroke: colour("--line"), width: 1 };
  return [
    { stroke, grid, size: 24, incrs: [1, 5, 10, 20, 50, 100] },
    {
      stroke,
      grid,
      size: 50,
      values: (_, values) => values.map(text),
    },
  ];
}

function options(
  size: Size,
  at: number | null,
  series: uPlot.Series[],
  y: uPlot.Scale = {},
  text = unsigned,
): uPlot.Options {
  return {
    ...size,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y },
    axes: axes(text),
    plugins: [mark(at)],
    series: [{}, ...series],
  };
}

/** Time left on both clocks. */
export function lines(
  where: HTMLElement,
  size: Size,
  numbers: number[],
  left: Series,
  at: number | null,
  words: Words,
): uPlot {
  const line = (side: Side, stroke: string, dash: number[]): uPlot.Series => ({
    label: words[side],
    stroke,
    dash,
    width: 2,
    spanGaps: true,
    points: { show: false },
  });
  const series = [line("white", colour("--text"), []), line("black", colour("--accent"), [5, 4])];
  return new uPlot(options(size, at, series), [numbers, left.white, left.black], where);
}

/** Time spent on each move: White's upwards, Black's downwards. */
export function bars(
  where: HTMLElement,
  size: Size,
  numbers: number[],
  spent: Series,
  at: number | null,
  words: Words,
): uPlot {
  const paths = uPlot.paths.bars?.({ size: [0.7, 12] });
  const bar = (side: Side, fill: string): uPlot.Series => ({
    label: words[side],
    fill,
    width: 0,
    points: { show: false },
    ...(paths === undefined ? {} : { paths }),
  });
  const down = spent.black.map((minutes) => (minutes === null ? null : -minutes));
  const series = [bar("white", colour("--text")), bar("black", colour("--accent"))];
  return new uPlot(options(size, at, series), [numbers, spent.white, down], where);
}

/** An engine's evaluations in pawns: White's advantage above the middle, Black's below. */
export function advantage(
  where: HTMLElement,
  size: Size,
  at: number[],
  pawns: (number | null)[],
  here: number | null,
  word: string,
): uPlot {
  const series: uPlot.Series = {
    label: word,
    stroke: colour("--accent"),
    fill: colour("--soft"),
    fillTo: 0,
    width: 2,
    points: { show: false },
  };
  const edge = { range: [-5.5, 5.5] as [number, number] };
  return new uPlot(options(size, here, [series], edge, signed), [at, pawns], where);
}
