import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { hashApiKey } from "#contract/api-key";
import { scopes as allScopes, type Scope } from "#contract/scope";
import { type Config, readConfig } from "#machine/config/config";
import { stateOf } from "#trust/tenants/key-admin";
import { keyDaysDefault, type MadeKey, type MakeKeyDeps, makeKey, renewKey } from "#trust/tenants/make-key";
import type { Tenant } from "#trust/tenants/store/tenant";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import {
  CommandError,
  jsonOption,
  parseOptions,
  print,
  printListing,
  type Run,
  say,
  suggestion,
  UsageError,
  wrongAction,
} from "../command.ts";
import { masterKeyFile } from "../serve/development-master-key.ts";
import { isThere } from "../serve/directory.ts";
import { storeKey } from "../serve/first-key.ts";
import { findDeployment, prepareDirectory } from "../serve/first-start.ts";
import { readImportedKey } from "./imported-key.ts";
import { type KeyPlace, withKeyPlace } from "./key-place.ts";
import { findTenant } from "./tenant.ts";

export const runKeys: Run = async (args) => {
  const [verb, ...rest] = args;
  const understand = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (understand === undefined) {
    throw wrongAction("keys", verb, Object.keys(verbs));
  }
  const { work, prepare = findDeployment } = understand(rest);
  return await withKeyPlace(await prepare(readConfig()), work);
};

type Work = (place: KeyPlace) => Promise<number>;

type Task = {
  readonly work: Work;
  /** Runs before the store opens. Default: require an existing deployment. */
  readonly prepare?: (config: Config) => Promise<Config>;
};

/** Parses the arguments before a store is opened, so that a wrong argument fails first. */
type Verb = (args: readonly string[]) => Task;

/** What the options say of a new key. */
const parseNewKey = (args: readonly string[]) => {
  const { values } = parseOptions(args, {
    tenant: { type: "string" },
    name: { type: "string", default: "unnamed" },
    live: { type: "boolean", default: false },
    scopes: { type: "string" },
    days: { type: "string", default: String(keyDaysDefault) },
  });
  const environment = values.live ? ("live" as const) : ("test" as const);
  const scopes = parseScopes(values.scopes);
  const wanted = { name: values.name, environment, scopes, expiresAt: parseDays(values.days) };
  return { tenantName: values.tenant, wanted };
};

/**
 * A new tenant may need a new data directory: this can be the first command on a host. Without one, require a
 * tenant.
 */
const forTenant = (name: string | undefined, work: Work): Task =>
  name === undefined ? { work } : { work, prepare: prepareNew };

const depsOf = (admin: MakeKeyDeps["admin"]): MakeKeyDeps => ({
  admin,
  clock: () => new Date(),
  newId: randomUUID,
});

const create: Verb = (args) => {
  const { tenantName, wanted } = parseNewKey(args);
  return forTenant(tenantName, async ({ store }) => {
    const tenant = await findOrMakeTenant(store, tenantName);
    const { apiKey, key } = await makeKey(depsOf(store), { ...wanted, tenantId: tenant.id });
    say(`Key ${apiKey.id} of tenant "${tenant.name}" for ${wanted.scopes.join(", ")}.`);
    say(`It expires on ${wanted.expiresAt.toISOString()} and is not shown again:`);
    print(key);
    return 0;
  });
};

const importKey: Verb = (args) => {
  const { tenantName, wanted } = parseNewKey(args);
  const work: Work = async ({ store }) => {
    const tenant = await findTenant(store, tenantName);
    const key = await readImportedKey(process.stdin, wanted.environment);
    if ((await store.findApiKey(hashApiKey(key))) !== undefined) {
      throw new CommandError("This key is stored already. List the keys of a tenant: idem keys list");
    }
    const id = await storeKey(store, key, { ...wanted, tenantId: tenant.id });
    say(`Imported key ${id} of tenant "${tenant.name}" for ${wanted.scopes.join(", ")}.`);
    say(`It expires on ${wanted.expiresAt.toISOString()}.`);
    print(id);
    return 0;
  };
  return { work };
};

const prepareNew = async (config: Config): Promise<Config> => {
  await prepareDirectory(config);
  return config;
};

const list: Verb = (args) => {
  const { values } = parseOptions(args, { tenant: { type: "string" }, ...jsonOption });
  const work: Work = async ({ store }) => {
    const tenant = await findTenant(store, values.tenant);
    const rows = (await store.listApiKeys(tenant.id)).map((key) => [
      key.id,
      key.name,
      key.environment,
      key.scopes.length === allScopes.length ? "all" : key.scopes.join(","),
      key.createdAt.toISOString(),
      key.lastUsedAt?.toISOString() ?? "never",
      key.expiresAt?.toISOString() ?? "never",
      key.isForged === true ? "forged" : stateOf(key, new Date()),
    ]);
    const names = ["id", "name", "environment", "scopes", "created", "last used", "expires", "state"];
    printListing(names, rows, { isJson: values.json });
    const forged = rows.filter((row) => row.at(-1) === "forged").length;
    if (forged > 0) {
      say(
        `Forged: ${forged}. Someone added or changed these keys past the service. They open nothing. Find out who wrote to the store (idem rights verify), and end them: idem keys revoke ID`,
      );
    }
    return 0;
  };
  return { work };
};

