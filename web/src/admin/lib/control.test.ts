/** Time controls as people write them. */
import { expect, test } from "vitest";
import { controlOf, controlText, inMinutes } from "./control";
import { CONTROLS } from "./section";

test.each(CONTROLS)("%s is read from the words of the list", (value, words) => {
  expect(controlOf(words)).toBe(value);
});

test.each([
  ["90 min + 30 sec", "5400+30"],
  ["90min+30s/move", "5400+30"],
  ["90' + 30''", "5400+30"],
  ["90′+30″", "5400+30"],
  ["90 Min. + 30 Sek. pro Zug", "5400+30"],
  ["90 minutos + 30 segundos por jugada", "5400+30"],
  ["90 minut + 30 sekund na ruch", "5400+30"],
  ["1 h 30 min + 30 s", "5400+30"],
  ["2 h / 40 moves + 1 h", "40/7200:3600"],
  ["90 min/40 + 30 min + 30 s", "40/5400+30:1800+30"],
  ["90 min + 30", "5400+30"],
  ["15 + 10 s", "900+10"],
  ["5 min", "300"],
  ["5 min + 0 s", "300"],
  ["300 s", "300"],
  ["G/90", "5400"],
  ["G/90; d5", "5400+5"],
  ["g/60 +30", "3600+30"],
  ["SD/30", "1800"],
])("%s is %s", (text, control) => {
  expect(controlOf(text)).toBe(control);
});

test.each([
  "5400+30",
  "90+30",
  "40/7200:3600",
  "*180",
  "?",
  "-",
  "",
  "G/90 and more",
  "90 min + 30 min",
  "fast",
  "min",
])("%s is left as it is", (text) => {
  expect(controlOf(text)).toBeNull();
});

test("numbers that are hardly seconds are offered as minutes", () => {
  expect(inMinutes("90+30")).toBe("5400+30");
  expect(inMinutes(" 3 ")).toBe("180");
  expect(inMinutes("40/90+30:30+30")).toBe("40/5400+30:1800+30");
  for (const text of ["5400+30", "180+2", "0+5", "", "?", "90 min", "90:", "40/90:1800"]) {
    expect(inMinutes(text), text).toBeNull();
  }
});

test.each([
  ["5400+30", "90 min + 30 s"],
  ["40/5400+30:1800+30", "90 min/40 + 30 min + 30 s"],
  ["40/7200:3600", "120 min/40 + 60 min"],
  ["210", "3 min 30 s"],
])("%s is shown as %s, which is read back", (stored, words) => {
  expect(controlText(stored)).toBe(words);
  expect(controlOf(words)).toBe(stored);
});

test.each(["?", "-", "*180", "30", "40/5400+30:1800", "fast", ""])(
  "%s is shown as it is stored",
  (stored) => {
    expect(controlText(stored)).toBe(stored);
  },
);
