import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { commonTokens } from "@stryker-mutator/api/plugin";
import { createInstrumenter } from "@stryker-mutator/instrumenter";
import { createInjector } from "typed-inject";

const silent = Object.fromEntries(
  ["trace", "debug", "info", "warn", "error", "fatal"].map((level) => [level, () => undefined]),
);
const log = { ...silent, isDebugEnabled: () => false, isTraceEnabled: () => false };

/** Texts and regular expressions stay as they are, as in stryker.config.json. */
const options = { plugins: null, ignorers: [], mutators: [], excludedMutations: ["StringLiteral", "Regex"] };

const instrument = async (files) => {
  const instrumenter = createInjector()
    .provideValue(commonTokens.logger, log)
    .provideValue(commonTokens.options, { mutator: {} })
    .injectFunction(createInstrumenter);
  const sources = files.map((name) => ({ name, content: readFileSync(name, "utf8"), mutate: true }));
  return await instrumenter.instrument(sources, options);
};

const byName = (one, other) => one.localeCompare(other);

const sourcesIn = (globs) =>
  [...new Set(globs.flatMap((glob) => globSync(glob)))]
    .filter((file) => !file.endsWith(".test.ts"))
    .toSorted(byName);
const testsIn = (globs) =>
  [...new Set(globs.flatMap((glob) => globSync(glob)))]
    .filter(
      (file) =>
        file.endsWith(".test.ts") && !/\.(engine|http|system|browser|services|attack)\.test\.ts$/.test(file),
    )
    .toSorted(byName);

/** Writes instrumented.json and job.json into the folder: the code with every mutant in it, and what to judge. */
export const writeJob = async (folder, mutate, tests) => {
  const { files, mutants } = await instrument(sourcesIn(mutate));
  const judged = mutants.filter(({ status }) => status === undefined);
  mkdirSync(folder, { recursive: true });
  const code = Object.fromEntries(files.map(({ name, content }) => [resolve(name), content]));
  writeFileSync(resolve(folder, "instrumented.json"), JSON.stringify(code));
  const job = {
    results: resolve(folder, "results.jsonl"),
    tests: testsIn(tests).map((file) => resolve(file)),
    mutants: judged.map(({ id, fileName, mutatorName, replacement, location }) => ({
      id,
      fileName,
      mutatorName,
      replacement,
      location,
    })),
  };
  writeFileSync(resolve(folder, "job.json"), JSON.stringify(job));
};
