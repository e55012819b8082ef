/** The pages of the dashboard, each read when it is opened: the hall must not wait for what other pages need. */
import type { Component } from "svelte";
import type { Route } from "./route";

/** What one page is drawn by. */
export interface Loaded {
  readonly Table?: Component<{ id: string }>;
  readonly Arbiter?: Component<{ id: string | null }>;
  readonly Round?: Component<{ section: string | null; number: number | null; part: string }>;
  readonly Setup?: Component<{ step: string }>;
  readonly Event?: Component<{ tab: string }>;
  readonly Plain?: Component;
}

type Name = Exclude<Route["page"], "hall">;

const PAGES: Readonly<Record<Name, () => Promise<Loaded>>> = {
  table: async () => ({ Table: (await import("../pages/Table.svelte")).default }),
  arbiter: async () => ({ Arbiter: (await import("../pages/Arbiter.svelte")).default }),
  round: async () => ({ Round: (await import("../pages/Round.svelte")).default }),
  setup: async () => ({ Setup: (await import("../pages/Setup.svelte")).default }),
  results: async () => ({ Plain: (await import("../pages/Results.svelte")).default }),
  event: async () => ({ Event: (await import("../pages/Event.svelte")).default }),
  system: async () => ({ Plain: (await import("../pages/System.svelte")).default }),
  log: async () => ({ Plain: (await import("../pages/Log.svelte")).default }),
};

const loaded = new Map<Name, Promise<Loaded>>();
const missing = new Set<Name>();

/** The page; the same promise each time, so that a page that is open is not drawn anew. */
export function load(name: Name): Promise<Loaded> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const coming = PAGES[name]();
  loaded.set(name, coming);
  coming.then(
    () => missing.delete(name),
    () => {
      // Asked for again by who opens it again; a browser may still answer with the failure, which it keeps until the page is reloaded.
      loaded.delete(name);
      missing.add(name);
    },
  );
  return coming;
}

/** Whether the page was asked for and did not arrive. */
export function didNotArrive(name: Name): boolean {
  return missing.has(name);
}
