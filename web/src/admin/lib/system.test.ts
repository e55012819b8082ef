import { expect, test } from "vitest";
import type { HistoryLine } from "./history";
import { followed, sizeText } from "./system";

const lines = (...numbers: number[]): HistoryLine[] =>
  numbers.map((number) => ({
    at: number,
    by: "anna",
    reason: null,
    correction: { number, sentence: { text: String(number) } },
  }));
const numbers = (found: readonly HistoryLine[]) => found.map((line) => line.correction.number);

test("the newest corrections are followed by the earlier ones that are known, without a gap", () => {
  expect(numbers(followed(lines(6, 5, 4), lines(5, 4, 3, 2, 1)))).toEqual([6, 5, 4, 3, 2, 1]);
  expect(numbers(followed(lines(5, 4, 3), lines(2, 1)))).toEqual([5, 4, 3, 2, 1]);
  expect(numbers(followed(lines(9, 8, 7), lines(5, 4, 3)))).toEqual([9, 8, 7]);
  expect(numbers(followed(lines(2, 1), []))).toEqual([2, 1]);
  expect(numbers(followed([], lines(2, 1)))).toEqual([]);
});

test("sizes are in the largest unit that leaves at least 1", () => {
  expect(sizeText(999, "en")).toBe("999 byte");
  expect(sizeText(1_400_000_000, "en")).toBe("1.4 GB");
  expect(sizeText(25_000_000, "en")).toBe("25 MB");
});
