/** What is said of a game in the visitor's language. */
import { apart, versus } from "./apart";
import { isPaired, moveText, player, resultText } from "./game";
import { pieces } from "./san";
import type { Game, Move, Side } from "./wire";
import { figurines, t, type Key } from "./words.svelte";

/** A move as this visitor reads it: `Nf3`, `Sf3`, `♘f3`. */
export function san(move: Move): string {
  return pieces(move.san, figurines() ? "♔♕♖♗♘" : t("letters"));
}

/** The same with its number. */
export function numbered(game: Game, move: Move): string {
  return moveText(game, { ...move, san: san(move) });
}

export function isOver(game: Game): boolean {
  return game.state === "ended" || game.result !== "*";
}

/** The name of a player, or the colour where there is no name. */
export function nameOf(game: Game, side: Side): string {
  const { name } = player(game, side);
  return name === "White" || name === "Black" ? t(side) : name;
}

/** `Carlsen – Nepomniachtchi`, or the board where no player is named. */
export function gameName(game: Game): string {
  if (!isPaired(game)) return t("board", { n: game.board });
  const surname = (side: Side) => nameOf(game, side).split(",")[0] ?? "";
  return versus(surname("white"), surname("black"));
}

/** The reasons that the daemon gives; a person may write others. */
const REASONS: Readonly<Record<string, Key>> = {
  checkmate: "reason.checkmate",
  stalemate: "reason.stalemate",
  "kings in the centre": "reason.kings",
  "result piece": "reason.piece",
  forfeit: "reason.forfeit",
};

/** `White wins · checkmate`. */
export function resultSentence(game: Game): string {
  const key = { "1-0": "result.white", "0-1": "result.black", "1/2-1/2": "result.draw" }[game.result];
  if (key === undefined) return game.result === "*" ? t("result.ended") : resultText(game);
  const words = game.reason?.replaceAll("_", " ") ?? "";
  const known = Object.hasOwn(REASONS, words) ? REASONS[words] : undefined;
  // Of a result that a person entered without a reason the feed says `operator`, which says nothing of the game.
  const reason = known === undefined ? (words === "operator" ? "" : words) : t(known);
  return reason === "" ? t(key as Key) : `${t(key as Key)} · ${reason}`;
}

/** What happened last: the result, that it is adjourned, the latest move, or for what the board waits. */
export function news(game: Game): string {
  if (game.result !== "*") return resultText(game);
  if (game.state === "ended") return t("ended");
  if (game.state === "adjourned") return t("adjourned");
  if (game.waiting) return t("waiting");
  const last = game.moves.at(-1);
  return last === undefined ? "" : numbered(game, last);
}

/** A board in one sentence, for those who do not see it. */
export function tileLabel(game: Game): string {
  const [white, black] = [apart(nameOf(game, "white")), apart(nameOf(game, "black"))];
  const tile = t("tile", { n: game.board, white, black });
  return `${tile}, ${isOver(game) ? resultSentence(game) : news(game) || t("not_started")}`;
}
