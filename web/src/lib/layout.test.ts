import { describe, expect, it } from "vitest";
import { arrange, GAP } from "./layout";

describe("the boards of the hall", () => {
  it.each([
    [1, 1896, 1000],
    [16, 1416, 820],
    [40, 1896, 1000],
    [4, 366, 760],
  ])("%i of them fit a screen of %i by %i", (count, width, space) => {
    const { columns, tile } = arrange(count, width, space);
    const rows = Math.ceil(count / columns);
    expect(columns * tile + GAP * (columns - 1)).toBeLessThanOrEqual(width);
    expect(rows * tile + GAP * (rows - 1)).toBeLessThan(space);
    expect(tile).toBeGreaterThanOrEqual(160);
  });

  it("stay readable when there are too many for one screen", () => {
    for (const [width, columns] of [
      [366, 2],
      [1416, 5],
    ] as const) {
      const fit = arrange(200, width, 800);
      expect(fit.columns).toBe(columns);
      expect(fit.tile).toBeGreaterThanOrEqual(160);
      expect(fit.columns * (fit.tile + GAP) - GAP).toBeLessThanOrEqual(width);
    }
  });

  it("have squares of whole pixels", () => {
    for (const count of [1, 7, 23, 200]) expect(arrange(count, 1371, 777).tile % 8).toBe(0);
  });
});
