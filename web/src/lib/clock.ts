/**
 * Clock values between readings, and durations as text.
 * Knows how the hall's time follows from ours; must not read our time itself.
 */
import type { TimeBase } from "./state";
import type { ClockReading, Side } from "./wire";

/** Hall time (UTC ms) at our monotonic `now`. */
export function hallTime(base: TimeBase, now: number): number {
  return base.at + (now - base.received) * base.speed;
}

/** What the clock of `side` shows at `instant` (UTC ms of the hall); null if it was not read. */
export function remaining(clock: ClockReading, side: Side, instant: number): number | null {
  const value = side === "white" ? clock.white_ms : clock.black_ms;
  if (value === null) return null;
  const elapsed = clock.running === side ? Math.max(0, instant - clock.read_at) : 0;
  return Math.max(0, value - elapsed);
}

/**
 * `h:mm:ss`, or `m:ss` below an hour. Boards read whole seconds, so a fraction belongs to the second
 * that is running out: a clock shows 0:00 only when nothing is left.
 */
export function clockText(ms: number): string {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  const h = Math.floor(seconds / 3600);
  const m = Math.floor(seconds / 60) % 60;
  const s = String(seconds % 60).padStart(2, "0");
  return h > 0 ? `${h}:${String(m).padStart(2, "0")}:${s}` : `${m}:${s}`;
}

/** Time spent on a move, short: `8s`, `2m05`, `1h12`. */
export function spentText(ms: number): string {
  const seconds = Math.round(Math.max(0, ms) / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}`;
  return `${Math.floor(seconds / 3600)}h${two(Math.floor(seconds / 60) % 60)}`;
}
