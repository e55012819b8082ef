/** Which games are being played. Pure. */
import type { Game } from "./wire";

export function isRunning(game: Game): boolean {
  return game.result === "*" && (game.state === "playing" || game.state === "ready");
}
