import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "../../lib/language";
import { refusalWords, worded } from "./refusals";

const said = {
  code: "round_empty",
  params: { round: 3, section: "open-a" },
  text: 'Round 3 of "open-a" has no pairings: load them first.',
};

test("a sentence is in the reader's language, with its parameters", async () => {
  expect(worded(said, await refusalWords("de"))).toBe(
    "Runde 3 von „open-a“ hat keine Paarungen: laden Sie sie zuerst.",
  );
  expect(worded(said, await refusalWords("en"))).toBe(said.text);
});

test("every language has its file", async () => {
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const words = await refusalWords(language);
    if (language !== "en") expect(Object.keys(words).length).toBeGreaterThan(100);
  }
});

test("a code that is not known, and a sentence without one, stay English", async () => {
  const words = await refusalWords("fr");
  expect(worded({ ...said, code: "from_the_future" }, words)).toBe(said.text);
  expect(worded({ ...said, code: "constructor" }, words)).toBe(said.text);
  expect(worded({ text: said.text }, words)).toBe(said.text);
});

test("hostile parameters stay text", async () => {
  const words = await refusalWords("it");
  expect(worded({ ...said, params: { round: 1, section: "<b>{round}</b>" } }, words)).toContain(
    "<b>{round}</b>",
  );
});
