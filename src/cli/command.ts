import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** One command after `idem`. Progress and prose go to stderr, results to stdout. */
export type Command = {
  readonly summary: string;
  /** The whole help text: usage, purpose, options. */
  readonly help: string;
  /** Subcommands by name. */
  readonly topics?: Readonly<Record<string, () => Promise<Command>>>;
  /** Resolves with the exit code: 0 done, 1 failed. Throws `UsageError` for exit code 2. */
  readonly run: (args: readonly string[]) => Promise<number>;
};

/** Wrong usage of the command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An expected failure. The message holds the next step; no stack is shown. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Wraps the strict `parseArgs` of node:util and throws its errors as `UsageError`. */
export const parseOptions = <Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  allowPositionals = false,
) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
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

/**
 * Awaits the opening of a store or a service. Its errors (directory in use, changed model hash, database that
 * does not answer) are written for the operator, so they appear without a stack.
 */
export const opening = async <Opened>(open: Promise<Opened>): Promise<Opened> =>
  await open.catch((cause: unknown) => {
    throw cause instanceof Error ? new CommandError(cause.message, { cause }) : cause;
  });
