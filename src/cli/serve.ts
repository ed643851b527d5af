import type { Store } from "#storage/store";
import { type Config, readConfig, summariseConfig } from "../config.ts";
import { type Idem, openIdem, readIdem } from "../main.ts";
import { findStoreHolder, type ReadyConfig } from "../open-storage.ts";
import { type Command, CommandError, opening, parseOptions, say } from "./command.ts";
import { aborted, listenForEnd } from "./end-signals.ts";
import { makeFirstKey, prepareDirectory, requireUsable } from "./first-start.ts";
import { explainListen, tryListen } from "./listening.ts";

export const serve: Command = {
  summary: "run the service until SIGTERM or SIGINT",
  help: `Usage: idem serve [--settings]

Runs the service. The first start in development makes the data directory, a master key, the deployment's token key, a
test tenant and a test key, and prints how to go on. SIGTERM or SIGINT drains: running calls finish, new ones are
refused. A second signal ends at once.

  --settings   print every setting in force (secrets only as "set" or "not set") and end`,
  run: async (args) => {
    const { values } = parseOptions(args, { settings: { type: "boolean" } });
    if (values.settings === true) {
      const settings = summariseConfig();
      const width = Math.max(...settings.map(([variable]) => variable.length)) + 2;
      for (const [variable, value] of settings) say(`${variable.padEnd(width)}${value}`);
      return 0;
    }
    const settings = readConfig();
    const end = listenForEnd();
    const ending = aborted(end);
    const opened = open(settings, end);
    const first = await Promise.race([opened, ending]);
    if (first === undefined) {
      say("Ended before it was ready: nothing was accepted yet.");
      // What is half open is opened and closed again: threads that are cut off while they load abort the process.
      await (await opened)?.idem.stop();
      return 0;
    }
    const { config, idem } = first;
    const address = await listen(idem, config.http);
    const firstKey = await makeFirstKey(config, idem.store);
    welcome(config, address, firstKey);
    await adviseFirstKey(config, idem.store);
    say(`Liveness is ${idem.liveness}`);
    say(`Documentation: ${address}/docs`);
    say(`Idem is ready at ${address}`);
    await ending;
    say("Draining: running calls finish, new ones are refused.");
    await idem.stop();
    return 0;
  },
};

type Opened = { readonly config: ReadyConfig; readonly idem: Idem };

/**
 * What can refuse a start without making anything comes first, so that a start refused by it leaves an empty place empty.
 * Undefined where the start was ended before it made anything.
 */
const open = async (settings: Config, end: AbortSignal): Promise<Opened | undefined> => {
  await requireUsable(settings);
  const reading = await opening(readIdem(settings));
  await requirePort(settings);
  if (end.aborted) return undefined;
  const config = await prepareDirectory(settings);
  return { config, idem: await opening(openIdem(config, reading)) };
};

/** Fails in words where the port cannot be opened. Beside a service of the same directory, its lock tells more. */
const requirePort = async (config: Config): Promise<void> => {
  const refusal = await tryListen(config.http);
  if (refusal !== undefined && (await findStoreHolder(config)) === undefined) {
    throw new CommandError(explainListen(refusal, config.http), { cause: refusal });
  }
};

const welcome = (config: ReadyConfig, address: string, firstKey: string | undefined): void => {
  if (firstKey !== undefined) {
    say(`Made in ${config.dataDirectory}: master key, token key, a test tenant and its key.`);
    say("The key is shown once (it also lies in the file development-key there):");
    say(`  ${firstKey}`);
    say();
    say(
      "Try it. The picture is a single pixel, so that the right answer is 11, NoneBecauseImagePreprocessError:",
    );
    say(`  ${tryOut(address, firstKey)}`);
    say();
  }
};

/** Production makes no key by itself, and without one every call is refused: says so until there is one. */
const adviseFirstKey = async (config: ReadyConfig, store: Store): Promise<void> => {
  for (const tenant of await store.listTenants()) {
    if ((await store.listApiKeys(tenant.id)).length > 0) {
      return;
    }
  }
  say("No API key exists yet: every call is answered 401. Make one with the settings of this service:");
  say("  npm run idem -- keys create --tenant NAME --live --scopes face,document");
  if (config.databaseUrl === undefined) {
    say("Stop the service first: on the embedded store one process owns the data directory.");
  }
};

/** Opens the port; where that fails the service is closed again, and the error says which setting and what to do. */
const listen = async (idem: Idem, { host, port }: ReadyConfig["http"]): Promise<string> => {
  try {
    return await idem.server.listen({ host, port });
  } catch (error) {
    await idem.stop();
    throw new CommandError(explainListen(error, { host, port }), { cause: error });
  }
};

/** The smallest PNG there is: no face is in it, and the answer says so in the shape of a real one. */
const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A call that works as it stands: pasted into a shell, it is answered with HTTP 200 and `None…`. */
const tryOut = (address: string, key: string): string =>
  `curl -s ${address}/services/evaluatePassiveLiveness -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '{"imageBuffer":"${onePixel}"}'`;
