/** Notes in sum. */
import { expect, test } from "vitest";
import { inSum } from "./sums";

test("of more than three notes of one kind the first is said, with the number of the others", () => {
  const note = (code: string, n: number) => ({ code, params: { n }, text: `${code} ${n}` });
  const alike = (count: number) => Array.from({ length: count }, (_, index) => note("ends", index + 1));
  const texts = (notes: { text: string }[]) => inSum(notes, (n) => `and ${n} more`).map((one) => one.text);
  expect(texts(alike(3))).toEqual(["ends 1", "ends 2", "ends 3"]);
  expect(texts([note("boards", 1), ...alike(19)])).toEqual(["boards 1", "ends 1", "and 18 more"]);
});
