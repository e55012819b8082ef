/** The visitor's own moves beside a game: they begin after one of its moves and never change it. */
import type { Move } from "./wire";

export class OwnLine {
  /** The half-move of the game after which the own moves begin. */
  base = $state(0);
  moves = $state.raw<readonly Move[]>([]);
  /** How many of them are on the board; 0 shows the game. */
  at = $state(0);

  get current(): Move | null {
    return this.at === 0 ? null : (this.moves[this.at - 1] ?? null);
  }

  /** Adds a move after the one on the board; later ones are dropped. */
  add(move: Move, ply: number): void {
    if (this.at === 0) {
      this.base = ply;
      this.moves = [];
    }
    this.moves = [...this.moves.slice(0, this.at), move];
    this.at = this.moves.length;
  }

  /** Steps within the own moves; before the first one the game is shown. */
  step(by: number): void {
    this.at = Math.max(0, Math.min(this.moves.length, this.at + by));
  }

  leave(): void {
    this.at = 0;
    this.moves = [];
  }
}
