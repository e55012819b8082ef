/** Which tables of a long grid are near the window. Pure. */

/** Places of a grid, from the first one to before the last one. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The places within the window and half a window above and below it, and at most a row more. `top` and `height` are those of the grid, in
 * pixels from the upper edge of the window, `count` its places. Arithmetic, as all places are of one size: an observer of each place
 * costs as much in every frame as what it saves.
 */
export function nearby(count: number, top: number, height: number, window: number): Range {
  if (height <= 0) return { from: 0, to: 0 };
  const place = (y: number) => (count * (y - top)) / height;
  const within = (value: number) => Math.max(0, Math.min(count, value));
  return { from: within(Math.floor(place(-window / 2))), to: within(Math.ceil(place(window * 1.5))) };
}
