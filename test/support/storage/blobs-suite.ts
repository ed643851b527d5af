import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore, type Store } from "#app/store";
import type { Blobs, Keyring } from "#machine/storage/blobs";
import { type ObjectName, type Objects, objectBytesMax } from "#machine/storage/objects";
import { makeBlobs, sweepBlobs } from "#machine/storage/sealed-blobs";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";

const namesIn = async (objects: Objects, tenantId: string): Promise<readonly ObjectName[]> => {
  const names: ObjectName[] = [];
  for await (const { tenantId: tenant, id } of objects.list()) {
    names.push(...(tenant === tenantId ? [{ tenantId: tenant, id }] : []));
  }
  return names;
};

/** The guarantees of every object store for blobs. */
export const describeBlobs = (name: string, makeObjects: () => Promise<Objects>): void => {
  describe(name, () => {
    let folder: string;
    let store: Store;
    let objects: Objects;
    let blobs: Blobs;
    let keyring: Keyring;
    let tenantId: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "idem-blobs-"));
      store = await openSqliteStore({ path: join(folder, "idem.sqlite") });
      objects = await makeObjects();
      const masters = [masterKeyOf(randomBytes(32))] as const;
      keyring = makeKeyring({ store, masters, now: () => new Date() });
      blobs = makeBlobs(objects, keyring, store);
    });
    beforeEach(async () => {
      tenantId = randomUUID();
      await store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
    });
    afterAll(async () => {
      await store.close();
      await rm(folder, { recursive: true });
    });

    it.each([0, 1, 100_000])("gives back %i bytes as they were put", async (length) => {
      const bytes = new Uint8Array(randomBytes(length));
      const { id, bytes: size } = await blobs.put(tenantId, bytes);
      expect(size).toBe(length);
      expect(await blobs.get(tenantId, id)).toStrictEqual(bytes);
    });

    it("takes a blob of 64 MiB, and none that is larger", async () => {
      const limit = 64 * 1024 * 1024;
      await expect(blobs.put(tenantId, new Uint8Array(limit + 1))).rejects.toThrow(`larger than ${limit}`);
      const { id } = await blobs.put(tenantId, new Uint8Array(limit));
      expect(await blobs.get(tenantId, id)).toHaveLength(limit);
    });

    it("answers a ping, and lists nothing for it", async () => {
      await expect(objects.ping()).resolves.toBeUndefined();
      expect(await namesIn(objects, tenantId)).toStrictEqual([]);
    });

    it("stores no byte of the plain image", async () => {
      const plain = Buffer.from("a face that must not be read on the disk");
      const { id } = await blobs.put(tenantId, plain);
      expect(Buffer.from((await objects.read({ tenantId, id })) ?? []).includes(plain)).toBe(false);
    });

    it("answers not_found for another tenant, an unknown id and a removed object", async () => {
      const other = randomUUID();
      await store.createTenant({ id: other, name: other, createdAt: new Date() });
      const { id } = await blobs.put(tenantId, new Uint8Array([1]));
      const missing = { code: "not_found" };
      await expect(blobs.get(other, id)).rejects.toMatchObject(missing);
      await expect(blobs.get(tenantId, randomUUID())).rejects.toMatchObject(missing);
      await blobs.remove(tenantId, id);
      await expect(blobs.get(tenantId, id)).rejects.toMatchObject(missing);
      await expect(blobs.remove(tenantId, id)).resolves.toBeUndefined();
      await expect(blobs.remove(tenantId, randomUUID())).resolves.toBeUndefined();
    });

    it("refuses a changed object and an object under another's name", async () => {
      const put = (): Promise<{ readonly id: string }> => blobs.put(tenantId, new Uint8Array([1, 2, 3]));
      const [one, two] = [await put(), await put()];
      const sealed = (await objects.read({ tenantId, id: one.id })) ?? new Uint8Array();
      await objects.write({ tenantId, id: two.id }, sealed);
      const damaged = { code: "stored_damaged" };
      await expect(blobs.get(tenantId, two.id)).rejects.toMatchObject(damaged);
      await objects.write({ tenantId, id: one.id }, sealed.with(sealed.length - 1, sealed.at(-1)! ^ 1));
      await expect(blobs.get(tenantId, one.id)).rejects.toMatchObject(damaged);
    });

    it.each([
      ["removed", () => undefined],
      ["emptied", () => new Uint8Array()],
      ["cut by one byte", (sealed: Uint8Array) => sealed.subarray(0, -1)],
      ["one byte longer", (sealed: Uint8Array) => new Uint8Array([...sealed, 0])],
      ["changed in one bit", (sealed: Uint8Array) => sealed.with(40, sealed[40]! ^ 1)],
    ])("an object that its row names and that was %s reads as stored_damaged", async (_, change) => {
      const { id } = await putNamed(new Uint8Array([1, 2, 3]));
      const sealed = (await objects.read({ tenantId, id })) ?? new Uint8Array();
      const changed = change(sealed);
      await (changed === undefined
        ? objects.remove({ tenantId, id })
        : objects.write({ tenantId, id }, changed));
      await expect(blobs.get(tenantId, id)).rejects.toMatchObject({ code: "stored_damaged" });
      await objects.write({ tenantId, id }, sealed);
      expect(await blobs.get(tenantId, id)).toStrictEqual(new Uint8Array([1, 2, 3]));
    });

    it("an object that opens, and is not the one that was stored, reads as stored_damaged", async () => {
      const plain = new Uint8Array([1, 2, 3]);
      const { id } = await putNamed(plain);
      // Sealed again for the same name: only the hash of the row tells it from the stored one.
      const again = await keyring.seal(tenantId, "images", plain, `blob ${id}`);
      await objects.write({ tenantId, id }, again);
      await expect(blobs.get(tenantId, id)).rejects.toMatchObject({ code: "stored_damaged" });
    });

    it("an object longer than any may be is not read into memory", async () => {
      const { id } = await putNamed(new Uint8Array([1]));
      await objects.write({ tenantId, id }, new Uint8Array(objectBytesMax + 1));
      await expect(objects.read({ tenantId, id })).rejects.toMatchObject({ code: "stored_damaged" });
      await expect(blobs.get(tenantId, id)).rejects.toMatchObject({ code: "stored_damaged" });
    });

    it.each([
      ["../../etc", randomUUID()],
      ["t", "../passwd"],
      ["", randomUUID()],
      ["t/u", randomUUID()],
      ["t", ""],
    ])("refuses to make a path of tenant %j and id %j", async (tenant, id) => {
      await expect((async () => await objects.read({ tenantId: tenant, id }))()).rejects.toThrow(
        "characters",
      );
      await expect(
        (async () => await objects.write({ tenantId: tenant, id }, new Uint8Array()))(),
      ).rejects.toThrow("characters");
    });

    /** Stores a blob with its row. */
    const putNamed = async (bytes: Uint8Array) => {
      const named = await blobs.put(tenantId, bytes);
      const row = { ...named, tenantId, kind: "front", createdAt: new Date() };
      const validation = {
        id: randomUUID(),
        tenantId,
        environment: "test" as const,
        version: 2 as const,
        createdAt: new Date(),
        sealedInput: new Uint8Array([1]),
        blobIds: [named.id],
      };
      const transaction = {
        id: randomUUID(),
        tenantId,
        keyId: randomUUID(),
        environment: "test" as const,
        endpoint: "start",
        at: new Date(),
        result: null,
        sealedMeasurements: new Uint8Array(),
        policyVersion: "1",
        models: {},
        tokenHashes: [],
      };
      await store.createValidation(validation, [row], transaction, { evidence: [] });
      return named;
    };

    it("sweeps old objects without a row, and nothing else", async () => {
      const named = await putNamed(new Uint8Array([1]));
      const orphan = await blobs.put(tenantId, new Uint8Array([2]));
      await sweepBlobs(objects, store, new Date(Date.now() - 3_600_000));
      expect(await namesIn(objects, tenantId)).toHaveLength(2);
      expect(await sweepBlobs(objects, store, new Date(Date.now() + 3_600_000))).toBeGreaterThan(0);
      expect(await namesIn(objects, tenantId)).toStrictEqual([{ tenantId, id: named.id }]);
      await expect(blobs.get(tenantId, orphan.id)).rejects.toMatchObject({ code: "not_found" });
      expect(await blobs.get(tenantId, named.id)).toStrictEqual(new Uint8Array([1]));
    });

    it("sweeps no object of a tenant unknown to the store", async () => {
      const { id } = await blobs.put(tenantId, new Uint8Array([1]));
      const empty = await openSqliteStore({ path: join(folder, `${randomUUID()}.sqlite`) });
      expect(await sweepBlobs(objects, empty, new Date(Date.now() + 3_600_000))).toBe(0);
      await empty.close();
      expect(await blobs.get(tenantId, id)).toStrictEqual(new Uint8Array([1]));
    });
  });
};
