import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// For `npm run dev`: the running daemon whose feed the page shows.
const daemon = process.env["BOARDCAST_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: "es2022",
    emptyOutDir: true,
    // Nothing in the page may come from elsewhere, and nothing is worth a second request.
    modulePreload: { polyfill: false },
    // The pages of the public and those of the organiser.
    rollupOptions: { input: ["index.html", "admin.html"] },
  },
  server: {
    proxy: {
      "/api": { target: daemon, ws: true },
      "/live.pgn": daemon,
      "/pgn": daemon,
    },
  },
});
