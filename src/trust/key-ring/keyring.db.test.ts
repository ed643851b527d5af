import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore, type Store } from "#app/store";
import type { KeyRow } from "./key-store.ts";
import { destroyTenantKeys, type Masters, makeKeyring, rotateMaster } from "./keyring.ts";
import { masterKeyOf } from "./master-key.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const damaged = { code: "stored_damaged" };
const [oldMaster, newMaster] = [masterKeyOf(randomBytes(32)), masterKeyOf(randomBytes(32))];

describe("the keyring", () => {
  let folder: string;
  let path: string;
  let store: Store;
  let tenantId: string;
  const keyringWith = (masters: Masters, now: () => Date = () => new Date()) =>
    makeKeyring({ store, masters, now });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "idem-keyring-"));
    path = join(folder, "idem.sqlite");
    store = await openSqliteStore({ path });
  });
  beforeEach(async () => {
    tenantId = randomUUID();
    await store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  it("opens any bytes that it sealed, and never produces the same ciphertext twice", async () => {
    const keyring = keyringWith([oldMaster]);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), fc.string(), async (plain, context) => {
        const sealed = await keyring.seal(tenantId, "images", plain, context);
        expect(await keyring.open(tenantId, "images", sealed, context)).toStrictEqual(new Uint8Array(plain));
        expect(await keyring.seal(tenantId, "images", plain, context)).not.toStrictEqual(sealed);
      }),
      { numRuns: 50 },
    );
  });

  it("refuses every changed, shortened or lengthened byte string", async () => {
    const keyring = keyringWith([oldMaster]);
    const sealed = await keyring.seal(tenantId, "images", bytes("face"));
    const changes = Array.from(sealed, (byte, at) => sealed.with(at, byte ^ 1));
    const cuts = Array.from(sealed, (_, length) => sealed.slice(0, length));
    for (const wrong of [...changes, ...cuts, new Uint8Array([...sealed, 0])]) {
      await expect(keyring.open(tenantId, "images", wrong)).rejects.toMatchObject(damaged);
    }
  });

  it.each([
    [1, "damaged"],
    [2, "newer"],
    [15, "newer"],
    [16, "damaged"],
  ])("answers bytes of an unknown format %i as %s", async (format, state) => {
    const keyring = keyringWith([oldMaster]);
    const sealed = await keyring.seal(tenantId, "images", bytes("face"));
    const other = sealed.with(0, format).with(40, sealed[40]! ^ 1);
    await expect(keyring.open(tenantId, "images", other)).rejects.toMatchObject({ code: `stored_${state}` });
  });

  it("opens only for the tenant, purpose and context that it sealed for", async () => {
    const keyring = keyringWith([oldMaster]);
    const other = randomUUID();
    await store.createTenant({ id: other, name: other, createdAt: new Date() });
    await keyring.seal(other, "images", bytes("x"));
    const sealed = await keyring.seal(tenantId, "images", bytes("face"), "row 1");
    await expect(keyring.open(other, "images", sealed, "row 1")).rejects.toMatchObject(damaged);
    await expect(keyring.open(tenantId, "secrets", sealed, "row 1")).rejects.toMatchObject(damaged);
    await expect(keyring.open(tenantId, "images", sealed, "row 2")).rejects.toMatchObject(damaged);
    await expect(keyring.open(tenantId, "images", sealed)).rejects.toMatchObject(damaged);
  });

  describe("for a row with an environment", () => {
    const owner = "row 1";
    const [live, test] = [{ owner, environment: "live" } as const, { owner, environment: "test" } as const];

    it.each([
      [live, test],
      [test, live],
    ])("opens what it sealed in that environment alone: $environment", async (own, other) => {
      const keyring = keyringWith([oldMaster]);
      const sealed = await keyring.seal(tenantId, "documents", bytes("approved"), own);
      expect(await keyring.open(tenantId, "documents", sealed, own)).toStrictEqual(bytes("approved"));
      const otherRow = { ...own, owner: "row 2" };
      for (const wrong of [other, otherRow, owner, `${owner} ${own.environment}`, ""]) {
        await expect(keyring.open(tenantId, "documents", sealed, wrong)).rejects.toMatchObject(damaged);
      }
    });

    it("opens in each environment what an earlier release sealed without it, for that owner alone", async () => {
      const keyring = keyringWith([oldMaster]);
      const former = await keyring.seal(tenantId, "documents", bytes("approved"), owner);
      for (const own of [live, test]) {
        expect(await keyring.open(tenantId, "documents", former, own)).toStrictEqual(bytes("approved"));
        const wrong = { ...own, owner: "row 2" };
        await expect(keyring.open(tenantId, "documents", former, wrong)).rejects.toMatchObject(damaged);
        const changed = former.with(40, former[40]! ^ 1);
        await expect(keyring.open(tenantId, "documents", changed, own)).rejects.toMatchObject(damaged);
      }
    });

    it("binds what an earlier release sealed when it is sealed again", async () => {
      const keyring = keyringWith([oldMaster]);
      const former = await keyring.seal(tenantId, "documents", bytes("approved"), owner);
      const plain = await keyring.open(tenantId, "documents", former, test);
      const again = await keyring.seal(tenantId, "documents", plain, test);
      await expect(keyring.open(tenantId, "documents", again, live)).rejects.toMatchObject(damaged);
      expect(await keyring.open(tenantId, "documents", again, test)).toStrictEqual(plain);
    });

    it("reports a later format as newer, and a destroyed key as not found", async () => {
      const keyring = keyringWith([oldMaster]);
      const sealed = await keyring.seal(tenantId, "documents", bytes("approved"), live);
      const newer = { code: "stored_newer" };
      await expect(keyring.open(tenantId, "documents", sealed.with(0, 2), live)).rejects.toMatchObject(newer);
      await destroyTenantKeys(store, tenantId, new Date());
      const gone = keyringWith([oldMaster]).open(tenantId, "documents", sealed, live);
      await expect(gone).rejects.toMatchObject({ code: "not_found" });
    });
  });

  it("derives a pseudonym from the text, its tenant, its purpose and its key", async () => {
    const keyring = keyringWith([oldMaster]);
    const other = randomUUID();
    await store.createTenant({ id: other, name: other, createdAt: new Date() });
    const name = await keyring.pseudonym(tenantId, "templates", "user-1");
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    expect(await keyringWith([oldMaster]).pseudonym(tenantId, "templates", "user-1")).toBe(name);
    expect(await keyring.pseudonym(tenantId, "templates", "user-2")).not.toBe(name);
    expect(await keyring.pseudonym(tenantId, "secrets", "user-1")).not.toBe(name);
    expect(await keyring.pseudonym(other, "templates", "user-1")).not.toBe(name);
    const sealed = await keyring.seal(tenantId, "templates", bytes("x"));
    const key = (await store.findKeys(tenantId)).find(({ purpose }) => purpose === "templates");
    expect(keyring.dataKeyIdOf(sealed)).toBe(key?.id);
    await destroyTenantKeys(store, tenantId, new Date());
    expect(await keyringWith([oldMaster]).pseudonym(tenantId, "templates", "user-1")).not.toBe(name);
  });

  it("gives two processes that see a new tenant at once the same key", async () => {
    const second = await openSqliteStore({ path });
    const keyrings = [store, second, store, second].map((one) =>
      makeKeyring({ store: one, masters: [oldMaster], now: () => new Date() }),
    );
    const sealed = await Promise.all(
      keyrings.map((keyring) => keyring.seal(tenantId, "documents", bytes("d"))),
    );
    for (const one of sealed) {
      expect(await keyrings[0]!.open(tenantId, "documents", one)).toStrictEqual(bytes("d"));
      expect(await keyrings[1]!.open(tenantId, "documents", one)).toStrictEqual(bytes("d"));
    }
    await second.close();
    expect((await store.findKeys(tenantId)).filter((key) => key.purpose === "documents")).toHaveLength(1);
  });

  it("rewraps every key: then the old master opens nothing and the new master everything", async () => {
    const sealed = await keyringWith([oldMaster]).seal(tenantId, "images", bytes("face"));
    await expect(keyringWith([newMaster]).open(tenantId, "images", sealed)).rejects.toMatchObject({
      code: "store_unavailable",
      cause: { name: "MasterKeyMissing", message: expect.stringContaining(oldMaster.id) },
    });
    const both = keyringWith([newMaster, oldMaster]);
    expect(await both.open(tenantId, "images", sealed)).toStrictEqual(bytes("face"));
    expect(await rotateMaster(store, [newMaster, oldMaster])).toBeGreaterThan(0);
    expect(await rotateMaster(store, [newMaster, oldMaster])).toBe(0);
    expect(await keyringWith([newMaster]).open(tenantId, "images", sealed)).toStrictEqual(bytes("face"));
    await expect(keyringWith([oldMaster]).open(tenantId, "images", sealed)).rejects.toMatchObject({
      cause: { message: expect.stringContaining(newMaster.id) },
    });
    await rotateMaster(store, [oldMaster, newMaster]);
  });

  it.each([
    ["meets the keys that another process makes under the old master meanwhile", 2],
    ["fails, with their number, when the other process does not stop", 100],
  ])("%s", async (_, makes) => {
    const otherProcess = keyringWith([oldMaster]);
    await otherProcess.seal(tenantId, "images", bytes("face"));
    let made = 0;
    const busy = {
      ...store,
      listKeys: async () => {
        const rows = await store.listKeys();
        if (made < makes) {
          made += 1;
          const id = randomUUID();
          await store.createTenant({ id, name: id, createdAt: new Date() });
          await otherProcess.seal(id, "images", bytes("face"));
        }
        return rows;
      },
    };
    const isStale = ({ masterId, wrapped }: KeyRow) => wrapped !== null && masterId === oldMaster.id;
    const rotated = rotateMaster(busy, [newMaster, oldMaster]);
    if (makes < 100) {
      expect(await rotated).toBeGreaterThan(makes);
      expect((await store.listKeys()).filter(isStale)).toStrictEqual([]);
    } else {
      await expect(rotated).rejects.toThrow("another master key: 1. ");
    }
    await rotateMaster(store, [oldMaster, newMaster]);
  });

  it.each([
    [1_999, 0],
    [2_000, 1],
    [-1, 1],
  ])("keeps keys in memory: %i ms after they were read it reads them %i times", async (later, reads) => {
    let ms = 1_000_000;
    let read = 0;
    const counting = {
      ...store,
      findKeys: async (id: string) => {
        read += 1;
        return await store.findKeys(id);
      },
    };
    const keyring = makeKeyring({ store: counting, masters: [oldMaster], now: () => new Date(ms) });
    const sealed = await keyring.seal(tenantId, "images", bytes("face"));
    ms += later;
    read = 0;
    expect(await keyring.open(tenantId, "images", sealed)).toStrictEqual(bytes("face"));
    expect(read).toBe(reads);
  });

  it.each([2_000, -5_000])(
    "seals nothing under a key that another process destroyed %i ms ago",
    async (later) => {
      let ms = 1_000_000;
      const otherProcess = keyringWith([oldMaster], () => new Date(ms));
      await otherProcess.seal(tenantId, "documents", bytes("before"));
      await destroyTenantKeys(store, tenantId, new Date(ms));
      ms += later;
      const sealed = await otherProcess.seal(tenantId, "documents", bytes("after"));
      expect(await keyringWith([oldMaster]).open(tenantId, "documents", sealed)).toStrictEqual(
        bytes("after"),
      );
    },
  );

  it("erases one tenant for ever and no other tenant, even in processes with the keys in memory", async () => {
    let ms = 1_000_000;
    const otherProcess = keyringWith([oldMaster], () => new Date(ms));
    const [image, secret] = await Promise.all([
      otherProcess.seal(tenantId, "images", bytes("face")),
      otherProcess.seal(tenantId, "secrets", bytes("secret")),
    ]);
    const wrapped = (await store.findKeys(tenantId)).find((key) => key.purpose === "images")?.wrapped;
    const other = randomUUID();
    await store.createTenant({ id: other, name: other, createdAt: new Date() });
    const spared = await otherProcess.seal(other, "images", bytes("spared"));
    expect(await destroyTenantKeys(store, tenantId, new Date(ms))).toHaveLength(2);
    ms += 2_000;
    await expect(otherProcess.open(tenantId, "images", image)).rejects.toMatchObject({ code: "not_found" });
    await expect(otherProcess.open(tenantId, "secrets", secret)).rejects.toMatchObject({ code: "not_found" });
    expect(await otherProcess.open(other, "images", spared)).toStrictEqual(bytes("spared"));
    expect(await destroyTenantKeys(store, tenantId, new Date(ms))).toStrictEqual([]);
    const again = await otherProcess.seal(tenantId, "images", bytes("new"));
    expect(await otherProcess.open(tenantId, "images", again)).toStrictEqual(bytes("new"));
    // The database and its log no longer hold a byte of the wrapped key.
    for (const file of [path, `${path}-wal`]) {
      expect((await readFile(file)).includes(Buffer.from(wrapped ?? ""))).toBe(false);
    }
  });
});

describe("a master key", () => {
  it("must have 32 bytes", () => {
    expect(() => masterKeyOf(new Uint8Array(31))).toThrow("32 bytes");
  });
});
