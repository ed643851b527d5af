import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { openStoreHere } from "#support/app/store-here";
import { readCertificate } from "#trust/asn1/certificate";
import { makeMasterSealer } from "#trust/tokens/master-sealer";
import { developmentAuthoritySecret, makeDevelopmentKeyStore } from "./key-store.ts";

const now = new Date("2026-11-23T12:00:00Z");
const dayMs = 86_400_000;
const sealer = makeMasterSealer(Buffer.alloc(32, 1), { name: developmentAuthoritySecret });
let directory = "";
let store: Store;
const openStore = () => openStoreHere({ path: join(directory, "idem.sqlite") });

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "idem-development-keys-"));
  store = await openStore();
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

describe("the keys of the development authority", () => {
  it("are made once and are the same after a restart", async () => {
    const first = await makeDevelopmentKeyStore(store, sealer).loadOrCreate(now);
    const second = await makeDevelopmentKeyStore(store, sealer).loadOrCreate(new Date(now.getTime() + dayMs));
    expect(second.signer.certificate).toEqual(first.signer.certificate);
    expect(second.signer.key.equals(first.signer.key)).toBe(true);
  });

  it("are the same for processes that start together", async () => {
    const other = await openStore();
    const loads = Array.from({ length: 6 }, (_, n) =>
      makeDevelopmentKeyStore(n % 2 === 0 ? store : other, sealer).loadOrCreate(now),
    );
    const roots = (await Promise.all(loads)).map(({ root }) => Buffer.from(root.certificate).toString("hex"));
    await other.close();
    expect(new Set(roots).size).toBe(1);
  });

  it("get a new signer under the same root before the old one ends", async () => {
    const keys = makeDevelopmentKeyStore(store, sealer);
    const first = await keys.loadOrCreate(now);
    const end = readCertificate(first.signer.certificate).validTo;
    const before = await keys.loadOrCreate(new Date(end - 181 * dayMs));
    expect(before.signer.certificate).toEqual(first.signer.certificate);
    const renewed = await keys.loadOrCreate(new Date(end - 179 * dayMs));
    expect(renewed.signer.certificate).not.toEqual(first.signer.certificate);
    expect(renewed.root.certificate).toEqual(first.root.certificate);
    expect(readCertificate(renewed.signer.certificate).validTo).toBeGreaterThan(end);
  });

  it("are sealed, and sealed anew after a rotation of the master key", async () => {
    const { signer } = await makeDevelopmentKeyStore(store, sealer).loadOrCreate(now);
    const sealed = await store.findSecret(developmentAuthoritySecret);
    expect(Buffer.from(sealed ?? []).includes(Buffer.from(signer.certificate))).toBe(false);
    const rotated = makeMasterSealer(Buffer.alloc(32, 2), {
      name: developmentAuthoritySecret,
      previous: Buffer.alloc(32, 1),
    });
    await makeDevelopmentKeyStore(store, rotated).reseal();
    const later = makeDevelopmentKeyStore(
      store,
      makeMasterSealer(Buffer.alloc(32, 2), { name: developmentAuthoritySecret }),
    );
    expect((await later.loadOrCreate(now)).signer.certificate).toEqual(signer.certificate);
    await expect(makeDevelopmentKeyStore(store, sealer).loadOrCreate(now)).rejects.toThrow("master key");
  });

  it("are not made by a rotation of the master key", async () => {
    await makeDevelopmentKeyStore(store, sealer).reseal();
    expect(await store.findSecret(developmentAuthoritySecret)).toBeUndefined();
  });

  it("of a newer release are refused", async () => {
    await store.replaceSecret(developmentAuthoritySecret, undefined, await sealer.seal(Buffer.from("{}")));
    await expect(makeDevelopmentKeyStore(store, sealer).loadOrCreate(now)).rejects.toThrow("newer release");
  });
});
