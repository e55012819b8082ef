import { defineConfig } from "vitest/config";

// The files share their workers: on a busy machine the start of one worker for each file took longer than Vitest waits.
export default defineConfig({ test: { include: ["src/**/*.test.ts"], isolate: false } });
