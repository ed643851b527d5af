import { Readable } from "node:stream";
import { runCommand } from "#cli/run";
import { environmentOf, type Run } from "./service.ts";

/** The variables, streams and the exit code belong to the process, so one command runs at a time. */
let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs `idem` in this process to its end. A process for itself loads some thousand modules again, which takes
 * longer than nearly every command. `runProgram` starts one, for what only a process has: signals, a crash,
 * its memory, its first file.
 */
export const runIdem = (
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = "",
): Promise<Run> => {
  const run = lastRun.then(() => runAlone(words, environment, input));
  lastRun = run;
  return run;
};

const runAlone = async (
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: string,
): Promise<Run> => {
  const restoreVariables = replaceVariables(environment);
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin")!;
  Object.defineProperty(process, "stdin", { value: Readable.from([Buffer.from(input)]), configurable: true });
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  try {
    const code = await runCommand(words);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.restore();
    stderr.restore();
    Object.defineProperty(process, "stdin", stdin);
    restoreVariables();
  }
};

/**
 * No command restarts the process for a larger pool of threads, and one thread of each kind is enough: each
 * loads its modules and networks for itself.
 */
const forTheProcess = { UV_THREADPOOL_SIZE: "4", IDEM_WORKERS: "1", IDEM_SIGNING_THREADS: "1" };

const replaceVariables = (environment: Readonly<Record<string, string>>): (() => void) => {
  const former = { ...process.env };
  const set = (variables: NodeJS.ProcessEnv): void => {
    for (const name of Object.keys(process.env))
      if (!Object.hasOwn(variables, name)) delete process.env[name];
    Object.assign(process.env, variables);
  };
  set(environmentOf({ ...forTheProcess, ...environment }));
  return () => set(former);
};

type Captured = { readonly text: () => string; readonly restore: () => void };

const capture = (stream: NodeJS.WriteStream): Captured => {
  const written: Buffer[] = [];
  const write = stream.write.bind(stream);
  stream.write = (chunk: Uint8Array | string, ...rest: readonly unknown[]): boolean => {
    written.push(typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk));
    const callback = rest.find((one) => typeof one === "function");
    if (callback !== undefined) process.nextTick(callback);
    return true;
  };
  return {
    text: () => Buffer.concat(written).toString(),
    restore: () => {
      stream.write = write;
    },
  };
};
