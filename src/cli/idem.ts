#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { ConfigError } from "#config/config";
import { Failure } from "#contract/failure";
import { type Command, print, say, suggestion, UsageError } from "./command.ts";
import { restartWithLimits } from "./start-flags.ts";

/**
 * Node keeps the compiled modules beside the packages: a later start takes a second less CPU time. A folder
 * that cannot be written costs only that second. Threads read the setting from the environment.
 */
const keepCompiled = (): void => {
  const folder = fileURLToPath(new URL("../../node_modules/.cache/idem", import.meta.url));
  process.env.NODE_COMPILE_CACHE ??= folder;
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
};

/** Loaded on demand: `idem help` must not load networks. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve/serve.ts")).serve,
  demo: async () => (await import("./demo/demo.ts")).demo,
  sandbox: async () => (await import("./sandbox/sandbox.ts")).sandbox,
  doctor: async () => (await import("./doctor/doctor.ts")).doctor,
  keys: async () => (await import("./admin/keys.ts")).keys,
  tenants: async () => (await import("./admin/tenants.ts")).tenants,
  tokens: async () => (await import("./admin/tokens.ts")).tokens,
  models: async () => (await import("./models/models.ts")).models,
  document: async () => (await import("./documents/document.ts")).document,
  pep: async () => (await import("./documents/pep.ts")).pep,
  users: async () => (await import("./users/users.ts")).users,
  registry: async () => (await import("./registry/registry.ts")).registry,
  webhooks: async () => (await import("./webhooks/webhooks.ts")).webhooks,
  clearing: async () => (await import("./clearing/clearing.ts")).clearing,
  events: async () => (await import("./events/events.ts")).events,
  personas: async () => (await import("./personas/personas.ts")).personas,
  listen: async () => (await import("./events/listen.ts")).listen,
  migrate: async () => (await import("./admin/migrate.ts")).migrate,
  erase: async () => (await import("./admin/erase.ts")).erase,
  sign: async () => (await import("./sign/sign.ts")).sign,
  signer: async () => (await import("./sign/signer.ts")).signer,
  extend: async () => (await import("./sign/extend.ts")).extend,
  "verify-pdf": async () => (await import("./verify-pdf/verify-pdf.ts")).verifyPdfCommand,
  evidence: async () => (await import("./evidence/evidence.ts")).evidence,
  train: async () => (await import("./train/train.ts")).train,
  measure: async () => (await import("./measure/measure.ts")).measure,
  cohort: async () => (await import("./train/cohort.ts")).cohort,
  replay: async () => (await import("./admin/replay.ts")).replay,
  "compare-services": async () => (await import("./compare/compare-services.ts")).compareServices,
  bench: async () => (await import("./bench/bench.ts")).bench,
};

const overview = async (): Promise<string> => {
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2;
  const lines = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => `  ${name.padEnd(width)}${(await load()).summary}`),
  );
  return `Idem: self-hosted identity verification.

Usage: idem <command> [options]

${lines.join("\n")}

More: idem <command> --help. Version: idem --version. Settings are environment variables: docs/guides/configuration.md.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;
};

const isHelp = (word: string): boolean => ["help", "--help", "-h"].includes(word);

const main = async (words: readonly string[]): Promise<number> => {
  const [first = "help", ...rest] = words;
  if (first === "--version" || first === "-v" || first === "version") {
    print((await import("#version")).version);
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

/** The deepest command that the arguments name, and the rest of the arguments. */
const find = async (
  table: Required<Command>["topics"],
  [name = "", ...args]: readonly string[],
): Promise<Found> => {
  const load = Object.hasOwn(table, name) ? table[name] : undefined;
  if (load === undefined) {
    throw new UsageError(
      `Unknown command "${name}".${suggestion(name, Object.keys(table))} List the commands: idem help`,
    );
  }
  const command = await load();
  const isDeeper =
    command.topics !== undefined && args[0] !== undefined && Object.hasOwn(command.topics, args[0]);
  return isDeeper ? await find(command.topics, args) : { command, args };
};

/**
 * Errors whose message is complete for the operator. By name: only the running command loads their modules.
 */
const shownWithoutStack: ReadonlySet<string> = new Set(["CommandError", "ModelRefused", "PicturesMissing"]);

/** Prints expected errors without a stack; a defect of the program shows its stack. */
const explain = (error: unknown): number => {
  if (error instanceof UsageError) {
    say(error.message);
    return 2;
  }
  if (error instanceof ConfigError) {
    say("Correct the configuration:");
    error.problems.forEach((problem) => say(`  ${problem}`));
    return 1;
  }
  if (error instanceof Error && shownWithoutStack.has(error.name)) {
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
  restartWithLimits(); // restarts the process: before the command and its modules are loaded
}
keepCompiled();
// Ends the process even if a failed start left a thread alive; files and pipes are written by then (POSIX:
// synchronous).
process.exit(await main(process.argv.slice(2)).catch(explain));
