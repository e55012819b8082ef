/** What an arbiter checks when a player claims a draw: repetitions, moves without capture or pawn move, dead positions. Pure. */
import { makeFen } from "chessops/fen";
import { makeSanAndPlay, parseSan } from "chessops/san";
import { position } from "./chess";

/** What holds, with the article of the FIDE Laws of Chess (2023). */
export interface Claims {
  /** Plies after which the position stood that stands now; 0 is the start. */
  readonly repeated: readonly number[];
  /** Plies since the last capture or pawn move. */
  readonly quiet: number;
  readonly holds: readonly Finding[];
}
export interface Finding {
  readonly kind: "fivefold" | "threefold" | "seventy_five" | "fifty" | "checkmate" | "stalemate" | "material";
  readonly article: string;
}

/** The pieces on their squares. */
const pieces = (fen: string) => fen.split(" ", 1)[0];

/** The position as article 9.2.3 compares it: pieces, player to move, castling rights, and en passant where it is legal. */
function compared(fen: string): string | null {
  const found = position(fen);
  return found === null ? null : makeFen(found.toSetup()).split(" ").slice(0, 4).join(" ");
}

/**
 * What holds after the last of these positions (FEN of the start and after each ply, as the daemon writes them);
 * null when the last one is none.
 * A dead position is recognised by its material alone: article 5.2.2 covers more.
 */
export function claims(fens: readonly string[]): Claims | null {
  const last = fens.at(-1) ?? "";
  const now = position(last);
  const key = compared(last);
  if (now === null || key === null) return null;
  // Few positions of a game have the same pieces on the same squares, and the rest of the comparison is slow.
  const repeated = fens.flatMap((fen, ply) =>
    pieces(fen) === pieces(last) && compared(fen) === key ? [ply] : [],
  );
  const quiet = now.halfmoves;
  const holds: Finding[] = [];
  if (now.isCheckmate()) holds.push({ kind: "checkmate", article: "5.1.1" });
  if (now.isStalemate()) holds.push({ kind: "stalemate", article: "5.2.1" });
  if (now.isInsufficientMaterial()) holds.push({ kind: "material", article: "5.2.2" });
  if (repeated.length >= 5) holds.push({ kind: "fivefold", article: "9.6.1" });
  else if (repeated.length >= 3) holds.push({ kind: "threefold", article: "9.2.2" });
  // A checkmate goes before the seventy-five moves (article 9.6.2).
  if (quiet >= 150 && !now.isCheckmate()) holds.push({ kind: "seventy_five", article: "9.6.2" });
  else if (quiet >= 100 && !now.isCheckmate()) holds.push({ kind: "fifty", article: "9.3.2" });
  return { repeated, quiet, holds };
}

/** What holds after a move that the player wrote down and did not play (articles 9.2.1 and 9.3.1); null when it is not legal. */
export function claimsWith(fens: readonly string[], san: string): Claims | null {
  const now = position(fens.at(-1) ?? "");
  const move = now === null ? undefined : parseSan(now, san.trim().replaceAll("0", "O"));
  if (now === null || move === undefined) return null;
  makeSanAndPlay(now, move);
  const found = claims([...fens, makeFen(now.toSetup())]);
  const articles: Partial<Record<Finding["kind"], string>> = { threefold: "9.2.1", fifty: "9.3.1" };
  return (
    found && {
      ...found,
      holds: found.holds.map((one) => ({ ...one, article: articles[one.kind] ?? one.article })),
    }
  );
}
