/**
 * How large the boards of the hall are drawn: all of them on one screen if they stay readable, otherwise as
 * many in a row as read well, and the page scrolls. Pure arithmetic in CSS pixels.
 */

export const GAP = 10;

export interface Fit {
  readonly columns: number;
  /** Width of a tile, which is the width of its board. */
  readonly tile: number;
  /** Size of the text in a tile. */
  readonly text: number;
  /** Room for a second line below each name. */
  readonly roomy: boolean;
}

/** Below this a board cannot be followed from a chair. */
const READABLE = 160;
const ROOMY = 225;
/** Height of what surrounds the board, in multiples of the text size; the style sheet says the same. */
const STRIP = 1.9;
const ROW = 2.4;
const ROOMY_ROW = 3.1;

function sized(columns: number, width: number): Fit {
  // Whole pixels for every square: no seams.
  const tile = Math.floor(width / 8) * 8;
  return { columns, tile, text: Math.min(24, Math.max(12, tile * 0.046)), roomy: tile >= ROOMY };
}

function height(fit: Fit): number {
  return Math.ceil(fit.tile + fit.text * (STRIP + 2 * (fit.roomy ? ROOMY_ROW : ROW)));
}

/** The best arrangement of `count` tiles in `width` times `space`. */
export function arrange(count: number, width: number, space: number): Fit {
  let best: Fit | null = null;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const rowHeight = (space - GAP * (rows - 1)) / rows;
    let fit = sized(columns, (width - GAP * (columns - 1)) / columns);
    while (fit.tile >= READABLE && height(fit) > rowHeight) fit = sized(columns, fit.tile - 8);
    if (fit.tile >= READABLE && (best === null || fit.tile > best.tile)) best = fit;
  }
  if (best !== null) return best;
  // The page scrolls anyway: show the second line too, but on a phone two boards abreast.
  const wanted = width < 600 ? READABLE : ROOMY + 8;
  const columns = Math.max(1, Math.min(count, Math.floor((width + GAP) / (wanted + GAP))));
  return sized(columns, (width - GAP * (columns - 1)) / columns);
}
