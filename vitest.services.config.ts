import { defineConfig } from "vitest/config";

/**
 * Tests that need PostgreSQL, an S3 server, readers of PDF or root: each says in its first lines what it
 * expects.
 */
export default defineConfig({
  test: {
    include: ["src/**/*.services.test.ts", "test/**/*.services.test.ts"],
    exclude: ["node_modules/**"],
    testTimeout: 120_000,
    // Tests that load a network in their own process send no telemetry (src/machine/networks/telemetry.ts).
    env: { ORT_DISABLE_TELEMETRY: "1" },
    hookTimeout: 120_000,
    // A worker of vitest has threads as the service has: see src/cli/start-flags.ts.
    execArgv: process.versions.node.startsWith("24.") ? ["--wasm-wrapper-tiering-budget=1000000000"] : [],
    fileParallelism: false,
  },
});
