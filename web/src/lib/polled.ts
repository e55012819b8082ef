/** The snapshot that a public page begins with. */
const PATIENCE_MS = 8000;

/** A snapshot as text; null when it does not come. */
export async function ask(address: string): Promise<string | null> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
