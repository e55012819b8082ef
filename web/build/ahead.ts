/**
 * A page whose first script is nothing but the order of the others. What it imports is asked for at once, by links in the page: the
 * script would make them itself, one by one, which takes a slow phone longer than what it wins. And most functions of these scripts
 * are called at once: the browser is told so, and compiles them aside while the page still waits, not one by one as they are called.
 */
import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";

const PAGE = "admin";
const SOURCE = fileURLToPath(new URL(`../src/${PAGE}/`, import.meta.url));
/** What draws the page. */
const BEGIN = `${SOURCE}begin.ts`;
/** https://github.com/explainers-by-googlers/explicit-javascript-compile-hints-file-based; other browsers ignore it. */
const COMPILE = "//# allFunctionsCalledOnLoad\n";

export function ahead(): Plugin {
  return {
    name: "ahead",
    generateBundle(_, bundle) {
      for (const { name } of after(PAGE, bundle)) {
        const chunk = bundle[name];
        if (chunk?.type === "chunk") chunk.code = COMPILE + chunk.code;
      }
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { path, bundle }) {
        if (path !== `/${PAGE}.html` || bundle === undefined) return html;
        const links = after(PAGE, bundle)
          .flatMap(({ name, styles }) => [
            `<link rel="modulepreload" crossorigin href="/${name}">`,
            ...styles.map((style) => `<link rel="stylesheet" crossorigin href="/${style}">`),
          ])
          .filter((link, place, all) => all.indexOf(link) === place && !html.includes(link));
        return html.replace("</head>", `${links.map((link) => `  ${link}\n  `).join("")}</head>`);
      },
    },
  };
}

/**
 * What the start of the page needs of its own is one script and one style sheet, though parts that come later need some of it too: each
 * link in the page takes a slow phone two or three milliseconds, in the task in which it reads the page.
 */
export const together: Rolldown.CodeSplittingOptions = {
  // What it shares with the pages of the public stays apart, and is one script as well.
  includeDependenciesRecursively: false,
  groups: [
    { name: (id, context) => (needed(context).has(id) ? "hall" : null) },
    { name: "runtime", test: /\/node_modules\/svelte\/|\/src\/lib\/(speech\.svelte|language)\.ts$/ },
  ],
};

/** The modules of this page that its start imports, and those that they import. */
function needed(context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (!id.startsWith(SOURCE) || found.has(id)) return;
    found.add(id);
    context.getModuleInfo(id)?.importedIds.forEach(visit);
  };
  context.getModuleInfo(BEGIN)?.importedIds.forEach(visit);
  return found;
}

interface Needed {
  readonly name: string;
  readonly styles: readonly string[];
}

/** What the first script of a page imports, in the order in which it is needed, each once. */
function after(page: string, bundle: Rolldown.OutputBundle): Needed[] {
  const first = Object.values(bundle).find((one) => one.type === "chunk" && one.isEntry && one.name === page);
  const found = new Map<string, Needed>();
  const visit = (name: string) => {
    const chunk = bundle[name];
    if (chunk?.type !== "chunk" || found.has(name)) return;
    chunk.imports.forEach(visit);
    found.set(name, { name, styles: [...(chunk.viteMetadata?.importedCss ?? [])] });
  };
  if (first?.type === "chunk") first.dynamicImports.forEach(visit);
  return [...found.values()];
}
