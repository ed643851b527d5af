import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { namesInWords, nearestNames } from "#machine/config/messages";

/**
 * One command after `idem`. Progress and prose go to stderr, results to stdout.
 *
 * @example
 * ```ts
 * import { type Command, parseOptions } from "#cli/command";
 *
 * export const greet: Command = {
 *   help: "Usage: idem greet [--name NAME]",
 *   run: async (args) => {
 *     const { values } = parseOptions(args, { name: { type: "string", default: "world" } });
 *     process.stdout.write(`Hello ${values.name}\n`);
 *     return 0;
 *   },
 * };
 * ```
 */
export type Command = {
  /** The whole help text: usage, purpose, options. */
  readonly help: string;
  /** The names of its own options; absent where the help alone has them. */
  readonly options?: readonly string[];
  /** Subcommands by name. */
  readonly topics?: Readonly<Record<string, () => Promise<Command>>>;
  /** Resolves with the exit code: 0 done, 1 failed. Throws `UsageError` for exit code 2. */
  readonly run: (args: readonly string[]) => Promise<number>;
  /** The exit code of an expected error or a defect; 1 by default. A check whose answer is 1 has another. */
  readonly failedCode?: number;
};

/** What a command does. Its module is loaded when it runs: `idem keys --help` must load no store. */
export type Run = Command["run"];

/** A command of the overview. */
export type ListedCommand = { readonly summary: string; readonly load: () => Promise<Command> };

/** Wrong usage of the command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An expected failure. The message holds the next step; no stack is shown. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** ` Did you mean …?` for a word near known ones, else nothing. */
export const suggestion = (word: string, known: Iterable<string>): string => {
  const nearest = nearestNames(word, known);
  return nearest.length === 0 ? "" : ` Did you mean ${namesInWords(nearest)}?`;
};

/** Wrong usage of a command that takes an action: none is given, or an unknown one. */
export const wrongAction = (
  command: string,
  given: string | undefined,
  actions: readonly string[],
): UsageError => wrongWord("action", command, given, actions);

/** Wrong usage of a command that takes a subject, as `wrongAction`. */
export const wrongSubject = (
  command: string,
  given: string | undefined,
  subjects: readonly string[],
): UsageError => wrongWord("subject", command, given, subjects);

/** Wrong usage of a command that takes one word of a list: none is given, or an unknown one. */
export const wrongWord = (
  kind: "action" | "subject" | "event" | "shell",
  command: string,
  given: string | undefined,
  known: readonly string[],
): UsageError => {
  const next = `Name ${kind === "subject" || kind === "shell" ? "a" : "an"} ${kind}: idem ${command} ${known.join(" | ")}`;
  const isWord = given !== undefined && !given.startsWith("-");
  return new UsageError(isWord ? `Unknown ${kind} "${given}".${suggestion(given, known)} ${next}` : next);
};

/** Wraps the strict `parseArgs` of node:util and throws its errors as `UsageError`. */
export const parseOptions = <Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  allowPositionals = false,
) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError((isUnknownOption(error) && describeUnknownOption(args, options)) || message);
  }
};

const isUnknownOption = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";

/**
 * The first long option that the command does not have, in a sentence with the nearest one; undefined if
 * there is none.
 */
const describeUnknownOption = (
  args: readonly string[],
  options: ParseArgsOptionsConfig,
): string | undefined => {
  const given = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined);
  const unknown = given
    .filter((word) => word.startsWith("--"))
    .map((word) => word.split("=")[0]!)
    .find((word) => !Object.hasOwn(options, word.slice(2)));
  if (unknown === undefined) return undefined;
  const known = Object.keys(options).map((name) => `--${name}`);
  return `Unknown option ${unknown}.${suggestion(unknown, known)} List the options: --help`;
};

/** Writes a line of prose to stderr. */
export const say = (line = ""): void => {
  process.stderr.write(`${line}\n`);
};

/** Writes a line of the result to stdout, for people and pipes. */
export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** A table with columns as wide as their widest cell. */
export const printTable = (rows: readonly (readonly string[])[]): void => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  for (const row of rows) {
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
};

/** The option of every listing. */
export const jsonOption = { json: { type: "boolean", default: false } } as const;

/**
 * Prints a listing under its names: as a table, or as a JSON array of objects with these names. An empty
 * listing is `[]`, and for a reader the sentence `empty`.
 */
export const printListing = (
  names: readonly string[],
  rows: readonly (readonly string[])[],
  { isJson, empty }: { readonly isJson: boolean; readonly empty?: string },
): void => {
  if (isJson) {
    const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ""])));
    print(JSON.stringify(objects, null, 2));
  } else if (rows.length === 0 && empty !== undefined) {
    say(empty);
  } else {
    printTable([names, ...rows]);
  }
};

/**
 * The reason of an error of opening; of a directory in use with the way out of the command. By name: no
 * module of the store is loaded.
 */
const reasonOf = (error: Error, wayOut: string | undefined): string =>
  error.name === "DirectoryInUse" && "fact" in error && wayOut !== undefined
    ? `${String(error.fact)}: ${wayOut}.`
    : error.message;

/**
 * Awaits the opening of a store or a service. Its errors (directory in use, changed model hash, database that
 * does not answer) are written for the operator, so they appear without a stack. `wayOut` (way-out.ts) is
 * what helps while a process has the embedded store open.
 */
export const opening = async <Opened>(open: Promise<Opened>, wayOut?: string): Promise<Opened> =>
  await open.catch((cause: unknown) => {
    throw cause instanceof Error ? new CommandError(reasonOf(cause, wayOut), { cause }) : cause;
  });
