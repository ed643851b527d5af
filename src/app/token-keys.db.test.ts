import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig } from "#machine/config/config";
import { openStoreHere } from "#support/app/store-here";
import { publishKeys } from "#trust/tokens/keys";
import { openTokenKeys, type ReadyConfig } from "./storage.ts";
import type { Store } from "./store.ts";
import { openHeldKeys } from "./token-keys.ts";

let folder: string;
let store: Store;
let embedded: ReadyConfig;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-token-keys-"));
  store = await openStoreHere({ path: join(folder, "idem.sqlite") });
  embedded = { ...readConfig({ IDEM_DATA: folder }), masterKey: new Uint8Array(randomBytes(32)) };
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** The address decides alone that other processes may work on the store. */
const shared = (): ReadyConfig => ({ ...embedded, databaseUrl: "postgres://shared.invalid/idem" });

const clock = (): Date => new Date();

it("a pair that another process of PostgreSQL rotates is in use and published within two seconds", async () => {
  const held = await openHeldKeys(store, shared(), clock);
  const former = held.keys().current;
  const { current } = await openTokenKeys(store, embedded).rotate(clock());
  const started = performance.now();
  await expect.poll(() => held.keys().current.kid, { timeout: 20_000, interval: 20 }).toBe(current.kid);
  // Two seconds, and the time of a busy machine.
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(held.keys().previous?.kid).toBe(former.kid);
  expect(publishKeys(held.keys()).keys[0]?.kid).toBe(current.kid);
  await held.module.close?.();
});

it("an outage of the store leaves the pairs in use, and the next reading after it renews them", async () => {
  let isOut = false;
  const ailing = {
    ...store,
    findSecret: (name: string) => (isOut ? Promise.reject(new Error("out")) : store.findSecret(name)),
  };
  const held = await openHeldKeys(ailing, shared(), clock);
  isOut = true;
  const { current } = await openTokenKeys(store, embedded).rotate(clock());
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(held.keys().current.kid).not.toBe(current.kid);
  isOut = false;
  await expect.poll(() => held.keys().current.kid, { timeout: 20_000 }).toBe(current.kid);
  await held.module.close?.();
});

it("the embedded store's pairs are read again when a command has rotated them, and not otherwise", async () => {
  let reads = 0;
  const counting = {
    ...store,
    findSecret: (name: string) => {
      reads += 1;
      return store.findSecret(name);
    },
  };
  const held = await openHeldKeys(counting, embedded, clock);
  const { current } = await openTokenKeys(store, embedded).rotate(clock());
  const before = reads;
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(reads).toBe(before);
  await held.reload(clock());
  expect(held.keys().current.kid).toBe(current.kid);
});
