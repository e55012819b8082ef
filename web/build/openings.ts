/**
 * Makes the module `virtual:openings` of `data/openings.tsv`: the address of a table from positions to the names of openings.
 * A position is a number, `positionNumber`, so that the table stays small.
 */
import { Chess } from "chessops/chess";
import { makeFen } from "chessops/fen";
import { parseSan } from "chessops/san";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { positionNumber } from "../src/lib/openings";

const TABLE = fileURLToPath(new URL("../data/openings.tsv", import.meta.url));
const MODULE = "virtual:openings";

/** Numbers of positions with `C50 Italian Game`. */
export function table(): Record<string, string> {
  const names: Record<string, string> = {};
  const lines = readFileSync(TABLE, "utf8").trim().split("\n").slice(1);
  for (const line of lines) {
    const [eco = "", name = "", moves = ""] = line.split("\t");
    const position = Chess.default();
    for (const san of moves
      .replaceAll(/\d+\.+/g, "")
      .trim()
      .split(/\s+/)) {
      const move = parseSan(position, san);
      if (move === undefined) throw new Error(`data/openings.tsv: ${san} is not possible in ${moves}`);
      position.play(move);
    }
    names[positionNumber(makeFen(position.toSetup()))] = `${eco} ${name}`;
  }
  return names;
}

export function openings(): Plugin {
  return {
    name: "openings",
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load(id) {
      if (id !== `\0${MODULE}`) return null;
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(table()))});`;
    },
  };
}
