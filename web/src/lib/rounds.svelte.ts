/** The rounds of the section that is shown, asked for once and again when the round changes. */

export interface RoundOfSection {
  readonly round: number;
  readonly name: string;
  readonly planned_start: number | null;
  readonly ended: boolean;
}

class Rounds {
  list = $state.raw<readonly RoundOfSection[]>([]);
  private asked = "";

  /** Asks for the rounds of a section, unless that was done for this state of it. */
  ask(section: string, state: string): void {
    const wanted = `${section} ${state}`;
    if (this.asked === wanted) return;
    this.asked = wanted;
    fetch(`/api/v1/sections/${encodeURIComponent(section)}`)
      .then((answer) => (answer.ok ? answer.json() : null))
      .then((found: { rounds?: RoundOfSection[] } | null) => {
        if (this.asked === wanted && Array.isArray(found?.rounds)) this.list = found.rounds;
      })
      .catch(() => undefined); // the boards are there without the list
  }
}

export const rounds = new Rounds();
