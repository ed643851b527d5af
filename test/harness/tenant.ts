import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { readDevelopmentKey } from "#cli/kit/store/first-key";
import { runIdem } from "./run-idem.ts";
import { listBlobFiles } from "./service.ts";
import { askShared } from "./shared.ts";
import { readRows } from "./store-rows.ts";

/** A tenant of its own in the service of all tests. */
export type Tenant = {
  readonly url: string;
  /** Of the test environment, with all scopes. */
  readonly apiKey: string;
  /** The data directory of the service, for commands beside it. */
  readonly directory: string;
  readonly id: string;
  readonly name: string;
  /** Makes a key of the live environment, with all scopes. */
  readonly makeLiveKey: () => Promise<string>;
  /** Files of the objects of this tenant alone. */
  readonly countBlobFiles: () => Promise<number>;
};

const place = Compile(Type.Object({ url: Type.String(), directory: Type.String() }));

const makeKey = async (directory: string, name: string, ...more: readonly string[]): Promise<string> => {
  const words = ["keys", "create", "--tenant", name, "--name", "First test key", "--scopes", "all", ...more];
  const { code, stdout, stderr } = await runIdem(words, { IDEM_DATA: directory });
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
};

const tenantOf = (url: string, directory: string, name: string, apiKey: string): Tenant => {
  const id = String(readRows(directory, "select id from tenants where name = ?", name)[0]?.["id"]);
  return {
    url,
    apiKey,
    directory,
    id,
    name,
    makeLiveKey: () => makeKey(directory, name, "--live"),
    countBlobFiles: async () => (await listBlobFiles(join(directory, "blobs", id))).length,
  };
};

/** The data directory of the service that all tests share. */
export const findSharedDirectory = async (): Promise<string> =>
  place.Parse(await askShared("/service")).directory;

/**
 * A new tenant of the service that all tests share: its settings are in `shared-service.ts`, and no test
 * stops it.
 */
export const openTenant = async (): Promise<Tenant> => {
  const { url, directory } = place.Parse(await askShared("/service"));
  const name = `Tenant ${randomUUID()}`;
  return tenantOf(url, directory, name, await makeKey(directory, name));
};

/** The tenant of the first start, whose key stands in the data directory. One file alone may use it. */
export const findFirstTenant = async (): Promise<Tenant> => {
  const { url, directory } = place.Parse(await askShared("/service"));
  return tenantOf(url, directory, "Test tenant", await readDevelopmentKey(directory));
};
