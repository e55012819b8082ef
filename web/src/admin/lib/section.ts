/** Settings of a section: the usual ones, and the part of addresses that its name gives. Pure. */
import type { SectionSettings } from "./wire";

/** Time controls in PGN form with the names that people use. */
export const CONTROLS: readonly (readonly [string, string])[] = [
  ["40/5400+30:1800+30", "90 min / 40 + 30 min + 30 s"],
  ["5400+30", "90 min + 30 s"],
  ["3600+30", "60 min + 30 s"],
  ["900+10", "15 min + 10 s"],
  ["600+5", "10 min + 5 s"],
  ["180+2", "3 min + 2 s"],
  ["300", "5 min"],
];

/** The settings of a new section in this time zone. */
export function newSettings(zone: string): SectionSettings {
  return {
    tournament: "",
    name: "",
    site: "",
    zone,
    first_table: 1,
    time_control: {},
    auto_publish: false,
    arm_by_publishing: true,
    result_rule: "shown",
    doubt_rule: "likely",
    doubt_wait_s: 120,
    boardless_games: false,
    forfeits: false,
    simultaneous: false,
    open_play: false,
  };
}

/** `Open A 2026` as `open-a-2026`; a name without Latin letters gets a number. */
export function slugOf(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .replaceAll(/[łŁ]/g, "l")
    .replaceAll(/[øØ]/g, "o")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  const base = plain === "" ? "section" : plain;
  let slug = base;
  for (let number = 2; taken.includes(slug); number++) slug = `${base}-${number}`;
  return slug;
}
