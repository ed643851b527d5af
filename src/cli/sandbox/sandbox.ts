import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CommandError, parseOptions, print, printTable, type Run, say, UsageError } from "../command.ts";
import { aborted, listenForEnd } from "../kit/end-signals.ts";
import { serveBeside } from "./serve-beside.ts";
import { openSandbox, type StartedSandbox } from "./start.ts";

export const runSandbox: Run = async (args) => {
  const { values } = parseOptions(args, {
    serve: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    dir: { type: "string" },
    port: { type: "string", default: "0" },
  });
  const port = portOf(values.port);
  const ending = listenForEnd();
  const folder =
    values.dir === undefined ? await mkdtemp(join(tmpdir(), "idem-sandbox-")) : resolve(values.dir);
  try {
    const started = await openSandbox(folder, port).catch(explain);
    try {
      show(started, values);
      if (values.serve) return await serveBeside(started, ending);
      await aborted(ending);
      return 0;
    } finally {
      await started.sandbox.close();
    }
  } finally {
    if (values.dir === undefined) await rm(folder, { recursive: true, force: true });
  }
};

/** The last of the ports is ten further. */
const portMax = 65_535 - 10;

const portOf = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > portMax) {
    throw new UsageError(`--port is ${JSON.stringify(text)}. Use a whole number from 0 to ${portMax}.`);
  }
  return Number(text);
};

const explain = (error: unknown): never => {
  if (!(error instanceof Error) || !("code" in error)) throw error;
  throw new CommandError(`The sandbox cannot start (${String(error.code)}): ${error.message}`, {
    cause: error,
  });
};

const show = (
  { sandbox: { simulators }, files, startMs }: StartedSandbox,
  { json, serve }: { readonly json: boolean; readonly serve: boolean },
): void => {
  if (json) {
    const addresses = Object.fromEntries(simulators.map(({ name, url }) => [name, url]));
    print(
      JSON.stringify({
        startMs: Math.round(startMs),
        addresses,
        registries: files.registries,
        environment: files.environment,
      }),
    );
    return;
  }
  printTable(simulators.map(({ name, url }) => [name, url]));
  say();
  say(`Ready after ${startMs.toFixed(0)} ms. Settings: ${files.registries}, ${files.environment}`);
  if (serve) say("The service starts with them …");
  else {
    say("Start a service with them:");
    say(`  node_modules/.bin/node --env-file=${files.environment} src/cli/idem.ts serve`);
  }
  say(
    `Faults: curl -d '{"delayMs":9000,"times":1}' URL/_faults; counts: curl URL/_asked. Ctrl-C ends the sandbox.`,
  );
};
