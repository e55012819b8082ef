import { expect, test } from "vitest";
import { matching, type LogLine } from "./log";

const lines: LogLine[] = [
  { number: 1, at: 1, level: "info", text: "serving http://localhost/" },
  { number: 2, at: 2, level: "warn", text: "board serial=41987: the line is lost" },
  { number: 3, at: 3, level: "error", text: "the disk is full" },
  { number: 4, at: 4, level: "trace", text: "bytes" },
];
const numbers = (found: LogLine[]) => found.map((line) => line.number);

test("lines are filtered by level and by words, the newest first", () => {
  expect(numbers(matching(lines, "info", ""))).toEqual([3, 2, 1]);
  expect(numbers(matching(lines, "warn", ""))).toEqual([3, 2]);
  expect(numbers(matching(lines, "debug", ""))).toEqual([4, 3, 2, 1]);
  expect(numbers(matching(lines, "info", "LOST 41987"))).toEqual([2]);
  expect(matching(lines, "info", "lost disk")).toEqual([]);
});
