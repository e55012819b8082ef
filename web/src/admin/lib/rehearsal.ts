/** The rehearsal as the daemon tells of it, and the ways in and out. */
export interface Rehearsal {
  /** Whether this daemon can hold one. */
  readonly possible: boolean;
  readonly running: boolean;
  /** Whether it is one itself, and all its boards are simulated. */
  readonly itself: boolean;
}

/** Every address leads elsewhere from now on: the page begins anew. */
export function openRehearsal(): void {
  location.hash = "#/hall";
  location.reload();
}
