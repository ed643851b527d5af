import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { version } from "#contract/version";
import { readConfig } from "#machine/config/config";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { publishKeys } from "#trust/tokens/keys";
import { emptyFrame, writeFrame } from "./admin/frames.ts";
import { requestBytesMax, socketName } from "./admin/messages.ts";
import { openAdminSocket } from "./admin.ts";
import { openCredentialAdmin } from "./clearing.ts";
import { reachStore } from "./reach-store.ts";
import {
  eraseTenant,
  openPlaces,
  openStorage,
  openStore,
  openTokenKeys,
  type ReadyConfig,
} from "./storage.ts";
import { openHeldKeys } from "./token-keys.ts";

const clock = (): Date => new Date();
const masterKey = new Uint8Array(randomBytes(32));

let folder: string;
let config: ReadyConfig;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-reach-"));
  config = {
    ...readConfig({ IDEM_DATA: join(folder, "data"), IDEM_DATA_WAIT_MS: "0" }),
    masterKey,
  };
});
afterEach(() => rm(folder, { recursive: true }));

/** What a service opens for its commands, without networks and port. */
const startService = async (
  of: ReadyConfig = config,
  whileStarting: () => Promise<void> = async () => undefined,
) => {
  const places = await openPlaces(of);
  await whileStarting();
  const storage = openStorage(places, of);
  const keys = await openHeldKeys(storage.store, of, clock);
  const reported: unknown[] = [];
  const admin = await openAdminSocket({
    config: of,
    storage,
    report: (...line) => reported.push(line),
    reloadTokenKeys: () => keys.reload(clock()),
  });
  const stop = async (): Promise<void> => {
    await admin.close?.();
    await storage.close();
  };
  return { storage, keys, reported, stop };
};

const reach = (of: ReadyConfig = config) => reachStore(of, { onHeld: () => undefined });

const tenantOf = (name: string) => ({ id: randomUUID(), name, createdAt: new Date(1_790_000_000_000) });

