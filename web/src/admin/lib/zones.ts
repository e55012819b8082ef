/** In which time zone an instant is shown. Pure. */
import type { SectionLine } from "./wire";

/**
 * The zone of a section. Of what belongs to none it is that of the first one that goes on with pairings: open play has the zone of
 * the computer, and is there first where boards are connected before pairings are loaded.
 */
export function zoneOf(sections: readonly SectionLine[], section: string | null | undefined): string | null {
  const found =
    sections.find((one) => one.section === section) ??
    sections.find((one) => !one.settings.open_play && !one.over) ??
    sections.find((one) => !one.settings.open_play) ??
    sections[0];
  return found?.settings.zone ?? null;
}
