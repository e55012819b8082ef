/** The one hall of this page, kept up to date: joins the feed, the state and the passing of time. */
import { hallTime } from "./clock";
import { ask } from "./polled";
import { follow, keyFeed, roundAddress, type Status } from "./socket";
import { apply, completes, type Hall } from "./state";
import { parseMessage } from "./wire";

/** A round that is not there may be published later. */
const ASK_AGAIN_MS = 15_000;

class Live {
  hall = $state.raw<Hall | null>(null);
  status = $state<Status>("connecting");
  /** The address names a section or a round that is not there. */
  missing = $state(false);
  /** Ahead of what is shown while a step is not complete. */
  private latest: Hall | null = null;
  /** The instant that the public sees (UTC ms of the hall), renewed several times a second. */
  instant = $state(0);

  /** Follows the feed until the returned function is called. */
  start(): () => void {
    let stopped = false;
    let stopFollowing = () => {};
    let again: ReturnType<typeof setTimeout> | undefined;
    const status = (status: Status) => (this.status = status);
    const message = (text: string) => this.take(text);
    const resumeFrom = () =>
      this.latest === null ? null : { stream: this.latest.stream, seq: this.latest.seq };
    if (keyFeed(location) !== null) {
      stopFollowing = follow({ resumeFrom, message, status });
    } else {
      const address = roundAddress(location);
      // The first snapshot comes compressed, and was asked for before this script ran; the socket goes on from there.
      const begin = async () => {
        const found = await ask(address);
        if (stopped) return;
        this.missing = found === "missing" && address.includes("?");
        if (this.missing) {
          again = setTimeout(() => void begin(), ASK_AGAIN_MS);
          return;
        }
        if (found !== null && found !== "missing") message(found.text);
        stopFollowing = follow({ resumeFrom, message, status });
      };
      void begin();
    }
    const timer = setInterval(() => this.tick(), 100);
    return () => {
      stopped = true;
      clearInterval(timer);
      clearTimeout(again);
      stopFollowing();
    };
  }

  private take(text: string) {
    const frames = parseMessage(text);
    for (const frame of frames) this.latest = apply(this.latest, frame, performance.now());
    const last = frames.at(-1);
    if (last === undefined || !completes(last)) return;
    this.hall = this.latest;
    this.tick();
  }

  private tick() {
    if (this.hall !== null) this.instant = hallTime(this.hall.time, performance.now()) - this.hall.delayMs;
  }
}

export const live = new Live();
