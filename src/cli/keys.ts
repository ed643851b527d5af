import { randomUUID } from "node:crypto";
import { scopes as allScopes, type Scope } from "#contract/endpoint";
import type { Store, Tenant } from "#storage/store";
import { type Config, readConfig } from "../config.ts";
import { openStore, type ReadyConfig, rewrapKeys } from "../open-storage.ts";
import {
  type Command,
  CommandError,
  opening,
  parseOptions,
  print,
  printTable,
  say,
  UsageError,
} from "./command.ts";
import { createKey, findDeployment, prepareDirectory } from "./first-start.ts";
import { findTenant } from "./tenant.ts";

/** A key that was forgotten must end by itself. */
const daysDefault = 365;

export const keys: Command = {
  summary: "create, list and revoke API keys; rotate the master key",
  help: `Usage: idem keys create --scopes A,B [--tenant NAME] [--name TEXT] [--live] [--days N]
       idem keys list [--tenant NAME]
       idem keys revoke ID [--tenant NAME]
       idem keys rotate

create   makes a key and prints it once on stdout; only its hash is stored. A tenant that does not exist is made.
list     prints the keys of a tenant: id, name, world, scopes, created, last used, expires, state
revoke   ends a key; a running service may still take it for three seconds
rotate   wraps every data key and the token keys under IDEM_MASTER_KEY; until then IDEM_MASTER_KEY_PREVIOUS must hold the former master key

  --tenant   name of the tenant; needed when there are several ("Test tenant" is the first start's)
  --live     an idem_live_ key; otherwise idem_test_
  --scopes   what the key may do, comma-separated, of: ${allScopes.join(", ")}; or all, which is every one of
             them, opening stored pictures (token) included
  --days     days until it expires; default ${daysDefault}

On the embedded store, stop the service first: one process owns the data directory.`,
  run: async (args) => {
    const [verb, ...rest] = args;
    const understand = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (understand === undefined) {
      throw new UsageError(`Say what to do: idem keys ${Object.keys(verbs).join(" | ")}`);
    }
    const { work, prepare = findDeployment } = understand(rest);
    const config = await prepare(readConfig());
    const { store, close } = await opening(openStore(config));
    try {
      return await work(store, config);
    } finally {
      await close();
    }
  },
};

type Work = (store: Store, config: ReadyConfig) => Promise<number>;

type Task = {
  readonly work: Work;
  /** What comes before the store; absent: there must be one already. */
  readonly prepare?: (config: Config) => Promise<ReadyConfig>;
};

/** Understands the words first: a wrong one is told before a store is opened. */
type Verb = (args: readonly string[]) => Task;

const create: Verb = (args) => {
  const { values } = parseOptions(args, {
    tenant: { type: "string" },
    name: { type: "string", default: "unnamed" },
    live: { type: "boolean", default: false },
    scopes: { type: "string" },
    days: { type: "string", default: String(daysDefault) },
  });
  const scopes = parseScopes(values.scopes);
  const expiresAt = parseDays(values.days);
  const work: Work = async (store) => {
    const tenant = await findOrMakeTenant(store, values.tenant);
    const { id, key } = await createKey(store, {
      tenantId: tenant.id,
      name: values.name,
      world: values.live ? "live" : "test",
      scopes,
      expiresAt,
    });
    say(`Key ${id} of tenant "${tenant.name}" for ${scopes.join(", ")}.`);
    say(`It expires on ${expiresAt.toISOString()} and is not shown again:`);
    print(key);
    return 0;
  };
  // With a tenant to be made it may be the first command on a new host; without one it needs a tenant that is there.
  return values.tenant === undefined ? { work } : { work, prepare: prepareDirectory };
};

const list: Verb = (args) => {
  const { values } = parseOptions(args, { tenant: { type: "string" } });
  const work: Work = async (store) => {
    const tenant = await findTenant(store, values.tenant);
    const rows = (await store.listApiKeys(tenant.id)).map((key) => [
      key.id,
      key.name,
      key.world,
      key.scopes.length === allScopes.length ? "all" : key.scopes.join(","),
      key.createdAt.toISOString(),
      key.lastUsedAt?.toISOString() ?? "never",
      key.expiresAt?.toISOString() ?? "never",
      key.revokedAt ? "revoked" : key.expiresAt && key.expiresAt < new Date() ? "expired" : "active",
    ]);
    printTable([["id", "name", "world", "scopes", "created", "last used", "expires", "state"], ...rows]);
    return 0;
  };
  return { work };
};

const revoke: Verb = (args) => {
  const { values, positionals } = parseOptions(args, { tenant: { type: "string" } }, true);
  const id = positionals[0];
  if (id === undefined) {
    throw new UsageError("Say which: idem keys revoke ID");
  }
  const work: Work = async (store) => {
    const tenant = await findTenant(store, values.tenant);
    if (!(await store.revokeApiKey(tenant.id, id, new Date()))) {
      throw new CommandError(`Tenant "${tenant.name}" has no active key ${id}. idem keys list shows them.`);
    }
    say(`Revoked ${id}.`);
    return 0;
  };
  return { work };
};

const rotate: Verb = (args) => {
  parseOptions(args, {});
  return { work: wrapAnew };
};

const wrapAnew: Work = async (store, config) => {
  if (readConfig().masterKey === undefined) {
    throw new CommandError(
      `Nothing was rotated: IDEM_MASTER_KEY is not set, and the master key is the one of development in ${config.dataDirectory}. To change it, set IDEM_MASTER_KEY to a new key (openssl rand -base64 32) and IDEM_MASTER_KEY_PREVIOUS to the text in development-master.key there.`,
    );
  }
  const count = await opening(rewrapKeys(store, config));
  say(
    `${count} data ${count === 1 ? "key was" : "keys were"} wrapped anew; all of them and the token keys are under IDEM_MASTER_KEY.`,
  );
  if (config.masterKeyPrevious !== undefined) {
    say("No service that runs with this IDEM_MASTER_KEY needs IDEM_MASTER_KEY_PREVIOUS any more.");
  }
  return 0;
};

const verbs: Readonly<Record<string, Verb>> = { create, list, revoke, rotate };

const parseScopes = (text: string | undefined): readonly Scope[] => {
  if (text === undefined) {
    throw new UsageError(`Say what the key may do: --scopes ${allScopes.join(",")} (some of them), or all`);
  }
  if (text === "all") {
    return allScopes;
  }
  const wanted = text.split(",").map((scope) => scope.trim());
  const unknown = wanted.filter((scope) => !allScopes.some((known) => known === scope));
  if (unknown.length > 0) {
    throw new UsageError(`Unknown scope "${unknown.join(", ")}". There are: ${allScopes.join(", ")}, or all`);
  }
  return allScopes.filter((scope) => wanted.includes(scope));
};

const parseDays = (text: string): Date => {
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    throw new UsageError("--days takes a whole number from 1 to 99999");
  }
  return new Date(Date.now() + Number(text) * 86_400_000);
};

const findOrMakeTenant = async (store: Store, name: string | undefined): Promise<Tenant> => {
  const isNew = name !== undefined && !(await store.listTenants()).some((tenant) => tenant.name === name);
  if (!isNew) {
    return await findTenant(store, name);
  }
  const tenant = await store.createTenant({ id: randomUUID(), name, createdAt: new Date() });
  say(`Made tenant "${name}".`);
  return tenant;
};
