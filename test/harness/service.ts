import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type ServiceProcess, startService } from "#cli/kit/service/service-process";

export const program = fileURLToPath(new URL("../../src/cli/idem.ts", import.meta.url));

/** The result of a command line run. */
export type Run = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** This process's environment with only the given `IDEM_…` variables. */
export const environmentOf = (variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("IDEM_"));
  return { ...Object.fromEntries(inherited), ...variables };
};

/**
 * Runs `idem` as a process of its own to its end, with only the given `IDEM_…` variables. Slow: see
 * `run-idem.ts`.
 */
export const runProgram = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> =>
  new Promise((resolve) => {
    const options = { env: environmentOf(environment), maxBuffer: 64 * 1024 ** 2 };
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });

/** A service that refuses duplicates is ready only when its galleries are filled. */
export const untilReady = async (url: string): Promise<void> => {
  while (!(await fetch(`${url}/readyz`)).ok) {
    await sleep(50);
  }
};

/** A temporary environment for services: a data directory, every service started on it, and their end. */
export type Harness = {
  readonly directory: string;
  readonly start: (
    environment?: Readonly<Record<string, string>>,
    args?: readonly string[],
  ) => Promise<ServiceProcess>;
  /** Only accepted calls create blob files and the rows that name them. */
  readonly countBlobFiles: () => Promise<number>;
  /** Moves the modification time of every blob file back. */
  readonly ageBlobFiles: (ms: number) => Promise<void>;
  readonly clear: () => Promise<void>;
};

export const makeHarness = async (): Promise<Harness> => {
  const home = await mkdtemp(join(tmpdir(), "idem-test-"));
  const directory = join(home, "data");
  const started: ServiceProcess[] = [];
  const blobFiles = () => listBlobFiles(join(directory, "blobs"));
  return {
    directory,
    start: async (environment = {}, args = []) => {
      // One thread of each kind: each thread loads its modules and networks for itself.
      const threads = { IDEM_WORKERS: "1", IDEM_SIGNING_THREADS: "1" };
      const variables = { IDEM_LOG_LEVEL: "error", ...threads, ...environment };
      const service = await startService(directory, variables, undefined, args);
      started.push(service);
      return service;
    },
    countBlobFiles: async () => (await blobFiles()).length,
    ageBlobFiles: async (ms) => {
      const writtenAt = new Date(Date.now() - ms);
      for (const file of await blobFiles()) {
        await utimes(file, writtenAt, writtenAt);
      }
    },
    clear: async () => {
      for (const service of started) {
        service.kill("SIGKILL");
        await service.ended;
      }
      await rm(home, { recursive: true, force: true });
    },
  };
};

/** The files below a folder of stored objects; none where there is no such folder. */
export const listBlobFiles = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};
