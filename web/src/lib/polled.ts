/** The snapshot that a public page begins with. */
const PATIENCE_MS = 8000;

/** A snapshot as text; `missing` when there is no such round, null when it does not come. */
export async function ask(address: string): Promise<{ readonly text: string } | "missing" | null> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.status === 404) return "missing";
    return answer.ok ? { text: await answer.text() } : null;
  } catch {
    return null;
  }
}
