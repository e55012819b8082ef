/** The one hall of this page, kept up to date: joins the socket, the state and the passing of time. */
import { hallTime } from "./clock";
import { follow, type Status } from "./socket";
import { apply, type Hall } from "./state";
import { parseFrame } from "./wire";

class Live {
  hall = $state.raw<Hall | null>(null);
  status = $state<Status>("connecting");
  /** The instant that the public sees (UTC ms of the hall), renewed several times a second. */
  instant = $state(0);

  /** Follows the feed until the returned function is called. */
  start(): () => void {
    const stopFollowing = follow({
      resumeFrom: () => (this.hall === null ? null : { stream: this.hall.stream, seq: this.hall.seq }),
      frame: (text) => {
        const frame = parseFrame(text);
        if (frame === null) return;
        this.hall = apply(this.hall, frame, performance.now());
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
