import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** One word after `idem`. Progress and prose go to stderr, results to stdout. */
export type Command = {
  readonly summary: string;
  /** The whole help text: usage first, then what it does, then options. */
  readonly help: string;
  /** Words that may follow, each a command of its own. */
  readonly topics?: Readonly<Record<string, () => Promise<Command>>>;
  /** Resolves with the exit code: 0 done, 1 failed. Throws `UsageError` for exit code 2. */
  readonly run: (args: readonly string[]) => Promise<number>;
};

/** Wrong words on the command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something expected went wrong; the message says what to do, and no stack is shown. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** `parseArgs` of node:util, strict, with its complaints as `UsageError`. */
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

/** A line of prose for the person at the terminal. */
export const say = (line = ""): void => {
  process.stderr.write(`${line}\n`);
};

/** A result, for people and pipes. */
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
 * Runs what opens a store or a service. Its errors (a directory in use, a model with another hash, a database that
 * does not answer) are written for the operator: they are told without a stack.
 */
export const opening = async <Opened>(open: Promise<Opened>): Promise<Opened> =>
  await open.catch((cause: unknown) => {
    throw cause instanceof Error ? new CommandError(cause.message, { cause }) : cause;
  });
