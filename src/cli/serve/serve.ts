import { type Role, roles } from "#app/module";
import { roleUrlNote } from "#app/public-url";
import { refusalOf } from "#app/roles";
import type { Idem } from "#app/service";
import { findStoreHolder } from "#app/storage";
import { type Config, readConfig, summariseConfig } from "#machine/config/config";
import { DirectoryInUse, whileHeld } from "#machine/storage/data-directory";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import {
  CommandError,
  opening,
  parseOptions,
  print,
  type Run,
  say,
  suggestion,
  UsageError,
} from "../command.ts";
import { aborted, listenForEnd } from "../kit/end-signals.ts";
import { explainListen } from "../kit/service/listening.ts";
import { prepareDirectory, requireUsable } from "../kit/store/deployment.ts";
import { settleMasterKey } from "../kit/store/development-master-key.ts";
import { makeFirstKey, storeCertificateKey } from "../kit/store/first-key.ts";
import { sayHeld } from "../kit/store/reach-store.ts";
import { requirePort } from "./require-port.ts";

export const runServe: Run = async (args) => {
  const { values } = parseOptions(args, {
    settings: { type: "boolean" },
    role: { type: "string" },
  });
  const role = readRole(values.role);
  if (values.settings === true) {
    const settings = summariseConfig();
    const width = Math.max(...settings.map(([variable]) => variable.length)) + 2;
    for (const [variable, value] of settings) print(`${variable.padEnd(width)}${value}`);
    return 0;
  }
  const settings = readConfig();
  const refusal = refusalOf(role, settings);
  if (refusal !== undefined) throw new CommandError(refusal);
  const unnamed = roleUrlNote(role, settings);
  if (unnamed !== undefined) say(`Warning: ${unnamed}`);
  // Every file that this process creates is for its owner alone.
  process.umask(0o077);
  for (const sentence of settings.weakSecrets) say(`Warning: production refuses this: ${sentence}`);
  const end = listenForEnd();
  const progress = reportStart();
  const ending = aborted(end);
  const opened = open(settings, end, role).finally(progress.end);
  const idem = await Promise.race([opened, ending]);
  if (idem === undefined) {
    say("Ended before it was ready: nothing was accepted yet.");
    // A half-open service is opened and closed again: threads that end while they load abort the process.
    await (await opened)?.stop();
    return 0;
  }
  const { address, firstKey } = await begin(settings, idem);
  welcome(settings, address, firstKey);
  if (role !== undefined)
    say(`Role ${role}: the other work is that of other processes on the same PostgreSQL.`);
  if (role === undefined || role === "api") {
    await adviseFirstKey(idem.store);
    say(`Liveness is ${idem.liveness}`);
    say(`Documentation: ${address}/docs`);
    if (settings.mode !== "production") say(`Demo in a browser: ${address}/demo`);
  }
  say(`Idem is ready at ${address}`);
  await ending;
  say("Draining: running calls finish, new ones are refused.");
  await idem.stop();
  return 0;
};

/**
 * Checks that can refuse a start without creating anything come first, so that a refused start leaves an
 * empty place empty; and before the modules of the service, which take a second. Undefined where the start
 * was ended before it created anything.
 */
const open = async (
  settings: Config,
  end: AbortSignal,
  role: Role | undefined,
): Promise<Idem | undefined> => {
  await requireUsable(settings);
  await requireFree(settings, end);
  if (end.aborted) return undefined;
  await requirePort(settings);
  if (role === "delivery") {
    const { openDeliveryService } = await import("#app/delivery-service");
    await prepareDirectory(settings);
    return await opening(openDeliveryService(settings, settleMasterKey));
  }
  const { openIdem, readIdem } = await import("#app/service");
  const reading = await opening(readIdem(settings));
  if (end.aborted) return undefined;
  await prepareDirectory(settings);
  return await opening(openIdem(settings, reading, settleMasterKey, undefined, role));
};

const readRole = (name: string | undefined): Role | undefined => {
  if (name === undefined) return undefined;
  const role = roles.find((one) => one === name);
  if (role === undefined) {
    throw new UsageError(
      `Unknown role "${name}".${suggestion(name, roles)} Set --role to ${roles.join(", ")}`,
    );
  }
  return role;
};

/**
 * Waits for a short command that has the directory open, and fails where another process owns it for longer:
 * before the models are loaded, which takes its time.
 */
const requireFree = async (config: Config, end: AbortSignal): Promise<void> => {
  if (config.databaseUrl !== undefined) return;
  const check = async (): Promise<void> => {
    const holder = await findStoreHolder(config);
    if (holder !== undefined) throw new DirectoryInUse(config.dataDirectory, holder);
  };
  await whileHeld(check, { ms: config.dataWaitMs, onHeld: sayHeld, signal: end }).catch((error: unknown) => {
    if (end.aborted) return;
    throw error instanceof DirectoryInUse ? new CommandError(error.message, { cause: error }) : error;
  });
};

/** Says that a start goes on: on a busy machine it takes minutes. */
const reportStart = () => {
  const started = performance.now();
  say("Starting: settings, models, store …");
  const timer = setInterval(() => {
    say(`Still starting, after ${Math.round((performance.now() - started) / 1000)} s …`);
  }, progressMs);
  return { end: () => clearInterval(timer) };
};

const progressMs = 10_000;

const welcome = (config: Config, address: string, firstKey: string | undefined): void => {
  if (firstKey !== undefined) {
    say(`Made in ${config.dataDirectory}: master key, token key, a test tenant and its key.`);
    say("The key is shown once (it is also in the file development-key there):");
    say(`  ${firstKey}`);
    say();
    say("Try it. The image is a single pixel, so the right answer is 11, NoneBecauseImagePreprocessError:");
    say(`  ${tryOut(address, firstKey)}`);
    say();
  }
};

/**
 * Production creates no key by itself, and without a key every call is refused: prints advice until a key
 * exists.
 */
const adviseFirstKey = async (store: Pick<TenantCommands, "listTenants" | "listApiKeys">): Promise<void> => {
  for (const tenant of await store.listTenants()) {
    if ((await store.listApiKeys(tenant.id)).length > 0) {
      return;
    }
  }
  say("No API key exists yet: every call is answered 401. Create one with the settings of this service:");
  say("  ./idem keys create --tenant NAME --live --scopes face,document");
};

/** The parts of a service that a start needs last. */
type Startable = Pick<Idem, "stop"> & {
  readonly server: Pick<Idem["server"], "listen">;
  readonly store: TenantCommands;
};

/**
 * Makes the first key, then opens the port: the key works when the first probe is answered. On failure closes
 * the service. The error of a port names the setting and the next step.
 */
export const begin = async (
  { http: { host, port }, ...config }: Pick<Config, "http" | "mode" | "dataDirectory" | "clearing">,
  { server, store, stop }: Startable,
): Promise<{ readonly address: string; readonly firstKey: string | undefined }> => {
  try {
    const firstKey = await makeFirstKey(config, store);
    await storeCertificateKey(config, store);
    const address = await server.listen({ host, port }).catch((error: unknown) => {
      throw new CommandError(explainListen(error, { host, port }), { cause: error });
    });
    return { address, firstKey };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** The smallest PNG: it shows no face, and the answer has the shape of a real one. */
const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A call that works unchanged: in a shell it is answered with HTTP 200 and `None…`. */
const tryOut = (address: string, key: string): string =>
  `curl -s ${address}/services/evaluatePassiveLiveness -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '{"imageBuffer":"${onePixel}"}'`;
