/**
 * A position drawn into an element that is only looked at: pieces are placed in parts of its size, so that nothing is measured
 * and a hall of boards costs little. A piece that moved keeps its element, which slides if the style sheet lets it.
 */
import type { Position } from "./game";

const NAMES: Readonly<Record<string, string>> = {
  p: "pawn",
  n: "knight",
  b: "bishop",
  r: "rook",
  q: "queen",
  k: "king",
};

/** The pieces of a FEN by square, counted from a8 along the ranks; what cannot be read is left out. */
export function piecesOf(fen: string): Map<number, string> {
  const found = new Map<number, string>();
  (fen.split(" ")[0] ?? "")
    .split("/")
    .slice(0, 8)
    .forEach((row, rank) => {
      let file = 0;
      for (const sign of row) {
        if (/[1-8]/.test(sign)) file += Number(sign);
        else if (file < 8) found.set(rank * 8 + file++, sign);
      }
    });
  return found;
}

/** The number of a square like `e4`; -1 when it is none. */
function squareOf(name: string): number {
  const [file, rank] = ["abcdefgh".indexOf(name[0] ?? "?"), Number(name[1])];
  return file < 0 || !(rank >= 1 && rank <= 8) ? -1 : (8 - rank) * 8 + file;
}

interface Drawn {
  sign: string;
  readonly element: HTMLElement;
}

export class Drawing {
  readonly #board: HTMLElement;
  #pieces = new Map<number, Drawn>();
  #marks: HTMLElement[] = [];
  #marked = "";

  constructor(board: HTMLElement) {
    this.#board = board;
  }

  show({ fen, lastMove, check }: Position): void {
    const wanted = piecesOf(fen);
    this.#mark(lastMove, check === null ? -1 : kingOf(wanted, check));
    const free: [number, Drawn][] = [];
    for (const [square, drawn] of this.#pieces) {
      if (wanted.get(square) !== drawn.sign) {
        free.push([square, drawn]);
        this.#pieces.delete(square);
      }
    }
    for (const [square, sign] of wanted) {
      if (this.#pieces.has(square)) continue;
      const known = free.findIndex(([, drawn]) => drawn.sign === sign);
      const drawn = known < 0 ? this.#add(sign) : (free.splice(known, 1)[0] as [number, Drawn])[1];
      place(drawn.element, square);
      this.#pieces.set(square, drawn);
    }
    for (const [, drawn] of free) drawn.element.remove();
  }

  #add(sign: string): Drawn {
    const element = document.createElement("piece");
    const colour = sign === sign.toLowerCase() ? "black" : "white";
    element.className = `${colour} ${NAMES[sign.toLowerCase()] ?? ""}`;
    this.#board.append(element);
    return { sign, element };
  }

  #mark(lastMove: readonly string[], king: number): void {
    const squares = [
      ...lastMove.map((name) => [squareOf(name), "last-move"] as const),
      [king, "check"] as const,
    ].filter(([square]) => square >= 0);
    const marked = squares.join(" ");
    if (marked === this.#marked) return;
    this.#marked = marked;
    for (const mark of this.#marks) mark.remove();
    this.#marks = squares.map(([square, kind]) => {
      const mark = document.createElement("square");
      mark.className = kind;
      place(mark, square);
      this.#board.prepend(mark);
      return mark;
    });
  }
}

function kingOf(pieces: ReadonlyMap<number, string>, side: "white" | "black"): number {
  for (const [square, sign] of pieces) if (sign === (side === "white" ? "K" : "k")) return square;
  return -1;
}

function place(element: HTMLElement, square: number): void {
  element.style.transform = `translate(${(square % 8) * 100}%, ${Math.floor(square / 8) * 100}%)`;
}
