/** The one hall of this page, kept up to date: joins the socket, the state and the passing of time. */
import { hallTime } from "./clock";
import { follow, type Status } from "./socket";
import { apply, completes, type Hall } from "./state";
import { parseMessage } from "./wire";

class Live {
  hall = $state.raw<Hall | null>(null);
  status = $state<Status>("connecting");
  /** Ahead of what is shown while a step is not complete. */
  private latest: Hall | null = null;
  /** The instant that the public sees (UTC ms of the hall), renewed several times a second. */
  instant = $state(0);

  /** Follows the feed until the returned function is called. */
  start(): () => void {
    const stopFollowing = follow({
      resumeFrom: () => (this.latest === null ? null : { stream: this.latest.stream, seq: this.latest.seq }),
      message: (text) => {
        const frames = parseMessage(text);
        const last = frames.at(-1);
        for (const frame of frames) this.latest = apply(this.latest, frame, performance.now());
        if (last === undefined || !completes(last)) return;
        this.hall = this.latest;
        this.tick();
      },
      status: (status) => (this.status = status),
    });
    const timer = setInterval(() => this.tick(), 100);
    return () => {
      clearInterval(timer);
      stopFollowing();
    };
  }

  private tick() {
    if (this.hall !== null) this.instant = hallTime(this.hall.time, performance.now()) - this.hall.delayMs;
  }
}

export const live = new Live();
