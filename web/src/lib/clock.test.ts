import { describe, expect, it } from "vitest";
import { clockText, hallTime, remaining, spentText } from "./clock";

const reading = { white_ms: 60_000, black_ms: 300_000, running: "white", read_at: 1000 } as const;

describe("a clock", () => {
  it("runs down on the side to move only", () => {
    expect(remaining(reading, "white", 11_000)).toBe(50_000);
    expect(remaining(reading, "black", 11_000)).toBe(300_000);
  });

  it("stops at zero, and does not gain by a reading from the future", () => {
    expect(remaining(reading, "white", 999_000)).toBe(0);
    expect(remaining(reading, "white", 0)).toBe(60_000);
  });

  it("shows nothing where nothing was read", () => {
    expect(remaining({ ...reading, white_ms: null }, "white", 0)).toBeNull();
  });

  it("follows a hall whose time runs faster", () => {
    expect(hallTime({ at: 1000, received: 500, speed: 10 }, 700)).toBe(3000);
  });
});

describe("times as text", () => {
  it.each([
    [5_400_000, "1:30:00"],
    [3_600_000, "1:00:00"],
    [3_599_000, "59:59"],
    [61_000, "1:01"],
    [999, "0:01"],
    [0, "0:00"],
  ])("%i ms on the clock is %s", (ms, text) => expect(clockText(ms)).toBe(text));

  it.each([
    [0, "0s"],
    [59_400, "59s"],
    [125_000, "2m05"],
    [4_320_000, "1h12"],
  ])("%i ms spent is %s", (ms, text) => expect(spentText(ms)).toBe(text));
});
