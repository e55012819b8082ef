import { afterEach, beforeEach, expect, test, vi } from "vitest";

const findSession = vi.hoisted(() => vi.fn());
vi.mock("./api.svelte", () => ({ findSession, sessionEnded: () => undefined }));

/** Sockets that the page opened, in order. */
const opened: FakeSocket[] = [];

class FakeSocket {
  static readonly OPEN = 1;
  readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closed: { code: number }) => void) | null = null;

  constructor() {
    opened.push(this);
  }

  send(): void {
    // What a page asks for is of no account here.
  }

  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({ code: 1000 });
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
let sound = "off";

function shown(state: "visible" | "hidden"): void {
  page.visibilityState = state;
  page.dispatchEvent(new Event("visibilitychange"));
}

/** Sockets that are open. */
function open(): number {
  return opened.filter((socket) => socket.readyState === FakeSocket.OPEN).length;
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  opened.length = 0;
  const plain = <T>(value: T): T => value;
  vi.stubGlobal("$state", Object.assign(plain, { raw: plain }));
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("location", new URL("http://127.0.0.1/admin"));
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("localStorage", { getItem: () => sound, setItem: () => undefined });
  page.visibilityState = "visible";
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a page that is hidden for a minute closes its connection, and opens it when it is shown", async () => {
  sound = "off";
  const { live } = await import("./live.svelte");
  const stop = live.start();
  live.link = "live";
  shown("hidden");
  vi.advanceTimersByTime(50_000);
  shown("visible");
  shown("hidden");
  vi.advanceTimersByTime(59_000);
  expect([open(), opened.length]).toEqual([1, 1]);
  vi.advanceTimersByTime(1_000);
  expect([open(), live.link]).toEqual([0, "connecting"]);
  window.dispatchEvent(new Event("online"));
  vi.advanceTimersByTime(2 * 3_600_000);
  expect([open(), opened.length]).toEqual([0, 1]);
  expect(findSession, "the session goes on").toHaveBeenCalledTimes(2);
  shown("visible");
  vi.advanceTimersByTime(2 * 3_600_000);
  expect(findSession).toHaveBeenCalledTimes(2);
  expect([open(), opened.length]).toEqual([1, 2]);
  stop();
});

test("an order of this page is no change of another one, unless that ordered in between", async () => {
  const { live } = await import("./live.svelte");
  const fact = { fact: "result_set" };
  expect(live.withOwn(10)).toBe(10);
  live.ordered({ version: 12, facts: [fact, fact] });
  expect([9, 10, 11, 12, 13, undefined].map((shown) => live.withOwn(shown))).toEqual([
    9,
    12,
    12,
    12,
    13,
    undefined,
  ]);
  live.ordered({ version: 12, facts: [] });
  live.ordered({ version: 13, facts: [fact] });
  expect(live.withOwn(10), "a second order directly after it").toBe(13);
  live.ordered({ version: 15, facts: [fact] });
  expect(
    [10, 13, 14].map((shown) => live.withOwn(shown)),
    "14 is of another page",
  ).toEqual([10, 13, 15]);
});

test("a hidden page whose sound is on goes on listening", async () => {
  sound = "on";
  const { live } = await import("./live.svelte");
  const stop = live.start();
  shown("hidden");
  vi.advanceTimersByTime(600_000);
  expect([open(), opened.length]).toEqual([1, 1]);
  stop();
});
