import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { ahead, together } from "./build/ahead";
import { compressed } from "./build/compressed";
import { first } from "./build/first";
import { openings } from "./build/openings";
import { zones } from "./build/zones";

// For `npm run dev`: the running daemon whose feed the page shows.
const daemon = process.env["BOARDCAST_URL"] ?? "http://127.0.0.1:8080";

/** The script that other sites name in their pages; everything else has a digest in its name. */
const SCRIPT = "embed-script";

export default defineConfig({
  plugins: [svelte(), openings(), zones(), first(), ahead(), compressed()],
  build: {
    target: "es2022",
    emptyOutDir: true,
    // Nothing in the page may come from elsewhere, and nothing is worth a second request.
    modulePreload: { polyfill: false },
    // The pages of the public and those of the organiser.
    rollupOptions: {
      input: {
        index: "index.html",
        admin: "admin.html",
        embed: "embed.html",
        overlay: "overlay.html",
        screen: "screen.html",
        [SCRIPT]: "src/embed/script.ts",
      },
      output: {
        codeSplitting: together,
        entryFileNames: (chunk) => (chunk.name === SCRIPT ? "embed.js" : "assets/[name]-[hash].js"),
      },
    },
  },
  server: {
    proxy: {
      "/api": { target: daemon, ws: true },
      "/live.pgn": daemon,
      "/pgn": daemon,
      "/board": daemon,
    },
  },
});
