import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { Failure } from "#contract/failure";
import type { Keyring } from "#machine/storage/blobs";
import { type ObjectName, type Objects, objectBytesMax } from "#machine/storage/objects";
import { makeScrub, roundEveryMs, type ScrubDeps, scrubStep } from "#machine/storage/scrub";
import { contextOf, makeBlobs } from "#machine/storage/sealed-blobs";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { closeFresh, openFresh, type StoreHarness } from "./suite.ts";

/** Objects in memory: the scrub reads them, and a test damages them. */
const makeObjects = () => {
  const held = new Map<string, Uint8Array>();
  const keyOf = ({ tenantId, id }: ObjectName): string => `${tenantId}/${id}`;
  const objects: Pick<Objects, "read" | "write" | "remove" | "list"> = {
    read: async (name) => held.get(keyOf(name)),
    list: async function* () {},
    write: async (name, bytes) => void held.set(keyOf(name), bytes),
    remove: async (name) => void held.delete(keyOf(name)),
  };
  return { held, objects, keyOf };
};

/** The guarantees of the scrub over every store. */
export const describeScrub = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`scrub: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;
    let keyring: Keyring;
    let aheadMs: number;
    let places: ReturnType<typeof makeObjects>;
    let seen: string[];
    const clock = (): Date => new Date(Date.now() + aheadMs);

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
      keyring = makeKeyring({ store, masters: [masterKeyOf(new Uint8Array(32).fill(7))], now: clock });
      aheadMs = 0;
      places = makeObjects();
      seen = [];
    });
    afterEach(() => closeFresh({ harness, store }));

    const depsOf = (worker = "one", change: Partial<ScrubDeps> = {}): ScrubDeps => ({
      store,
      objects: places.objects,
      keyring,
      bytesPerSecond: 1_000_000_000,
      worker,
      clock,
      onDamage: ({ id, fault }) => seen.push(`${id} ${fault}`),
      onRound: ({ checked, damaged }) => seen.push(`round ${checked} ${damaged}`),
      onState: () => undefined,
      onError: (error) => {
        throw error;
      },
      ...change,
    });

    /** Stores blobs with their rows, in the order of their ids. */
    const put = async (count: number, { isHashed = true } = {}): Promise<readonly string[]> => {
      const blobs = makeBlobs({ ...places.objects, ping: async () => undefined }, keyring, store);
      const rows = [];
      for (let n = 0; n < count; n++) {
        const { sha256, ...stored } = await blobs.put(tenantId, new Uint8Array([n, 2, 3]));
        rows.push({ ...stored, ...(isHashed && { sha256 }), tenantId, kind: "front", createdAt: clock() });
      }
      const transaction = {
        id: randomUUID(),
        tenantId,
        keyId: "key",
        environment: "test" as const,
        endpoint: "start",
        at: clock(),
        result: null,
        sealedMeasurements: new Uint8Array(),
        policyVersion: "1",
        models: {},
        tokenHashes: [],
      };
      const ids = rows.map(({ id }) => id);
      const validation = {
        id: randomUUID(),
        tenantId,
        environment: "test" as const,
        version: 2 as const,
        createdAt: clock(),
        sealedInput: new Uint8Array([1]),
        blobIds: ids,
      };
      await store.createValidation(validation, rows, transaction, { evidence: [] });
      return ids.toSorted();
    };

    /** Steps until nothing is due. */
    const round = async (deps = depsOf()): Promise<void> => {
      while ((await scrubStep(deps)) !== undefined);
    };

    const change = async (id: string, to: (bytes: Uint8Array) => Uint8Array): Promise<void> => {
      const bytes = (await places.objects.read({ tenantId, id })) ?? new Uint8Array();
      await places.objects.write({ tenantId, id }, to(bytes));
    };

    it("a round names each damaged object once, and the next round forgets what was repaired", async () => {
      const ids = await put(40);
      const original = (await places.objects.read({ tenantId, id: ids[3]! })) ?? new Uint8Array();
      await change(ids[3]!, (bytes) => bytes.with(40, bytes[40]! ^ 4));
      await change(ids[20]!, () => new Uint8Array());
      await places.objects.remove({ tenantId, id: ids[39]! });
      await round();
      expect(seen).toStrictEqual([
        `${ids[3]} changed`,
        `${ids[20]} emptied`,
        `${ids[39]} missing`,
        "round 40 3",
      ]);
      expect(await store.listDamaged(2)).toMatchObject({
        count: 3,
        blobs: [{ id: ids[3] }, { id: ids[20] }],
      });
      expect(await store.readScrub()).toMatchObject({ completed: { checked: 40, damaged: 3 } });

      expect(await scrubStep(depsOf())).toBeUndefined();
      aheadMs = roundEveryMs - 600_000;
      expect(await scrubStep(depsOf())).toBeUndefined();
      aheadMs = roundEveryMs + 1000;
      await change(ids[3]!, () => original);
      await round();
      expect(await store.listDamaged(9)).toMatchObject({ count: 2 });
      expect(await store.readScrub()).toMatchObject({ completed: { checked: 40, damaged: 2 } });
    });

    it("a round goes on after the death of its process where it was, and two processes never read at once", async () => {
      await put(40);
      expect(await scrubStep(depsOf("one"))).toBeGreaterThan(0);
      expect(await store.readScrub()).toMatchObject({ checked: 16 });
      expect(await scrubStep(depsOf("two"))).toBeUndefined();
      aheadMs = 3_700_000;
      expect(await scrubStep(depsOf("two"))).toBeGreaterThan(0);
      expect(await store.readScrub()).toMatchObject({ checked: 32 });
      expect(await scrubStep(depsOf("one"))).toBeUndefined();
      const late = { worker: "one", at: clock(), until: clock(), checked: 9, damaged: [], whole: [] };
      expect(await store.moveScrub(late)).toBe(false);
      await round(depsOf("two"));
      expect(await store.readScrub()).toMatchObject({ checked: 40, completed: { checked: 40, damaged: 0 } });
    });

    it("a row of an earlier release gets the hash of an object that opens, and none of another", async () => {
      const ids = await put(3, { isHashed: false });
      await change(ids[1]!, (bytes) => bytes.with(40, bytes[40]! ^ 1));
      await round();
      const hashes = (await store.listBlobs(undefined, 9)).map(({ sha256 }) => typeof sha256);
      expect(hashes).toStrictEqual(["string", "undefined", "string"]);
      expect(seen).toStrictEqual([`${ids[1]} unopened`, "round 3 1"]);
      // From now on the hash counts, also for an object that opens.
      const again = await keyring.seal(tenantId, "images", new Uint8Array([0, 2, 3]), contextOf(ids[0]!));
      await change(ids[0]!, () => again);
      aheadMs = roundEveryMs + 1000;
      await round();
      expect(seen).toContain(`${ids[0]} changed`);
    });

    it("a blob that is removed while it is read is no damage, and an object that is too long is not read", async () => {
      const ids = await put(2);
      const reading = {
        ...places.objects,
        read: async (of: ObjectName): Promise<Uint8Array | undefined> => {
          if (of.id !== ids[0]) throw new Failure("stored_damaged");
          await harness.query(`delete from validation_blobs where blob_id = '${ids[0]}'`);
          await harness.query(`delete from blobs where id = '${ids[0]}'`);
          return undefined;
        },
      };
      await round(depsOf("one", { objects: reading }));
      expect(seen).toStrictEqual([`${ids[1]} length`, "round 2 1"]);
      expect(objectBytesMax).toBeGreaterThan(64 * 1024 * 1024);
    });

    /** The objects, of which a read of some fails as a disk or bucket does. */
    const failing = (isFailing: (id: string) => boolean, code: string): Pick<Objects, "read" | "list"> => ({
      read: async (of) => {
        if (!isFailing(of.id)) return await places.objects.read(of);
        throw new Failure("store_unavailable", {}, { cause: Object.assign(new Error(code), { code }) });
      },
      list: async function* () {
        yield* [...places.held.keys()].map((key) => {
          const [tenant = "", id = ""] = key.split("/");
          return { tenantId: tenant, id, writtenAt: clock() };
        });
      },
    });

    it.each(["EIO", "EUCLEAN", "EBADMSG", "EISDIR", "EACCES", "InvalidObjectState"])(
      "a round names an object whose read fails with %s, and goes on to its end",
      async (code) => {
        const ids = await put(20);
        await round(depsOf("one", { objects: failing((id) => id === ids[0] || id === ids[17], code) }));
        expect(seen).toStrictEqual([`${ids[0]} unreadable`, `${ids[17]} unreadable`, "round 20 2"]);
        expect(await store.listDamaged(9)).toMatchObject({ count: 2 });
        aheadMs = roundEveryMs + 1000;
        await round();
        expect(await store.listDamaged(9)).toMatchObject({ count: 0 });
      },
    );

    it("the only object is unreadable where the objects can be listed", async () => {
      const [only] = await put(1);
      await round(depsOf("one", { objects: failing(() => true, "EIO") }));
      expect(seen).toStrictEqual([`${only} unreadable`, "round 1 1"]);
    });

    it("an outage of the whole disk or bucket damages no object, and the round goes on after it", async () => {
      await put(20);
      for (const code of ["EIO", "ECONNREFUSED", "ETIMEDOUT"]) {
        const out = depsOf("one", { objects: failing(() => true, code) });
        await expect(scrubStep(out)).rejects.toMatchObject({ code: "store_unavailable" });
      }
      expect(await store.readScrub()).toMatchObject({ checked: 0, damaged: 0 });
      await round();
      expect(seen).toStrictEqual(["round 20 0"]);
    });

    it("an object that is read at the second look is whole", async () => {
      const ids = await put(3);
      let tries = 0;
      await round(depsOf("one", { objects: failing((id) => id === ids[1] && tries++ === 0, "ECONNRESET") }));
      expect(seen).toStrictEqual(["round 3 0"]);
    });

    it("the loop reads no faster than it may, and ends when it is stopped", async () => {
      await put(20);
      const errors: unknown[] = [];
      const reads: number[] = [];
      const objects = {
        ...places.objects,
        read: async (of: ObjectName) => {
          reads.push(performance.now());
          return await places.objects.read(of);
        },
      };
      // 16 objects of 48 bytes: the next step waits for 768 ms at 1,000 bytes a second.
      const loop = makeScrub(
        depsOf("one", { objects, bytesPerSecond: 1000, onError: (error) => errors.push(error) }),
      );
      loop.start();
      while (reads.length < 20) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(reads[16]! - reads[15]!).toBeGreaterThan(700);
      await loop.stop();
      expect(errors).toStrictEqual([]);
      const off = makeScrub(depsOf("one", { objects, bytesPerSecond: 0 }));
      off.start();
      await off.stop();
      expect(reads).toHaveLength(20);
    });
  });
};
