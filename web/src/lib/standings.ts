/** The standings of a section as the daemon computes them from public results. */
export interface Standings {
  /** Names of the pairing program's tie-breaks. */
  readonly tie_breaks: readonly string[];
  /** The round after which the pairing program made them; `null` when they are the points of the games alone. */
  readonly after_round: number | null;
  readonly players: readonly Standing[];
}
export interface Standing {
  readonly rank: number;
  readonly player: {
    readonly name: string;
    readonly title: string | null;
    readonly rating: number | null;
    readonly federation: string | null;
    readonly fide_id: number | null;
  };
  /** Points twice. */
  readonly half_points: number;
  /** As the pairing program wrote them. */
  readonly tie_breaks: readonly string[];
  readonly games: number;
  readonly rounds: readonly {
    readonly round: number;
    readonly game: string;
    readonly side: "white" | "black";
    readonly points: string;
    readonly opponent: string;
  }[];
}

/** `3½`, `½`, `0`. */
export function halfText(half: number): string {
  const whole = Math.floor(half / 2);
  if (half % 2 === 0) return String(whole);
  return whole === 0 ? "½" : `${whole}½`;
}
