/**
 * Things that are dragged to a place by mouse, pen or finger. A short press is no drag: then the thing is a button, which
 * also works by keyboard.
 */
import type { Attachment } from "svelte/attachments";

/** Pixels that a pointer moves before it drags. */
const FAR = 6;
/** Within so many pixels of the upper or lower edge of the window the page scrolls below the pointer. */
const EDGE = 70;
/** Pixels a frame that it scrolls. */
const STEP = 7;

export interface Drag {
  /** The place below the pointer, by its `data-place`; null beside all places. */
  over(place: string | null): void;
  /** Let go over a place. */
  drop(place: string): void;
}

/** The place at a point of the window, also where the bar with «Undo» covers it. */
function placeAt(x: number, y: number): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const place = element.closest<HTMLElement>("[data-place]")?.dataset["place"];
    if (place !== undefined) return place;
  }
  return null;
}

export function dragged(drag: Drag): Attachment<HTMLElement> {
  return (element) => {
    let start: { id: number; x: number; y: number; scrolled: number } | null = null;
    let at = { x: 0, y: 0 };
    let moving = false;
    let frame = 0;

    /** Draws the thing below the pointer, and names the place there. */
    const follow = () => {
      if (start === null) return;
      const [x, y] = [at.x - start.x, at.y - start.y + scrollY - start.scrolled];
      element.style.transform = `translate(${x}px, ${y}px)`;
      drag.over(placeAt(at.x, at.y));
    };
    /** Scrolls while the pointer stays near an edge: on a phone the place is often below the window. */
    const scroll = () => {
      const step = at.y < EDGE ? -STEP : at.y > innerHeight - EDGE ? STEP : 0;
      if (step !== 0) {
        scrollBy({ top: step, behavior: "instant" });
        follow();
      }
      frame = requestAnimationFrame(scroll);
    };

    const down = (event: PointerEvent) => {
      if (event.button !== 0) return;
      start = { id: event.pointerId, x: event.clientX, y: event.clientY, scrolled: scrollY };
      // At once: a quick hand is beside it with the first move.
      element.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent) => {
      if (start === null || event.pointerId !== start.id) return;
      at = { x: event.clientX, y: event.clientY };
      if (!moving && Math.hypot(at.x - start.x, at.y - start.y) < FAR) return;
      if (!moving) {
        moving = true;
        element.classList.add("dragging");
        frame = requestAnimationFrame(scroll);
      }
      event.preventDefault();
      follow();
    };
    const end = (event: PointerEvent) => {
      if (start === null || event.pointerId !== start.id) return;
      const place = moving && event.type === "pointerup" ? placeAt(event.clientX, event.clientY) : null;
      start = null;
      if (!moving) return;
      moving = false;
      cancelAnimationFrame(frame);
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
    /**
     * A touch that drags is no gesture of the browser. Else Chromium takes a finger that lets go quickly for a fling, and the next
     * tap anywhere, such as one on «Undo», only stops that fling and does not become a click.
     */
    const touch = (event: TouchEvent) => {
      if (moving && event.cancelable) event.preventDefault();
    };
    const listeners = [
      ["pointerdown", down],
      ["pointermove", move],
      ["pointerup", end],
      ["pointercancel", end],
    ] as const;
    for (const [name, listener] of listeners) element.addEventListener(name, listener);
    element.addEventListener("touchmove", touch, { passive: false });
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener("touchmove", touch);
      for (const [name, listener] of listeners) element.removeEventListener(name, listener);
    };
  };
}