describe("the store of a running service, reached by a command", () => {
  it("runs commands with times, bytes and absent values as they are", async () => {
    const service = await startService();
    const { store, close } = await reach();
    const tenant = tenantOf("Bank");
    expect(await store.createTenant(tenant)).toStrictEqual(tenant);
    expect(await service.storage.store.listTenants()).toStrictEqual([tenant]);
    await service.storage.keyring.seal(tenant.id, "images", new Uint8Array([1]));
    expect(await store.findKeys(tenant.id)).toStrictEqual(await service.storage.store.findKeys(tenant.id));
    expect(await store.findSecret("none")).toBe(undefined);
    const bytes = new Uint8Array(randomBytes(5_000));
    expect(await store.replaceSecret("own", undefined, bytes)).toBe(true);
    expect(await store.findSecret("own")).toStrictEqual(bytes);
    await close();
    await service.stop();
  });

  it("throws the failures of the store by their codes", async () => {
    const service = await startService();
    const { store, close } = await reach();
    const tenant = await store.createTenant(tenantOf("Bank"));
    const key = {
      id: randomUUID(),
      tenantId: tenant.id,
      hash: "0".repeat(64),
      name: "key",
      environment: "test",
      scopes: [],
      createdAt: clock(),
    } as const;
    const made = store.createApiKey(key, undefined, { countMax: 0, since: new Date(0) });
    await expect(made).rejects.toThrow(Failure);
    await expect(made).rejects.toMatchObject({ code: "key_limit" });
    await store.createApiKey(key);
    await expect(store.createApiKey(key)).rejects.toThrow(/UNIQUE/i);
    await close();
    await service.stop();
  });

  it("puts a rotated pair of token keys in force before the command has its answer", async () => {
    const service = await startService();
    const { store, close } = await reach();
    const rotated = await openTokenKeys(store, config).rotate(clock());
    expect(service.keys.keys().current.kid).toBe(rotated.current.kid);
    expect(publishKeys(service.keys.keys()).keys.map(({ kid }) => kid)).toContain(rotated.current.kid);
    await close();
    await service.stop();
  });

  it("drops the data keys of an erased tenant before the command has its answer", async () => {
    const service = await startService();
    const { store, close } = await reach();
    const tenant = await store.createTenant(tenantOf("Bank"));
    const { keyring } = service.storage;
    const sealed = await keyring.seal(tenant.id, "images", new Uint8Array([1]));
    await keyring.open(tenant.id, "images", sealed);
    expect(await eraseTenant(store, tenant.id)).toHaveLength(1);
    await expect(keyring.open(tenant.id, "images", sealed)).rejects.toMatchObject({ code: "not_found" });
    const links = await service.storage.store.listLinks(tenant.id, 0);
    expect(links.map(({ kind }) => kind)).toContain("data_key_destroyed");
    await close();
    await service.stop();
  });

  it("takes a request of 8 MB, refuses a longer one, and answers what is stored", async () => {
    const service = await startService();
    const { store, close } = await reach();
    const bytesMax = requestBytesMax - 200;
    expect(await store.replaceSecret("large", undefined, Buffer.alloc(bytesMax, 7))).toBe(true);
    expect((await store.findSecret("large"))?.every((byte) => byte === 7)).toBe(true);
    await expect(store.replaceSecret("larger", undefined, Buffer.alloc(requestBytesMax))).rejects.toThrow(
      `more than ${requestBytesMax}`,
    );
    expect(await store.listTenants()).toEqual([]);
    await close();
    await service.stop();
  });

  it("is refused to a command with another master key, and to one whose current key the service has not", async () => {
    const [other, former] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))];
    const service = await startService({ ...config, masterKeyPrevious: former });
    for (const wrong of [
      { masterKey: other },
      { masterKey: former },
      { masterKey: other, masterKeyPrevious: masterKey },
    ]) {
      await expect(reach({ ...config, ...wrong })).rejects.toThrow(
        `The service has the master key ${masterKeyOf(masterKey).id}, and this command ${masterKeyOf(wrong.masterKey).id}`,
      );
    }
    for (const right of [
      {},
      { masterKeyPrevious: former },
      { masterKey: former, masterKeyPrevious: masterKey },
    ]) {
      await (await reach({ ...config, ...right })).close();
    }
    await service.stop();
  });

  it("ends with the service: a command that waits for an answer then fails with a sentence", async () => {
    const service = await startService();
    const { store } = await reach();
    await store.listTenants();
    await service.stop();
    await expect(store.listTenants()).rejects.toThrow("The service ended, or closed the connection");
  });

  it("ends also beside a command that reads no answer", async () => {
    const service = await startService();
    await service.storage.store.replaceSecret("large", undefined, Buffer.alloc(4 * 1024 * 1024));
    const socket = connect(join(config.dataDirectory, socketName));
    socket.write(greeting());
    await once(socket, "data");
    socket.on("error", () => undefined);
    socket.pause();
    for (let number = 0; number < 40; number += 1) {
      socket.write(frameOf({ number, name: "findSecret", args: ["large"] }));
    }
    await expect.poll(() => socket.writableLength).toBe(0);
    const started = performance.now();
    await service.stop();
    expect(performance.now() - started).toBeLessThan(20_000);
    socket.destroy();
  });

  it("leaves the evidence of a change as a stopped service would", async () => {
    const service = await startService();
    const { store, close } = await reach();
    const { id: tenantId } = await store.createTenant(tenantOf("Bank"));
    const of = { tenantId, environment: "live" } as const;
    await openCredentialAdmin(store).set(of, "entity", "a long password");
    const [found, links] = [
      await service.storage.store.findClearingCredentials(of),
      await service.storage.store.listLinks(tenantId, 0),
    ];
    expect(found).toMatchObject({ user: "entity" });
    expect(links).toMatchObject([
      { kind: "clearing_credentials_set", body: { text: '{"environment":"live","user":"entity"}' } },
    ]);
    await close();
    await service.stop();
  });

  it("completes what a killed command has begun, and goes on for others", async () => {
    const service = await startService();
    const path = join(config.dataDirectory, socketName);
    const socket = connect(path);
    socket.write(greeting());
    await once(socket, "data");
    const tenants = Array.from({ length: 100 }, (_, number) => tenantOf(`Bank ${number}`));
    const frames = tenants.flatMap((tenant, number) =>
      writeFrame({ number, name: "createTenant", args: [tenant] }),
    );
    socket.end(Buffer.concat(frames.slice(0, 20)));
    await once(socket, "close");
    const { store, close } = await reach();
    const names = (await store.listTenants()).map(({ name }) => name);
    expect(names.length).toBeLessThanOrEqual(10);
    await close();
    await service.stop();
  });
});

