/** The link to the video of an event: https only, whatever the feed says. Pure. */
export function videoLink(address: string | null | undefined): string | null {
  if (typeof address !== "string") return null;
  try {
    const url = new URL(address);
    return url.protocol === "https:" ? url.href : null;
  } catch {
    return null;
  }
}
