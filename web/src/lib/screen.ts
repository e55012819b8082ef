/** What a screen in the hall shows, by its address, and which page of it is due. Pure. */

export interface Screen {
  /** Boards on one page. */
  readonly boards: number;
  readonly seconds: number;
}

const MOST_BOARDS = 24;

function whole(text: string | null, least: number, most: number, otherwise: number): number {
  const number = Number(text ?? NaN);
  return Number.isInteger(number) ? Math.max(least, Math.min(most, number)) : otherwise;
}

/** `?n=6&seconds=15`. */
export function screenOf(asked: URLSearchParams): Screen {
  return {
    boards: whole(asked.get("n"), 1, MOST_BOARDS, 6),
    seconds: whole(asked.get("seconds"), 3, 600, 15),
  };
}

export type Page =
  { readonly kind: "boards"; readonly from: number } | { readonly kind: "results"; readonly from: number };

/** Results on one page. */
export const RESULTS = 20;

/** All pages in their order: the boards, then the results. */
export function pages(count: number, screen: Screen): Page[] {
  const from = (step: number) => Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
  return [
    ...from(screen.boards).map((from) => ({ kind: "boards" as const, from })),
    ...from(RESULTS).map((from) => ({ kind: "results" as const, from })),
  ];
}