const frameOf = (value: unknown): Buffer => Buffer.concat(writeFrame(value));

const greeting = (change: object = {}): string =>
  `${JSON.stringify({ open: "store", release: version, masterIds: [masterKeyOf(masterKey).id], ...change })}\n`;

/** What the service sends until it ends the connection. */
const send = async (...texts: readonly (string | Uint8Array)[]): Promise<string> => {
  const socket = connect(join(config.dataDirectory, socketName));
  let answer = "";
  socket.on("data", (part) => {
    answer += part.toString("latin1");
  });
  socket.on("error", () => undefined);
  for (const text of texts) socket.write(text);
  await once(socket, "close");
  return answer;
};

describe("the socket", () => {
  it("refuses a command of another release with both releases", async () => {
    const service = await startService();
    expect(await send(greeting({ release: "9.9.9" }))).toContain(
      `The service runs release ${version}, and this command is of release 9.9.9: use the command line of its release.`,
    );
    await service.stop();
  });

  const lengthOf = (bytes: number): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(bytes);
    return head;
  };

  it.each([
    ["a frame of 8 MiB and a byte", lengthOf(8 * 1024 * 1024 + 1)],
    ["a frame of the largest length", lengthOf(0xffffffff)],
    ["a frame without a value", Buffer.concat([lengthOf(3), Buffer.from("abc")])],
    ["a value that is no request", frameOf("listTenants")],
    ["a request without a number", frameOf({ name: "listTenants", args: [] })],
    ["17 arguments", frameOf({ number: 1, name: "listTenants", args: Array(17).fill(1) })],
    ["a frame after a sign of life", Buffer.concat([emptyFrame(), emptyFrame(), frameOf([])])],
  ])("ends a connection that sends %s, and no other", async (_, frame) => {
    const service = await startService();
    const { store, close } = await reach();
    const welcome = await send(greeting(), frame);
    expect(welcome).toMatch(/^\{"release":"[^\n]*\n$/);
    expect(await store.listTenants()).toEqual([]);
    await close();
    await service.stop();
  });

  it.each(["ping", "close", "isBroken", "constructor", "__proto__", "then", ""])(
    "has no command %j beside those of the store",
    async (name) => {
      const service = await startService();
      const socket = connect(join(config.dataDirectory, socketName));
      socket.write(greeting());
      await once(socket, "data");
      socket.write(frameOf({ number: 4711, name, args: [] }));
      const said = await Promise.race([
        once(socket, "data").then(([part]) => String(part)),
        once(socket, "close").then(() => "closed"),
      ]);
      expect(said).toMatch(name === "" ? /^closed$/ : /The store has no command/);
      socket.destroy();
      await service.stop();
    },
  );

  it("serves eight commands at once; a ninth waits for one of them", async () => {
    const service = await startService();
    const eight = await Promise.all(Array.from({ length: 8 }, () => reach()));
    await expect(reach()).rejects.toThrow("in use by process");
    const ninth = reach({ ...config, dataWaitMs: 60_000 });
    await eight[0]!.close();
    expect(await (await ninth).store.listTenants()).toEqual([]);
    await (await ninth).close();
    await Promise.all(eight.slice(1).map(({ close }) => close()));
    await service.stop();
  });
});

describe("a command", () => {
  it("waits for a service that is starting, and names its process once", async () => {
    const held: string[] = [];
    const reached = Promise.withResolvers<Awaited<ReturnType<typeof reachStore>>>();
    const service = await startService(config, async () => {
      reached.resolve(
        reachStore({ ...config, dataWaitMs: 60_000 }, { onHeld: (holder) => held.push(holder) }),
      );
      await expect.poll(() => held).toEqual([String(process.pid)]);
    });
    const { store, close, masterIds } = await reached.promise;
    expect(masterIds).toHaveLength(1);
    expect(await store.listTenants()).toEqual([]);
    await close();
    await service.stop();
    expect(held).toHaveLength(1);
  });

  it("fails with the process that has the store open where that serves no command in time", async () => {
    const { close } = await openStore(config);
    const started = performance.now();
    await expect(reach({ ...config, dataWaitMs: 300 })).rejects.toThrow(
      `The data directory ${config.dataDirectory} is in use by process ${process.pid}`,
    );
    expect(performance.now() - started).toBeGreaterThanOrEqual(300);
    await close();
  });
});
