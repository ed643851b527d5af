import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { hashApiKey } from "#contract/api-key";
import { scopes as allScopes } from "#contract/scope";
import { readConfig } from "#machine/config/config";
import { stateOf } from "#trust/tenants/key-admin";
import { type MadeKey, type MakeKeyDeps, makeKey, renewKey } from "#trust/tenants/make-key";
import type { ApiKey, Tenant } from "#trust/tenants/store/tenant";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import { CommandError, print, printListing, say } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { findDeployment, prepareDirectory } from "../kit/store/deployment.ts";
import { masterKeyFile } from "../kit/store/development-master-key.ts";
import { isThere } from "../kit/store/directory.ts";
import { storeKey } from "../kit/store/first-key.ts";
import { findTenant } from "../kit/store/tenant.ts";
import { readImportedKey } from "./imported-key.ts";
import { type KeyPlace, withKeyPlace } from "./key-place.ts";
import type { keys } from "./keys.command.ts";

type Topics = (typeof keys)["topics"];

/** Runs the work on the keys of an existing deployment. */
const onDeployment = async (work: (place: KeyPlace) => Promise<number>): Promise<number> =>
  await withKeyPlace(await findDeployment(readConfig()), work);

const depsOf = (admin: MakeKeyDeps["admin"]): MakeKeyDeps => ({
  admin,
  clock: () => new Date(),
  newId: randomUUID,
});

const environmentOf = (isLive: boolean): ApiKey["environment"] => (isLive ? "live" : "test");

/**
 * A new tenant may need a new data directory: this can be the first command on a host. Without a name, a
 * tenant is required.
 */
export const create: Work<Topics["create"]> = async ({ tenant: name, live, scopes, days, name: keyName }) => {
  const config = readConfig();
  if (name !== undefined) await prepareDirectory(config);
  return await withKeyPlace(name === undefined ? await findDeployment(config) : config, async ({ store }) => {
    const tenant = await findOrMakeTenant(store, name);
    const wanted = { name: keyName, environment: environmentOf(live), scopes, expiresAt: days };
    const { apiKey, key } = await makeKey(depsOf(store), { ...wanted, tenantId: tenant.id });
    say(`Key ${apiKey.id} of tenant "${tenant.name}" for ${scopes.join(", ")}.`);
    say(`It expires on ${days.toISOString()} and is not shown again:`);
    print(key);
    return 0;
  });
};

export const importKey: Work<Topics["import"]> = ({ tenant: name, live, scopes, days, name: keyName }) =>
  onDeployment(async ({ store }) => {
    const tenant = await findTenant(store, name);
    const environment = environmentOf(live);
    const key = await readImportedKey(process.stdin, environment);
    if ((await store.findApiKey(hashApiKey(key))) !== undefined) {
      throw new CommandError("This key is stored already. List the keys of a tenant: idem keys list");
    }
    const wanted = { name: keyName, environment, scopes, expiresAt: days };
    const id = await storeKey(store, key, { ...wanted, tenantId: tenant.id });
    say(`Imported key ${id} of tenant "${tenant.name}" for ${scopes.join(", ")}.`);
    say(`It expires on ${days.toISOString()}.`);
    print(id);
    return 0;
  });

export const list: Work<Topics["list"]> = ({ tenant: name, json }) =>
  onDeployment(async ({ store }) => {
    const tenant = await findTenant(store, name);
    const rows = (await store.listApiKeys(tenant.id)).map(rowOf);
    const names = ["id", "name", "environment", "scopes", "created", "last used", "expires", "state"];
    printListing(names, rows, { isJson: json });
    const forged = rows.filter((row) => row.at(-1) === "forged").length;
    if (forged > 0) {
      say(
        `Forged: ${forged}. Someone added or changed these keys past the service. They open nothing. Find out who wrote to the store (idem rights verify), and end them: idem keys revoke ID`,
      );
    }
    return 0;
  });

type ListedKey = Awaited<ReturnType<KeyPlace["store"]["listApiKeys"]>>[number];

const rowOf = (key: ListedKey): readonly string[] => [
  key.id,
  key.name,
  key.environment,
  key.scopes.length === allScopes.length ? "all" : key.scopes.join(","),
  key.createdAt.toISOString(),
  key.lastUsedAt?.toISOString() ?? "never",
  key.expiresAt?.toISOString() ?? "never",
  key.isForged === true ? "forged" : stateOf(key, new Date()),
];

const noActiveKey = ({ name }: Tenant, id: string): CommandError =>
  new CommandError(`Tenant "${name}" has no active key ${id}. List them: idem keys list`);

export const revoke: Work<Topics["revoke"]> = ({ tenant: name }, id) =>
  onDeployment(async ({ store }) => {
    const tenant = await findTenant(store, name);
    if (!(await store.revokeApiKey(tenant.id, id, new Date()))) throw noActiveKey(tenant, id);
    say(`Revoked ${id}.`);
    return 0;
  });

export const renew: Work<Topics["renew"]> = ({ tenant: name, overlap: overlapMs, days: expiresAt }, id) =>
  onDeployment(async ({ store }) => {
    const tenant = await findTenant(store, name);
    const find = async () => (await store.listApiKeys(tenant.id)).find((key) => key.id === id);
    const former = await find();
    if (former === undefined || stateOf(former, new Date()) !== "active") throw noActiveKey(tenant, id);
    // Printed before the former key ends: a command that is killed here leaves two keys and no caller without
    // one.
    const onMade = ({ apiKey, key }: MadeKey): void => {
      say(`Key ${apiKey.id} in place of ${former.id}, for ${apiKey.scopes.join(", ")}.`);
      say(`It expires on ${apiKey.expiresAt?.toISOString()} and is not shown again:`);
      print(key);
    };
    await renewKey(depsOf(store), { former, expiresAt, overlapMs, onMade });
    say(`The former key ends on ${(await find())?.expiresAt?.toISOString() ?? "its revocation"}.`);
    return 0;
  });

export const rotate: Work<Topics["rotate"]> = () => onDeployment(wrapAnew);

const wrapAnew = async ({ config, rewrapKeys }: KeyPlace): Promise<number> => {
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
