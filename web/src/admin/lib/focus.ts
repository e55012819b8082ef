/** Where the keyboard is. An action disables its button while it is sent, and often removes it: then the browser puts the keyboard nowhere. */

/** Parts of a page where the keyboard may stand when what it was on is gone. */
const PARTS = "section, form, li, [role=group], #bar, main";

/** Remembers where the keyboard is; the returned function brings it back there, or to the nearest part that is left, if it was lost. */
export function holdFocus(): () => void {
  const from = document.activeElement;
  const way: HTMLElement[] = [];
  for (let at = from; at instanceof HTMLElement && at !== document.body; at = at.parentElement) {
    if (at === from || at.matches(PARTS)) way.push(at);
  }
  // After the frame, in which the browser takes the keyboard from what is disabled or gone.
  return () => setTimeout(() => requestAnimationFrame(() => bringBack(way)));
}

function bringBack(way: readonly HTMLElement[]): void {
  const now = document.activeElement;
  if (now !== null && now !== document.body && !now.matches(":disabled")) return;
  const next = way.find((one) => one.isConnected && !one.matches(":disabled, [inert] *"));
  if (next !== undefined) focusOn(next);
}

/** Puts the keyboard on an element, also on one that is only read. */
export function focusOn(element: HTMLElement): void {
  if (element.tabIndex < 0 && !element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
