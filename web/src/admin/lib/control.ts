/** Time controls as people write them, in minutes and seconds, in the form that is stored: that of PGN, in seconds. Pure. */

const HOURS = String.raw`(?:h|hrs?|hours?|std|stunden?|horas?|heures?|or[ae]|godz\p{L}*)`;
const MINUTES = String.raw`(?:m|min\p{L}*|['′’])`;
const SECONDS = String.raw`(?:s|se[ckg]\p{L}*|''|’’|["″”])`;
/** `90 min`, `1 h 30 min`, `90 min / 40 moves`, `30 s per move`, or a bare number. */
const PART = new RegExp(
  String.raw`^(?:(\d+)\s*${HOURS})?\s*(?:(\d+)\s*${MINUTES})?\s*(?:(\d+)\s*${SECONDS})?\s*(\d+)?` +
    String.raw`(?:\s*(?:\/|per|pro|je|par|por|al?|na)\s*(?:(\d+)\s*)?\p{L}*)?$`,
  "u",
);
/** Without units, so many at most are minutes: games over the board have more seconds, and no period has more minutes. */
const MOST_MINUTES = 150;

/** As US Chess writes it: `G/90; d5`, `G/60 +30`, `SD/30`. */
const GAME_IN = /^(?:g|sd)\s*\/?\s*(\d+)(?:\s*[;,]?\s*(?:\+|d|inc(?:rement)?|delay)\s*\/?\s*(\d+))?$/;

interface Part {
  readonly seconds: number;
  /** Its time has the unit of minutes or hours. */
  readonly long: boolean;
  /** It is a number without a unit. */
  readonly bare: boolean;
  readonly moves: string | null;
}

function partOf(text: string): Part | null {
  const found = PART.exec(text.trim());
  if (found === null) return null;
  const [, hours, minutes, seconds, bare, moves] = found;
  const timed = hours ?? minutes ?? seconds;
  if ((timed === undefined) === (bare === undefined)) return null;
  return {
    seconds: Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? bare ?? 0),
    long: hours !== undefined || minutes !== undefined,
    bare: bare !== undefined,
    moves: moves ?? null,
  };
}

/** `90 min + 30 s` as `5400+30`; null for what has no units, which is stored as it is, and for what is no time control. */
export function controlOf(text: string): string | null {
  if (!/[^\d\s+:/*?-]/.test(text)) return null;
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(/(\p{L})\./gu, "$1")
    .replace(GAME_IN, (_, minutes, added = "0") => `${minutes} min + ${added} s`);
  const parts = plain.split("+").map(partOf);
  if (!parts.every((part) => part !== null)) return null;
  const last = parts.at(-1);
  // The last part, in seconds, is what each move adds.
  const increment = parts.length > 1 && last?.long === false ? last.seconds : 0;
  const periods = increment > 0 || (parts.length > 1 && last?.seconds === 0) ? parts.slice(0, -1) : parts;
  const written = periods.map((part, index) => {
    const ends = index < periods.length - 1;
    if ((part.bare && part.seconds > MOST_MINUTES) || (ends && part.moves === null)) return null;
    const seconds = part.bare ? part.seconds * 60 : part.seconds;
    const moves = part.moves === null ? "" : `${part.moves}/`;
    return `${moves}${seconds}${increment > 0 ? `+${increment}` : ""}`;
  });
  return written.every((period) => period !== null) ? written.join(":") : null;
}

/** `90+30`, which is stored as seconds, with its times as minutes: `5400+30`; null where they are hardly minutes. */
export function inMinutes(text: string): string | null {
  const periods = text.trim().split(":");
  const written = periods.map((period) => {
    const found = /^(\d+\/)?(\d{1,3})(\+\d+)?$/.exec(period);
    const minutes = Number(found?.[2] ?? 0);
    if (found === null || minutes < 1 || minutes > MOST_MINUTES) return null;
    return `${found[1] ?? ""}${minutes * 60}${found[3] ?? ""}`;
  });
  return written.every((period) => period !== null) ? written.join(":") : null;
}

/** `40/5400+30:1800+30` as `90 min/40 + 30 min + 30 s`, which `controlOf` reads back; what cannot be said so stays as it is stored. */
export function controlText(stored: string): string {
  const periods = stored.split(":").map((period) => /^(?:(\d+)\/)?(\d+)(?:\+(\d+))?$/.exec(period));
  const increment = periods[0]?.[3] ?? "";
  const written = periods.map((found) => {
    const [, moves, time, added = ""] = found ?? [];
    const [minutes, seconds] = [Math.floor(Number(time) / 60), Number(time) % 60];
    if (found === null || added !== increment || minutes === 0) return null;
    return `${minutes} min${seconds > 0 ? ` ${seconds} s` : ""}${moves === undefined ? "" : `/${moves}`}`;
  });
  if (!written.every((period) => period !== null)) return stored;
  return [...written, ...(increment === "" ? [] : [`${increment} s`])].join(" + ");
}
