import { defineConfig } from "vitest/config";

/** The lanes that a mutation run repeats for each mutant: unit and db. The others take minutes. */
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts"],
    exclude: ["**/*.{engine,http,system,browser,services}.test.ts"],
    env: { ORT_DISABLE_TELEMETRY: "1" },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