const revoke: Verb = (args) => {
  const { values, positionals } = parseOptions(args, { tenant: { type: "string" } }, true);
  const id = positionals[0];
  if (id === undefined) {
    throw new UsageError("Name the key: idem keys revoke ID");
  }
  const work: Work = async ({ store }) => {
    const tenant = await findTenant(store, values.tenant);
    if (!(await store.revokeApiKey(tenant.id, id, new Date()))) {
      throw new CommandError(`Tenant "${tenant.name}" has no active key ${id}. List them: idem keys list`);
    }
    say(`Revoked ${id}.`);
    return 0;
  };
  return { work };
};

/** Longest overlap of a renewal, in hours: a year. */
const overlapHoursMax = 8760;

const renew: Verb = (args) => {
  const { values, positionals } = parseOptions(
    args,
    {
      tenant: { type: "string" },
      overlap: { type: "string", default: "24" },
      days: { type: "string" },
    },
    true,
  );
  const id = positionals[0];
  if (id === undefined) {
    throw new UsageError("Name the key: idem keys renew ID");
  }
  const overlapMs = parseOverlap(values.overlap);
  const expiresAt = values.days === undefined ? undefined : parseDays(values.days);
  const work: Work = async ({ store }) => {
    const tenant = await findTenant(store, values.tenant);
    const former = (await store.listApiKeys(tenant.id)).find((key) => key.id === id);
    if (former === undefined || stateOf(former, new Date()) !== "active") {
      throw new CommandError(`Tenant "${tenant.name}" has no active key ${id}. List them: idem keys list`);
    }
    // Printed before the former key ends: a command that is killed here leaves two keys and no caller without one.
    const onMade = ({ apiKey, key }: MadeKey): void => {
      say(`Key ${apiKey.id} in place of ${former.id}, for ${apiKey.scopes.join(", ")}.`);
      say(`It expires on ${apiKey.expiresAt?.toISOString()} and is not shown again:`);
      print(key);
    };
    await renewKey(depsOf(store), { former, expiresAt, overlapMs, onMade });
    const end = (await store.listApiKeys(tenant.id)).find((key) => key.id === id)?.expiresAt;
    say(`The former key ends on ${end?.toISOString() ?? "its revocation"}.`);
    return 0;
  };
  return { work };
};

/** Milliseconds of an overlap, a whole number of thousandths of an hour. Throws UsageError. */
export const parseOverlap = (text: string): number => {
  const hours = Number(text);
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text) || hours > overlapHoursMax) {
    throw new UsageError(`Set --overlap to hours from 0 to ${overlapHoursMax}, such as 24 or 0.5`);
  }
  return Math.round(hours * 1000) * 3_600;
};

const rotate: Verb = (args) => {
  parseOptions(args, {});
  return { work: wrapAnew };
};

const wrapAnew: Work = async ({ config, rewrapKeys }) => {
  if (readConfig().masterKey === undefined) {
    throw new CommandError(
      `Nothing was rotated: IDEM_MASTER_KEY is not set. The master key in use is the development key in ${config.dataDirectory}. To change it, set IDEM_MASTER_KEY to a new key (openssl rand -base64 32) and IDEM_MASTER_KEY_PREVIOUS to the text in development-master.key there.`,
    );
  }
  const count = await rewrapKeys();
  say(
    `${count} data ${count === 1 ? "key was" : "keys were"} wrapped anew; all of them and the token keys are under IDEM_MASTER_KEY.`,
  );
  if (config.masterKeyPrevious !== undefined) {
    say("No service that runs with this IDEM_MASTER_KEY needs IDEM_MASTER_KEY_PREVIOUS any more.");
  }
  const stale = join(config.dataDirectory, masterKeyFile);
  if (await isThere(stale)) {
    say(
      `The key in ${stale} opens nothing any more. Set IDEM_MASTER_KEY for good, and remove that file when no backup needs it.`,
    );
  }
  return 0;
};

const verbs: Readonly<Record<string, Verb>> = { create, import: importKey, list, renew, revoke, rotate };

const parseScopes = (text: string | undefined): readonly Scope[] => {
  if (text === undefined) {
    throw new UsageError(`Name the key's scopes: --scopes ${allScopes.join(",")} (some of these), or all`);
  }
  if (text === "all") {
    return allScopes;
  }
  const wanted = text.split(",").map((scope) => scope.trim());
  const unknown = wanted.filter((scope) => !allScopes.some((known) => known === scope));
  if (unknown.length > 0) {
    const [first = ""] = unknown;
    throw new UsageError(
      `Unknown scope "${unknown.join(", ")}".${suggestion(first, allScopes)} Use: ${allScopes.join(", ")}, or all`,
    );
  }
  return allScopes.filter((scope) => wanted.includes(scope));
};

const parseDays = (text: string): Date => {
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    throw new UsageError("Set --days to a whole number from 1 to 99999");
  }
  return new Date(Date.now() + Number(text) * 86_400_000);
};

const findOrMakeTenant = async (
  store: Pick<TenantCommands, "listTenants" | "createTenant">,
  name: string | undefined,
): Promise<Tenant> => {
  const isNew = name !== undefined && !(await store.listTenants()).some((tenant) => tenant.name === name);
  if (!isNew) {
    return await findTenant(store, name);
  }
  const tenant = await store.createTenant({ id: randomUUID(), name, createdAt: new Date() });
  say(`Created tenant "${name}".`);
  return tenant;
};
