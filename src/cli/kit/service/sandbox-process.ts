import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { CommandError } from "../../command.ts";

/** A sandbox in its own process. */
export type SandboxProcess = {
  /** The address of each simulator by its name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The settings of a service that uses it. */
  readonly variables: Readonly<Record<string, string>>;
  readonly startMs: number;
  /** Sends SIGTERM and waits for the end. */
  readonly stop: () => Promise<void>;
};

const started = makeCheck(
  Type.Object({
    startMs: Type.Integer(),
    addresses: Type.Record(Type.String(), Type.String()),
    environment: Type.String(),
  }),
);

const program = fileURLToPath(new URL("../../idem.ts", import.meta.url));

/**
 * Starts `idem sandbox` with its files in a folder, and waits until it is ready. An aborted `ending` ends it.
 */
export const startSandboxProcess = async (folder: string, ending: AbortSignal): Promise<SandboxProcess> => {
  const child = spawn(process.execPath, [program, "sandbox", "--json", "--dir", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  ending.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  const ended = once(child, "exit").then(() => child.exitCode);
  const line = await Promise.race([firstLine(child), ended.then(refuse)]);
  const { addresses, environment, startMs } = started.Parse(JSON.parse(line));
  const variables = parseEnv(await readFile(environment, "utf8"));
  return {
    addresses,
    variables: Object.fromEntries(
      Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    startMs,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
};

const refuse = (code: number | null): never => {
  throw new CommandError(`The sandbox ended with code ${code} before it was ready`);
};

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    if (child.stdout !== null) createInterface({ input: child.stdout }).once("line", resolve);
  });
