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

function axes(): uPlot.Axis[] {
  const stroke = colour("--dim");
  const grid = { stroke: colour("--line"), width: 1 };
  return [
    { stroke, grid, size: 24, incrs: [1, 5, 10, 20, 50, 100] },
    {
      stroke,
      grid,
      size: 50,
      values: (_, values) => values.map((value) => String(Math.round(Math.abs(value) * 100) / 100)),
    },
  ];
}

function options(size: Size, at: number | null, series: uPlot.Series[]): uPlot.Options {
  return {
    ...size,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false } },
    axes: axes(),
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
