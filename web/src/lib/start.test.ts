import { describe, expect, it } from "vitest";
import { startText } from "./start";

const NOON_UTC = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;
const visitor = (zone: string) => ({ zone, languages: ["en-GB"] });

describe("the start of a round", () => {
  it("is told once where the visitor's clock is the venue's", () => {
    expect(startText(NOON_UTC + HOUR, "Europe/Stockholm", NOON_UTC, visitor("Europe/Berlin"))).toBe(
      "Starts 14:00",
    );
  });

  it("is told in both times where they differ", () => {
    const text = startText(NOON_UTC + HOUR, "Europe/Stockholm", NOON_UTC, visitor("America/New_York"));
    expect(text).toBe("Starts 14:00 (8:00 your time)");
  });

  it("names the day that is not today at the venue", () => {
    const text = startText(NOON_UTC + 10 * HOUR, "Asia/Tokyo", NOON_UTC, visitor("UTC"));
    expect(text).toBe("Starts Sat 21 Nov, 7:00 (22:00 your time)");
  });

  it("says so when it is late, and trusts no unknown zone", () => {
    expect(startText(NOON_UTC - HOUR, "Mars/Olympus", NOON_UTC, visitor("UTC"))).toBe("Was to start 11:00");
    expect(startText(NOON_UTC - HOUR, null, NOON_UTC, visitor("UTC"))).toBe("Was to start 11:00");
  });
});
