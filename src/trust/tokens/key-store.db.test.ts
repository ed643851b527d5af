import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { openStoreHere } from "#support/app/store-here";
import { holdKeys } from "./held-keys.ts";
import { makeTokenKeyStore, tokenKeysSecret } from "./key-store.ts";
import { createTokenKey, publishKeys, type TokenKeys } from "./keys.ts";
import { makeMasterSealer } from "./master-sealer.ts";
import { makeOpenToken } from "./open.ts";
import { sealToken } from "./seal.ts";

const now = new Date("2026-11-21T12:00:00Z");
const sealer = makeMasterSealer(Buffer.alloc(32, 1), { name: tokenKeysSecret });
let directory = "";
let store: Store;
const openStore = () => openStoreHere({ path: join(directory, "idem.sqlite") });

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "idem-token-keys-"));
  store = await openStore();
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

describe("the token key store", () => {
  it("creates a pair once and finds it again", async () => {
    const first = await makeTokenKeyStore(store, sealer).loadOrCreate(now);
    const second = await makeTokenKeyStore(store, sealer).loadOrCreate(new Date());
    expect(second).toEqual(first);
  });

  it("writes at a start only what it must: the first pair, or what a former master key sealed", async () => {
    await makeTokenKeyStore(store, sealer).loadOrCreate(now);
    const sealed = await store.findSecret(tokenKeysSecret);
    await makeTokenKeyStore(store, sealer).loadOrCreate(now);
    expect(await store.findSecret(tokenKeysSecret)).toEqual(sealed);
    await makeTokenKeyStore(
      store,
      makeMasterSealer(Buffer.alloc(32, 2), { name: tokenKeysSecret, previous: Buffer.alloc(32, 1) }),
    ).loadOrCreate(now);
    expect(await store.findSecret(tokenKeysSecret)).not.toEqual(sealed);
  });

  it("gives the same pair to two processes that start together", async () => {
    const other = await openStore();
    const loads = Array.from({ length: 8 }, (_, n) =>
      makeTokenKeyStore(n % 2 === 0 ? store : other, sealer).loadOrCreate(now),
    );
    const kids = new Set((await Promise.all(loads)).map((keys) => keys.current.kid));
    await other.close();
    expect(kids.size).toBe(1);
  });

  it("writes nothing in plaintext", async () => {
    const keys = await makeTokenKeyStore(store, sealer).loadOrCreate(now);
    for (const file of await readdir(directory)) {
      expect((await readFile(join(directory, file))).includes(keys.current.d)).toBe(false);
    }
  });

  it("loses no pair in two concurrent rotations", async () => {
    const first = await makeTokenKeyStore(store, sealer).loadOrCreate(now);
    const [one, two] = await Promise.all([1, 2].map(() => makeTokenKeyStore(store, sealer).rotate(now)));
    const last = await makeTokenKeyStore(store, sealer).loadOrCreate(now);
    expect([one, two]).toContainEqual(last);
    expect([one?.current, two?.current]).toContainEqual(last.previous);
    expect(last.former).toEqual([first.current]);
  });

  it("keeps the previous pair after a rotation", async () => {
    const keyStore = makeTokenKeyStore(store, sealer);
    const before = await keyStore.loadOrCreate(now);
    const after = await keyStore.rotate(now);
    expect(after.previous).toEqual(before.current);
    expect(await keyStore.loadOrCreate(now)).toEqual(after);
  });

  it("keeps all earlier pairs too, for templates", async () => {
    const keyStore = makeTokenKeyStore(store, sealer);
    const first = await keyStore.loadOrCreate(now);
    const second = await keyStore.rotate(now);
    await keyStore.rotate(now);
    const last = await keyStore.rotate(now);
    expect(last.former).toEqual([second.current, first.current]);
    expect(await keyStore.loadOrCreate(now)).toEqual(last);
    expect(publishKeys(last).keys.map(({ kid }) => kid)).toEqual([last.current.kid, last.previous?.kid]);
  });

  it("lets every process open tokens sealed after a rotation by another process, and reads the store once in two seconds", async () => {
    const keyStore = makeTokenKeyStore(store, sealer);
    let loads = 0;
    const load = (at: Date) => {
      loads += 1;
      return keyStore.loadOrCreate(at);
    };
    const held = await holdKeys(load, now);
    const [tokenBytesMax, aheadMsMax] = [10_000, 0];
    const images = { "best-image": 600_000, "face-image": 1, "document-image": 1 };
    const ageMsMax = { ...images, template: null, ocr: 1, tracking: 1 };
    const limits = {
      tokenBytesMax,
      aheadMsMax,
      ageMsMax,
      templateWithoutTenant: "accepted",
      openImages: "refused",
    } as const;
    const openToken = await makeOpenToken(held.keys(), limits, held.renew);
    const caller = { tenantId: "tenant", environment: "test" } as const;
    const open = (token: Uint8Array, at: Date) => openToken(token, "best-image", { caller, receivedAt: at });
    const sealTo = async (keys: TokenKeys) => {
      const sealing = {
        keys: publishKeys(keys),
        kind: "best-image",
        payload: Buffer.from("x"),
        now,
      } as const;
      return Buffer.from(await sealToken(sealing), "base64");
    };
    const rotated = await sealTo(await keyStore.rotate(now));
    const opened = await Promise.all([1, 2, 3].map(() => open(rotated, now)));
    expect(opened).toHaveLength(3);
    expect(held.keys()).toEqual(await keyStore.loadOrCreate(now));
    expect(loads).toBe(2);
    const foreign = await sealTo({ current: await createTokenKey(now) });
    for (const ms of [0, 1_999, 2_000, 2_001]) {
      const opening = open(foreign, new Date(now.getTime() + ms));
      await expect(opening).rejects.toMatchObject({ code: "token_unreadable" });
    }
    expect(loads).toBe(3);
  });

  it("refuses a secret that it did not write, and does not change it", async () => {
    const foreign = await sealer.seal(Buffer.from('{"current":{}}'));
    await store.replaceSecret("token-keys", undefined, foreign);
    for (const work of ["loadOrCreate", "rotate"] as const) {
      await expect(makeTokenKeyStore(store, sealer)[work](now)).rejects.toThrow(
        "a newer release wrote them. Start that release again",
      );
    }
    expect(await store.findSecret("token-keys")).toEqual(new Uint8Array(foreign));
  });

  it("follows a rotation of the master key, after which the former master key is not needed", async () => {
    const former = Buffer.alloc(32, 1);
    const next = Buffer.alloc(32, 2);
    const keys = await makeTokenKeyStore(store, sealer).loadOrCreate(now);
    expect(
      await makeTokenKeyStore(
        store,
        makeMasterSealer(next, { name: tokenKeysSecret, previous: former }),
      ).loadOrCreate(now),
    ).toEqual(keys);
    expect(
      await makeTokenKeyStore(store, makeMasterSealer(next, { name: tokenKeysSecret })).loadOrCreate(now),
    ).toEqual(keys);
    const foreign = makeTokenKeyStore(
      store,
      makeMasterSealer(Buffer.alloc(32, 3), { name: tokenKeysSecret }),
    );
    await expect(foreign.loadOrCreate(now)).rejects.toThrow("another master key");
  });
});
