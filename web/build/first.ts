/**
 * Lets the boards that the server draws be seen before anything else arrives: their style is part of the page, the other style
 * sheets come after them, and scripts are not in a hurry. The daemon allows the style in the page by its digest.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const DRAWN = "<!--boardcast:body-->";
const AFTER = '<div id="page">';
const STYLES = ["src/theme.css", "src/drawn.css"];

/** A style sheet without comments and indentation. */
function compact(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{}]) ?/g, "$1")
    .trim();
}

export function first(): Plugin {
  return {
    name: "first",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        if (!html.includes(DRAWN)) return html;
        const rules = STYLES.map((name) => compact(readFileSync(name, "utf8"))).join("");
        const digest = createHash("sha256").update(rules).digest("base64");
        const style = `<style data-digest="sha256-${digest}">${rules}</style>`;
        const links = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
        const bare = links.reduce((text, link) => text.replace(link, ""), html);
        return bare
          .replace("</title>", `</title>\n    ${style}`)
          .replace(AFTER, `${links.join("\n    ")}\n    ${AFTER}`)
          .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"');
      },
    },
  };
}
