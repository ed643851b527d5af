import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { CommandError, say } from "../../command.ts";
import { startWithLimits } from "../../start-flags.ts";
import { listenForEnd } from "../end-signals.ts";
import { readDevelopmentKey } from "../store/first-key.ts";

/** A service in its own process, as an operator runs it. */
export type ServiceProcess = {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
  /** From spawning to ready. */
  readonly startMs: number;
  /** Resolves with the exit code (null: ended by a signal) once the process is gone. */
  readonly ended: Promise<number | null>;
  /** Sends SIGTERM and waits for the end. */
  readonly stop: () => Promise<number | null>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** The whole output so far, for error messages. */
  readonly output: () => string;
};

const program = fileURLToPath(new URL("../../idem.ts", import.meta.url));

/**
 * Starts `idem serve` on a data directory and waits until it is ready. `IDEM_…` variables of the caller are
 * not passed on: `environment` holds all settings. An aborted `ending` sends SIGTERM, ready or not.
 */
export const startService = async (
  directory: string,
  environment: Readonly<Record<string, string>> = {},
  ending?: AbortSignal,
  args: readonly string[] = [],
): Promise<ServiceProcess> => {
  const started = performance.now();
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("IDEM_"));
  const variables = {
    ...Object.fromEntries(inherited),
    IDEM_PORT: "0",
    IDEM_DATA: directory,
    ...environment,
  };
  const { flags, environment: env } = startWithLimits(variables);
  const child = spawn(process.execPath, [...flags, program, "serve", ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  ending?.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  const ended = once(child, "exit").then(() => child.exitCode);
  const lines: string[] = [];
  const url = await Promise.race([
    readyAddress(child, lines),
    ended.then((code) => {
      throw new CommandError(`The service ended with code ${code}:\n${lines.join("\n")}`);
    }),
  ]);
  const startMs = performance.now() - started;
  return {
    url,
    apiKey: await readDevelopmentKey(directory),
    pid: child.pid ?? 0,
    startMs,
    ended,
    stop: async () => {
      child.kill("SIGTERM");
      return await ended;
    },
    kill: (signal) => {
      child.kill(signal);
    },
    output: () => lines.join("\n"),
  };
};

/**
 * Gives `use` a service in a fresh temporary directory and removes both afterwards. SIGTERM or SIGINT ends
 * the service; a failure of `use` after that is no error of its own, and the result is 1.
 */
export const withFreshService = async (
  name: string,
  environment: Readonly<Record<string, string>>,
  use: (service: ServiceProcess, directory: string) => Promise<number>,
): Promise<number> => {
  const ending = listenForEnd();
  const directory = await mkdtemp(join(tmpdir(), `idem-${name}-`));
  say(`Starting the service in a fresh directory, ${directory} …`);
  try {
    const service = await startService(directory, environment, ending);
    try {
      return await use(service, directory);
    } finally {
      await service.stop();
    }
  } catch (error) {
    if (!ending.aborted) {
      throw error;
    }
    say("Ended by a signal before the work was done.");
    return 1;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** Resolves with the address in the line that `serve` writes when it is ready; keeps the last lines. */
const readyAddress = (child: ChildProcess, lines: string[]): Promise<string> =>
  new Promise((resolve) => {
    const take = (line: string): void => {
      lines.push(line);
      if (lines.length > 2000) {
        lines.shift();
      }
      const address = /^Idem is ready at (http:\S+)/.exec(line)?.[1];
      if (address !== undefined) {
        resolve(address);
      }
    };
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) {
        createInterface({ input: stream }).on("line", take);
      }
    }
  });
