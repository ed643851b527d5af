import { defineConfig } from "vitest/config";

/** Every test that needs no outside server and no root. */
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "training/**/*.test.ts"],
    exclude: ["**/*.services.test.ts", "node_modules/**"],
    testTimeout: 60_000,
    // Tests that load a network in their own process call nobody either (src/inference/telemetry.ts).
    env: { ORT_DISABLE_TELEMETRY: "1" },
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
