import { expect, test } from "vitest";
import type { SectionLine } from "./wire";
import { zoneOf } from "./zones";

const section = (section: string, zone: string, open_play = false, over = false) =>
  ({ section, over, settings: { zone, open_play } }) as unknown as SectionLine;
const LIVE = section("live-games", "Etc/UTC", true);
const OLD = section("old", "Asia/Tokyo", false, true);
const OPEN = section("open", "Europe/Prague");

test("an instant of a section has its zone, another one that of the event and not of open play", () => {
  const sections = [LIVE, OLD, OPEN];
  expect(zoneOf(sections, "live-games")).toBe("Etc/UTC");
  expect(zoneOf(sections, "old")).toBe("Asia/Tokyo");
  expect(zoneOf(sections, null)).toBe("Europe/Prague");
  expect(zoneOf([LIVE, OLD], null)).toBe("Asia/Tokyo");
  expect(zoneOf([LIVE], null)).toBe("Etc/UTC");
  expect(zoneOf([], null)).toBeNull();
});
