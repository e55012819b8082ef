// Whether the computer in the hall knows the time.
import { get } from "./api.svelte";

interface Clock {
  readonly at: number;
  readonly is_known: boolean;
}

/** A difference that may come from the way of the request, in milliseconds. */
const SAME = 60_000;

/**
 * The time that the hall goes by, where nothing says that it is right and this device shows another one; null otherwise, and where
 * the daemon does not answer.
 */
export async function doubtfulTime(): Promise<number | null> {
  const clock = await get<Clock>("/clock").catch(() => null);
  return clock !== null && !clock.is_known && Math.abs(Date.now() - clock.at) > SAME ? clock.at : null;
}
