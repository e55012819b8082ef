/** QR codes as paths of an SVG: no picture from outside, no HTML. */
import qrcode from "qrcode-generator";

/** Each dark module is a square of 1 × 1; without the margin. */
export function qrCode(text: string): { readonly size: number; readonly path: string } {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  let path = "";
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) if (code.isDark(y, x)) path += `M${x} ${y}h1v1h-1z`;
  return { size, path };
}
