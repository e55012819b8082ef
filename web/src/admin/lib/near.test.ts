import { describe, expect, it } from "vitest";
import { nearby } from "./near";

describe("the clocks of a hall that tick", () => {
  // 40 rows of 5 places, 100 pixels each, in a window of 900 pixels.
  const at = (top: number) => nearby(200, top, 4000, 900);

  it("at the beginning of the grid: those of one and a half windows", () => {
    expect(at(200)).toEqual({ from: 0, to: 58 });
  });

  it("in the middle: half a window above and below as well", () => {
    expect(at(-1500)).toEqual({ from: 52, to: 143 });
  });

  it("none where the grid is far above or below, or is not drawn", () => {
    expect(at(-9000)).toEqual({ from: 200, to: 200 });
    expect(at(5000)).toEqual({ from: 0, to: 0 });
    expect(nearby(200, 0, 0, 900)).toEqual({ from: 0, to: 0 });
  });

  it("every place that is in the window, whatever the window and the number of columns", () => {
    for (const columns of [1, 3, 5, 18])
      for (const count of [1, 7, 200, 300])
        for (const top of [300, 0, -777, -2000]) {
          const height = Math.ceil(count / columns) * 100;
          const { from, to } = nearby(count, top, height, 900);
          for (let place = 0; place < count; place++) {
            const y = top + Math.floor(place / columns) * 100;
            const seen = y + 100 > 0 && y < 900;
            if (seen)
              expect(place >= from && place < to, `${place} of ${count} in ${columns}, ${top}`).toBe(true);
          }
        }
  });
});
