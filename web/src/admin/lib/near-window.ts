/** Whether an element is near the window, told when that changes. */
import type { Attachment } from "svelte/attachments";

/** So far above and below the window an element is near it. */
const AROUND = "300px";

const told = new WeakMap<Element, (near: boolean) => void>();
/** One for all elements: each observer is asked in every frame. */
let observer: IntersectionObserver | undefined;

export function nearWindow(tell: (near: boolean) => void): Attachment<HTMLElement> {
  return (element) => {
    observer ??= new IntersectionObserver(
      (all) => {
        for (const { target, isIntersecting } of all) told.get(target)?.(isIntersecting);
      },
      { rootMargin: `${AROUND} 0px` },
    );
    told.set(element, tell);
    observer.observe(element);
    return () => {
      observer?.unobserve(element);
      told.delete(element);
    };
  };
}
