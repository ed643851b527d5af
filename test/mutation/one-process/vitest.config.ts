import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { defineConfig } from "vitest/config";

const folder = import.meta.dirname;
const job = process.env["MUTATION_JOB"] ?? "";
/** The code with every mutant in it, by the path of its file. */
const instrumented: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(resolve(dirname(job), "instrumented.json"), "utf8"),
);

/**
 * Runs the judgement of a job (run.mjs): its files come with their mutants, and its tests are collected, not
 * run.
 */
export default defineConfig({
  root: resolve(folder, "../../.."),
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      resolveId: (source, importer) =>
        source === "vitest" && importer?.includes("/src/") === true
          ? resolve(folder, "collect.mjs")
          : undefined,
      load: (id) => instrumented[id.split("?")[0] ?? id],
    },
  ],
  test: {
    include: ["test/mutation/one-process/judge.mutants.mjs"],
    // A cache of transformed files would hold those of another job.
    fsModuleCache: false,
    maxWorkers: 1,
    // V8 of Node 24 ends a process that wraps WebAssembly in several threads: see src/cli/start-flags.ts.
    execArgv: process.versions.node.startsWith("24.") ? ["--wasm-wrapper-tiering-budget=1000000000"] : [],
    env: { ORT_DISABLE_TELEMETRY: "1" },
    testTimeout: 36_000_000,
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
