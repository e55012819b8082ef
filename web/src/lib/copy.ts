/** Puts text on the clipboard. */

/** Whether it is there; a text may still be on its way. */
export async function copy(text: string | Promise<string>): Promise<boolean> {
  try {
    const known = await text;
    // Pages that came over plain HTTP have no clipboard of their own.
    if (navigator.clipboard === undefined) return copyBySelection(known);
    await navigator.clipboard.writeText(known);
    return true;
  } catch {
    return false;
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  field.ariaHidden = "true";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
