import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const everywhere = ["src", "widget", "test", "lab", "scripts"];
const suffixes = ["engine", "db", "http", "system", "browser", "services", "attack"];
const named = (suffix: string): string[] => everywhere.map((folder) => `${folder}/**/*.${suffix}.test.ts`);

/** A worker of vitest has threads as the service has: see src/cli/start-flags.ts. */
const stableFlags = process.versions.node.startsWith("24.")
  ? ["--wasm-wrapper-tiering-budget=1000000000"]
  : [];

/**
 * Ends a test that hangs. On a machine with much other work the same test takes twenty times as long as
 * alone.
 */
const hangMs = 300_000;

const compiledModules = fileURLToPath(new URL("node_modules/.cache/idem", import.meta.url));

/** Node runs our modules as they stand: nothing has to be transformed. */
const runByNode = { experimental: { viteModuleRunner: false } };

/** One lane: tests that need the same things (CONTRIBUTING.md, "Prove the change"). */
const lane = (name: string, include: string[], options: object = {}) => ({
  test: {
    name,
    include,
    env: {
      // Tests that load a network in their own process must not send telemetry
      // (src/machine/networks/telemetry.ts).
      ORT_DISABLE_TELEMETRY: "1",
      // Threads and processes that tests start find their modules compiled, as those of src/cli/idem.ts do.
      NODE_COMPILE_CACHE: compiledModules,
    },
    execArgv: stableFlags,
    testTimeout: hangMs,
    hookTimeout: hangMs,
    expect: { poll: { timeout: 20_000 } },
    ...options,
  },
});

/**
 * Lanes by what a test needs; the suffix of the file names the lane. Files of one worker share their modules
 * (`isolate: false`), and with them the opened networks of test/support/networks/shared-networks.ts.
 */
export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    // One service and one browser for all files of a run, which start when the first test asks for them.
    globalSetup: ["test/harness/shared-setup.ts"],
    projects: [
      lane(
        "unit",
        everywhere.map((folder) => `${folder}/**/*.test.ts`),
        {
          exclude: suffixes.flatMap(named),
          isolate: false,
          ...runByNode,
        },
      ),
      lane("engine", named("engine"), { isolate: false, ...runByNode }),
      lane("db", named("db"), { isolate: false }),
      lane("http", named("http"), { isolate: false }),
      lane("system", named("system"), { isolate: false, testTimeout: 2 * hangMs, hookTimeout: 2 * hangMs }),
      // After the others, one file at a time: a page before a camera needs the processors for itself.
      lane("browser", named("browser"), {
        isolate: false,
        maxWorkers: 1,
        sequence: { groupOrder: 1 },
        testTimeout: 2 * hangMs,
        hookTimeout: 2 * hangMs,
      }),
    ],
  },
});
