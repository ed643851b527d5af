import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import type { KeyAdmin } from "#tenants/key-admin";
import type { TenantCommands } from "#tenants/store/tenant-store";
import {
  type AdminRequest,
  isAdminRequest,
  readKey,
  readTenant,
  requestBytesMax,
  writeKey,
  writeTenant,
} from "./messages.ts";

/** The store's commands that the socket serves. */
export type AdminStore = KeyAdmin &
  Pick<TenantCommands, "listTenants" | "createTenant" | "setDefaultCountry">;

export type AdminDeps = {
  readonly store: AdminStore;
  /** The id of the master key that the service has. */
  readonly masterId: string;
  /** Wraps every data key under it. Returns how many were under another. */
  readonly rewrapKeys: () => Promise<number>;
  readonly onError: (error: unknown) => void;
};

/** A request must be complete within this time. */
const requestMsMax = 10_000;
const connectionsMax = 8;

/**
 * Serves the requests of commands on a socket, for the owner of the directory alone. Replaces a socket that a killed process
 * left: the caller holds the lock of the directory. Throws Error where the path is too long for a socket.
 */
export const serveAdminSocket = async (
  path: string,
  deps: AdminDeps,
): Promise<{ readonly close: () => Promise<void> }> => {
  await rm(path, { force: true });
  const server = createServer((socket) => void serve(socket, deps));
  server.maxConnections = connectionsMax;
  server.on("error", deps.onError);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(path, resolve);
  await promise;
  server.off("error", reject);
  // The directory is closed to others, so no other user could connect before.
  await chmod(path, 0o600);
  return {
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
};

const serve = async (socket: Socket, deps: AdminDeps): Promise<void> => {
  // A command that goes away needs no answer.
  socket.on("error", () => socket.destroy());
  socket.setTimeout(requestMsMax, () => socket.destroy());
  const text = await readLine(socket);
  if (text === undefined) {
    socket.destroy();
    return;
  }
  // A new wrapping of all keys takes its time.
  socket.setTimeout(0);
  socket.end(`${JSON.stringify(await answer(text, deps))}\n`);
};

/** The first line; undefined for one that is too long, and where the connection ends before it. */
const readLine = async (socket: Socket): Promise<string | undefined> => {
  const parts: Buffer[] = [];
  let length = 0;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  socket.on("data", (part: Buffer) => {
    parts.push(part);
    length += part.length;
    if (length > requestBytesMax) resolve(undefined);
    else if (part.includes(0x0a)) resolve(Buffer.concat(parts).toString("utf8"));
  });
  socket.once("close", () => resolve(undefined));
  return await promise;
};

type Answer = { readonly answer: unknown } | { readonly refusal: string };

const answer = async (text: string, deps: AdminDeps): Promise<Answer> => {
  const request = parse(text);
  if (request === undefined) {
    return { refusal: "The service does not understand this command: use the command line of its release." };
  }
  try {
    return await run(request, deps);
  } catch (error) {
    deps.onError(error);
    return { refusal: error instanceof Error ? error.message : "The service failed. Its log has the cause." };
  }
};

const parse = (text: string): AdminRequest | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isAdminRequest.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const run = async (request: AdminRequest, { store, masterId, rewrapKeys }: AdminDeps): Promise<Answer> => {
  switch (request.ask) {
    case "listTenants":
      return { answer: (await store.listTenants()).map(writeTenant) };
    case "createTenant":
      return { answer: writeTenant(await store.createTenant(readTenant(request.tenant))) };
    case "setDefaultCountry":
      return { answer: await store.setDefaultCountry(request.tenantId, request.country) };
    case "listApiKeys":
      return { answer: (await store.listApiKeys(request.tenantId)).map(writeKey) };
    case "findApiKey": {
      const found = await store.findApiKey(request.hash);
      return { answer: found === undefined ? null : writeKey(found) };
    }
    case "createApiKey":
      await store.createApiKey(readKey(request.key), request.renews);
      return { answer: null };
    case "revokeApiKey":
      return { answer: await store.revokeApiKey(request.tenantId, request.keyId, new Date(request.at)) };
    case "endApiKey":
      return { answer: await store.endApiKey(request.tenantId, request.keyId, new Date(request.at)) };
    case "rewrapKeys":
      break;
  }
  return request.masterId === masterId
    ? { answer: await rewrapKeys() }
    : {
        refusal: `The service has the master key ${masterId}, and this command ${request.masterId}. Start the service with the new one as IDEM_MASTER_KEY and the former one as IDEM_MASTER_KEY_PREVIOUS first.`,
      };
};
