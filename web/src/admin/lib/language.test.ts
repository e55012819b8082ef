import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { LANGUAGES, bestLanguage, fill } from "../../lib/language";

const FOLDER = fileURLToPath(new URL("../languages", import.meta.url));
const REFUSALS = fileURLToPath(new URL("../refusals", import.meta.url));
const SOURCES = fileURLToPath(new URL("..", import.meta.url));
const words = (language: string) =>
  JSON.parse(readFileSync(`${FOLDER}/${language}.json`, "utf8")) as Record<string, string>;
const english = words("en");
const gaps = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe.each(Object.keys(LANGUAGES))("%s", (language) => {
  const own = words(language);

  test("has the keys of English, and no others", () => {
    expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort());
  });

  test("has a text for each key, with the same gaps", () => {
    const wrong = Object.keys(english).filter((key) => {
      const [mine, theirs] = [own[key] ?? "", english[key] ?? ""];
      return mine.trim() === "" || JSON.stringify(gaps(mine)) !== JSON.stringify(gaps(theirs));
    });
    expect(wrong).toEqual([]);
  });

  test("the sentences about what the public does not see name the setting that shows it, in its words", () => {
    const said = JSON.parse(readFileSync(`${REFUSALS}/${language}.json`, "utf8")) as Record<string, string>;
    expect(said["boardless_hidden"]).toContain(own["form.boardless"]);
    expect(said["forfeit_hidden"]).toContain(own["form.forfeits"]);
  });

  test("is a translation", () => {
    const same = Object.keys(english).filter((key) => own[key] === english[key]);
    expect(same.length).toBeLessThan(language === "en" ? Infinity : Object.keys(english).length / 8);
  });
});

test("every language has its file, and every file its language", () => {
  const files = readdirSync(FOLDER).map((name) => name.replace(".json", ""));
  expect(files.sort()).toEqual(Object.keys(LANGUAGES).sort());
});

test("every key that the pages name exists, and every key is named", () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(svelte|ts)$/.test(name) && !name.includes(".test."))
    .map((name) => readFileSync(`${SOURCES}/${name}`, "utf8"))
    .join("\n");
  const named = [...sources.matchAll(/"([a-z]+(?:\.[a-z_0-9]+)?)"/g)].map(([, key]) => key ?? "");
  const called = [...sources.matchAll(/\bt\(\s*"([^"]+)"/g)].map(([, key]) => key ?? "");
  const built = [...sources.matchAll(/`([a-z]+)\.\$\{/g)].map(([, prefix]) => `${prefix}.`);
  expect(called.filter((key) => !(key in english))).toEqual([]);
  const unused = Object.keys(english).filter((key) => {
    const bare = key.replace(/_one$/, "");
    return !named.includes(bare) && !built.some((prefix) => key.startsWith(prefix));
  });
  expect(unused).toEqual([]);
});

test("the language is the first known one of the browser's list", () => {
  expect(bestLanguage(["pt-BR", "fr-CA", "de"])).toBe("fr");
  expect(bestLanguage(["DE-at"])).toBe("de");
  expect(bestLanguage(["xx", "constructor"])).toBe("en");
  expect(bestLanguage([])).toBe("en");
});

test("what is filled in stays text, and unknown gaps stay", () => {
  expect(fill("{a} {b}", { a: "<b>{b}</b>" })).toBe("<b>{b}</b> {b}");
});
