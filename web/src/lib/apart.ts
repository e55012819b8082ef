/** Texts that are written from right to left, beside others. Pure. */

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The text, set apart where it is written from right to left: browsers then leave what stands around it in its order. Two such names
 * with a dash between them would otherwise change places, and with them White and Black.
 */
export function apart(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** `White – Black`. */
export function versus(white: string, black: string): string {
  return `${apart(white)} – ${apart(black)}`;
}

/** A sentence in which these texts are set apart. */
export function withApart(sentence: string, texts: readonly string[]): string {
  const found = texts.filter((text) => RIGHT_TO_LEFT.test(text));
  if (found.length === 0) return sentence;
  // Of two texts that begin alike the longer one counts.
  found.sort((one, other) => other.length - one.length);
  const any = found.map((text) => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`)).join("|");
  return sentence.replaceAll(new RegExp(any, "gu"), apart);
}
