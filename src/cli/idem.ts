#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { Failure } from "#contract/failure";
import { ConfigError } from "../config.ts";
import { limitAllocator } from "./allocator.ts";
import { type Command, CommandError, print, say, UsageError } from "./command.ts";

/**
 * Node keeps the compiled modules beside the packages: a later start takes a second less processor time. Where the
 * folder cannot be written it costs only that second. Threads learn of it from the environment.
 */
const keepCompiled = (): void => {
  const folder = fileURLToPath(new URL("../../node_modules/.cache/idem", import.meta.url));
  process.env.NODE_COMPILE_CACHE ??= folder;
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
};

/** Loaded when called: `idem help` must not load networks. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve.ts")).serve,
  demo: async () => (await import("./demo.ts")).demo,
  doctor: async () => (await import("./doctor.ts")).doctor,
  keys: async () => (await import("./keys.ts")).keys,
  tokens: async () => (await import("./tokens.ts")).tokens,
  models: async () => (await import("./models.ts")).models,
  document: async () => (await import("./document.ts")).document,
  pep: async () => (await import("./pep.ts")).pep,
  people: async () => (await import("./people.ts")).people,
  migrate: async () => (await import("./migrate.ts")).migrate,
  erase: async () => (await import("./erase.ts")).erase,
  train: async () => (await import("./train.ts")).train,
  measure: async () => (await import("./measure.ts")).measure,
  cohort: async () => (await import("./cohort.ts")).cohort,
  replay: async () => (await import("./replay.ts")).replay,
  bench: async () => (await import("./bench.ts")).bench,
};

const overview = async (): Promise<string> => {
  const lines = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => `  ${name.padEnd(9)}${(await load()).summary}`),
  );
  return `Idem: self-hosted identity verification.

Usage: idem <command> [options]

${lines.join("\n")}

idem <command> --help tells more, idem --version the version. Settings are environment variables: docs/guides/configuration.md.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;
};

const isHelp = (word: string): boolean => ["help", "--help", "-h"].includes(word);

const main = async (words: readonly string[]): Promise<number> => {
  const [first = "help", ...rest] = words;
  if (first === "--version" || first === "-v" || first === "version") {
    print((await import("../version.ts")).version);
    return 0;
  }
  if (isHelp(first)) {
    const topic = rest.filter((word) => !isHelp(word));
    print(topic.length === 0 ? await overview() : (await find(commands, topic)).command.help);
    return 0;
  }
  const { command, args } = await find(commands, words);
  if (args.some((word) => word === "--help" || word === "-h")) {
    print(command.help);
    return 0;
  }
  return await command.run(args);
};

type Found = { readonly command: Command; readonly args: readonly string[] };

/** The command that the words name, as deep as they go, and the words that are left for it. */
const find = async (
  table: Required<Command>["topics"],
  [name = "", ...args]: readonly string[],
): Promise<Found> => {
  const load = Object.hasOwn(table, name) ? table[name] : undefined;
  if (load === undefined) {
    throw new UsageError(`There is no command "${name}". idem help lists them.`);
  }
  const command = await load();
  const isDeeper =
    command.topics !== undefined && args[0] !== undefined && Object.hasOwn(command.topics, args[0]);
  return isDeeper ? await find(command.topics, args) : { command, args };
};

/** Expected errors get words; only a mistake of ours shows its stack. */
const explain = (error: unknown): number => {
  if (error instanceof UsageError) {
    say(error.message);
    return 2;
  }
  if (error instanceof ConfigError) {
    say("The configuration is wrong:");
    error.problems.forEach((problem) => say(`  ${problem}`));
    return 1;
  }
  if (error instanceof CommandError || (error instanceof Error && error.name === "ModelRefused")) {
    say(error.message);
    return 1;
  }
  if (error instanceof Failure) {
    say(`${error.message} (${error.code})`);
    Object.entries(error.facts).forEach(([fact, value]) => say(`  ${fact}: ${String(value)}`));
    return 1;
  }
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 1;
};

if (process.argv[2] === "serve") {
  limitAllocator(); // begins anew: before the command and its rooms are loaded
}
keepCompiled();
// Ends even where a failed start left a thread alive; writes to files and pipes are done by then (POSIX: synchronous).
process.exit(await main(process.argv.slice(2)).catch(explain));
