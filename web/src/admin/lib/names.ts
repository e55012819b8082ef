/** Names of persons in little room. Pure. */

/**
 * A name in a room of so many small letters: the family name whole and given names as initials (`Nepomniachtchi, I.`), as long as that
 * fits; a longer one is cut, with a sign that it is.
 */
export function shortName(name: string, room: number): string {
  // Most names need no measuring.
  if (name.length * WIDEST <= room || widthOf(name) <= room) return name;
  const [family = "", given = ""] = name.split(/,\s*/, 2);
  const initials = given
    .split(/[\s-]+/)
    .flatMap((one) => lettersOf(one).slice(0, 1))
    .map((letter) => `${letter}.`);
  for (let count = initials.length; count > 0; count--) {
    const short = `${family}, ${initials.slice(0, count).join(" ")}`;
    if (widthOf(short) <= room) return short;
  }
  if (widthOf(family) <= room) return family;
  const letters = lettersOf(family);
  while (letters.length > 1 && widthOf(letters.join("")) > room - 1) letters.pop();
  return `${letters.join("")}…`;
}

/** Sizes of the grid of tables that are fine, in pixels: the least width of a tile, the space between two, what of it is no name. */
const TILE = { least: 216, gap: 7.2, around: 104 };
/** Width of a small letter of a name in a tile, in pixels. */
const SMALL = 7;

/** The room for a name in a tile of a grid of this width in pixels, in small letters. */
export function roomInTile(width: number): number {
  const columns = Math.max(1, Math.floor((width + TILE.gap) / (TILE.least + TILE.gap)));
  const tile = (width + TILE.gap) / columns - TILE.gap;
  return Math.floor((Math.max(tile, TILE.least) - TILE.around) / SMALL);
}

/** A letter of Chinese, Japanese or Korean, in small letters. */
const WIDEST = 2;
const CAPITAL = 1.4;

/** The width of a text in small letters, about. */
function widthOf(text: string): number {
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  const wide = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
  return lettersOf(text).length + capitals * (CAPITAL - 1) + wide * (WIDEST - 1);
}

/** Letters with their accents. */
function lettersOf(text: string): string[] {
  return text.match(/\P{M}\p{M}*/gu) ?? [];
}
