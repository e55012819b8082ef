/** Names that are written from right to left, beside others. */
import { expect, test } from "vitest";
import { apart, versus, withApart } from "./apart";

const DAVID = "אברהם, דוד";
const ALI = "محمد, علي";

test("a name from right to left is set apart, and no other one", () => {
  expect(apart(DAVID)).toBe(`\u2068${DAVID}\u2069`);
  for (const name of ["Müller, Jürgen", "Иванов, Пётр", "山田, 太郎", ""]) expect(apart(name)).toBe(name);
  expect(versus(DAVID, "Bos, Jan")).toBe(`\u2068${DAVID}\u2069 – Bos, Jan`);
});

test("names are found in a sentence, the longer one first", () => {
  expect(withApart(`1: ${DAVID} - ${ALI}.`, [ALI, DAVID])).toBe(
    `1: \u2068${DAVID}\u2069 - \u2068${ALI}\u2069.`,
  );
  expect(withApart("דוד (א+ב), דוד", ["דוד", "דוד (א+ב)"])).toBe("\u2068דוד (א+ב)\u2069, \u2068דוד\u2069");
  expect(withApart("Bos - Clark", ["Bos", "Clark"])).toBe("Bos - Clark");
});
