/**
 * Things that are dragged to a place by mouse, pen or finger. A short press is no drag: then the thing is a button, which
 * also works by keyboard.
 */
import type { Attachment } from "svelte/attachments";

/** Pixels that a pointer moves before it drags. */
const FAR = 6;

export interface Drag {
  /** The place below the pointer, by its `data-place`; null beside all places. */
  over(place: string | null): void;
  /** Let go over a place. */
  drop(place: string): void;
}

function placeAt(x: number, y: number): string | null {
  const below = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-place]");
  return below?.dataset["place"] ?? null;
}

export function dragged(drag: Drag): Attachment<HTMLElement> {
  return (element) => {
    let start: { id: number; x: number; y: number } | null = null;
    let moving = false;

    const down = (event: PointerEvent) => {
      if (event.button !== 0) return;
      start = { id: event.pointerId, x: event.clientX, y: event.clientY };
      // At once: a quick hand is beside it with the first move.
      element.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent) => {
      if (start === null || event.pointerId !== start.id) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      if (!moving && Math.hypot(x, y) < FAR) return;
      if (!moving) {
        moving = true;
        element.classList.add("dragging");
      }
      event.preventDefault();
      element.style.transform = `translate(${x}px, ${y}px)`;
      drag.over(placeAt(event.clientX, event.clientY));
    };
    const end = (event: PointerEvent) => {
      if (start === null || event.pointerId !== start.id) return;
      const place = moving && event.type === "pointerup" ? placeAt(event.clientX, event.clientY) : null;
      start = null;
      if (!moving) return;
      moving = false;
      element.classList.remove("dragging");
      element.style.transform = "";
      drag.over(null);
      // The click that follows is the end of the drag, not a tap.
      const stop = (click: Event) => {
        click.preventDefault();
        click.stopImmediatePropagation();
      };
      element.addEventListener("click", stop, { once: true, capture: true });
      setTimeout(() => element.removeEventListener("click", stop, { capture: true }));
      if (place !== null) drag.drop(place);
    };
    const listeners = [
      ["pointerdown", down],
      ["pointermove", move],
      ["pointerup", end],
      ["pointercancel", end],
    ] as const;
    for (const [name, listener] of listeners) element.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) element.removeEventListener(name, listener);
    };
  };
}
