import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Command, CommandError, parseOptions, print, printTable, say, UsageError } from "../command.ts";
import { aborted, listenForEnd } from "../serve/end-signals.ts";
import { serveBeside } from "./serve-beside.ts";
import { openSandbox, type StartedSandbox } from "./start.ts";

export const sandbox: Command = {
  help: `Usage: idem sandbox [--serve] [--json] [--dir DIR] [--port N]
       idem sandbox persons --country ECU [--count N] [--from N] [--json]
       idem sandbox document --country ECU --index 7 --out DIR [--specimen]

Starts HTTP servers on the loopback address: seven civil registries with 5000 generated persons each, the clearing entity, an OAuth
server, a time-stamp authority, and a receiver of events. Writes registries.yaml and sandbox.env with the settings of a service
into the directory, and stays up until Ctrl-C or SIGTERM. docs/guides/sandbox.md.

  --serve   start the service beside it with these settings, on a data directory of its own in DIR
  --json    one line of JSON on stdout: addresses and files
  --dir     directory of the settings; default a fresh temporary one, removed at the end
  --port    first of eleven ports in a row; default free ones

persons prints generated persons; document writes front and back of a card and a selfie as JPEG. --specimen marks the card as
issuers mark specimens, which a validation answers with reason 508.`,
  topics: {
    persons: async () => (await import("./persons.ts")).persons,
    document: async () => (await import("./document-command.ts")).document,
  },
  run: async (args) => {
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
  },
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
