import { expect, test } from "vitest";
import { roomInTile, shortName } from "./names";

test("a name that fits stays whole", () => {
  expect(shortName("Adler, Ida", 16)).toBe("Adler, Ida");
  expect(shortName("Carlsen, Magnus", 17), "in the smallest tile").toBe("Carlsen, Magnus");
});

test("given names become initials before the family name is touched", () => {
  expect(shortName("Nepomniachtchi, Ian Alexandrovich", 23)).toBe("Nepomniachtchi, I. A.");
  expect(shortName("Nepomniachtchi, Ian Alexandrovich", 19)).toBe("Nepomniachtchi, I.");
  expect(shortName("Nepomniachtchi, Ian Alexandrovich", 15)).toBe("Nepomniachtchi");
  expect(shortName("Vachier-Lagrave, Jean-Pierre", 25)).toBe("Vachier-Lagrave, J. P.");
});

test("capitals and letters of Chinese are wider", () => {
  expect(shortName("NEPOMNIACHTCHI, IAN", 23)).toBe("NEPOMNIACHTCHI");
  expect(shortName("王".repeat(30), 17)).toBe(`${"王".repeat(8)}…`);
});

test("a name without given names, or with one that is too long by itself, is cut with a sign", () => {
  expect(shortName("venkatanarasimharajuvaripeta", 16)).toBe("venkatanarasimh…");
  expect(shortName(`${"w".repeat(90)}, ${"x".repeat(100)}`, 16)).toBe(`${"w".repeat(15)}…`);
  expect(shortName("", 0)).toBe("");
});

test("a letter with its accents is not torn apart", () => {
  const letter = "e\u0301";
  expect(shortName(letter.repeat(20), 4)).toBe(`${letter.repeat(3)}…`);
});

test("a wider tile has more room", () => {
  expect(roomInTile(0), "before the grid is drawn").toBe(16);
  expect(roomInTile(1256), "five in a row").toBe(20);
  expect(roomInTile(366), "one in a row, on a phone").toBe(37);
});
