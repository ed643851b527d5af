import { defineConfig } from "vitest/config";

/** Attacks on a running service: `npm run test:attack` (test/attack/attack.ts) sets what the tests read. */
export default defineConfig({
  test: {
    name: "attack",
    include: ["test/attack/**/*.attack.test.ts"],
    env: { ORT_DISABLE_TELEMETRY: "1" },
    // Bounded by their own seconds; --minutes may ask for hours.
    testTimeout: 0,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
