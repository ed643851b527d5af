/** From the words of a command line to the end of the command. */
import { type Command, print, say, suggestion, UsageError } from "./command.ts";
import { commandGroups, commands } from "./commands.ts";

const loadsOf: Required<Command>["topics"] = Object.fromEntries(
  Object.entries(commands).map(([name, { load }]) => [name, load]),
);

const overview = (): string => {
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2;
  const blocks = Object.entries(commandGroups).map(([heading, group]) => {
    const lines = Object.entries(group).map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`);
    return [`${heading}:`, ...lines].join("\n");
  });
  return `Idem: self-hosted identity verification.

Usage: idem <command> [options]

${blocks.join("\n\n")}

More: idem <command> --help. Version: idem --version. Settings are environment variables: docs/guides/operate/configuration.md.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;
};

const isHelp = (word: string): boolean => ["help", "--help", "-h"].includes(word);

/**
 * Runs the command that the words after `idem` name. Resolves with the exit code, and prints errors in a
 * sentence. It ends no process and restarts none.
 */
export const runCommand = (words: readonly string[]): Promise<number> => run(words).catch(explain);

const run = async (words: readonly string[]): Promise<number> => {
  const [first = "help", ...rest] = words;
  if (first === "--version" || first === "-v" || first === "version") {
    print((await import("#contract/version")).version);
    return 0;
  }
  if (isHelp(first)) {
    const topic = rest.filter((word) => !isHelp(word));
    print(topic.length === 0 ? overview() : (await find(loadsOf, topic)).command.help);
    return 0;
  }
  const { command, args } = await find(loadsOf, words);
  if (args.some((word) => word === "--help" || word === "-h")) {
    print(command.help);
    return 0;
  }
  return await command.run(args).catch(async (error: unknown) => {
    const code = await explain(error);
    return code === 1 ? (command.failedCode ?? code) : code;
  });
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
const shownWithoutStack: ReadonlySet<string> = new Set([
  "CommandError",
  "ModelRefused",
  "PicturesMissing",
  "AdminFault",
  "ErasureUnfinished",
]);

/** Prints expected errors without a stack; a defect of the program shows its stack. */
const explain = async (error: unknown): Promise<number> => {
  if (error instanceof UsageError) {
    say(error.message);
    return 2;
  }
  if (error instanceof Error && shownWithoutStack.has(error.name)) {
    say(error.message);
    return 1;
  }
  // Loaded here, not at the start: a module that threw one of these is loaded already.
  const { ConfigError } = await import("#machine/config/config");
  const { Failure } = await import("#contract/failure");
  if (error instanceof ConfigError) {
    say("Correct the configuration:");
    error.problems.forEach((problem) => say(`  ${problem}`));
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
