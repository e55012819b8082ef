/** The players that a visitor follows, kept on this device. */
import type { Game, Side } from "./wire";

const STORED = "boardcast-favourites";
/** More than anyone follows. */
const MOST = 500;

function kept(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(list) ? list.filter((key) => typeof key === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

const followed = $state({ keys: kept() });

/** What a player is known by from round to round: the FIDE id, else the name; null where there is neither. */
function keyOf(game: Game, side: Side): string | null {
  const colour = side === "white" ? "White" : "Black";
  const name = game.tags[colour]?.trim() ?? "";
  const id = game.tags[`${colour}FideId`];
  if (id !== undefined && /^[1-9]\d*$/.test(id)) return `fide:${id}`;
  return name === "" || name === "?" ? null : `name:${name}`;
}

export function canFollow(game: Game, side: Side): boolean {
  return keyOf(game, side) !== null;
}

export function isFollowed(game: Game, side: Side): boolean {
  const key = keyOf(game, side);
  return key !== null && followed.keys.includes(key);
}

export function anyFollowed(): boolean {
  return followed.keys.length > 0;
}

export function toggle(game: Game, side: Side): void {
  const key = keyOf(game, side);
  if (key === null) return;
  followed.keys = followed.keys.includes(key)
    ? followed.keys.filter((other) => other !== key)
    : [...followed.keys, key].slice(-MOST);
  try {
    localStorage.setItem(STORED, JSON.stringify(followed.keys));
  } catch {
    // It holds until the page is closed.
  }
}
