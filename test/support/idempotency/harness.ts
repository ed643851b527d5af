import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeRecordingStore, type RecordingStore } from "#app/recording-store";
import type { Store } from "#app/store";
import type { AnswerOnce, KeyedCall, WrittenAnswer } from "#machine/http/options";
import type { Keyring } from "#machine/storage/blobs";
import { type AnswerOnceDeps, makeAnswerOnce } from "#record/idempotency/answer-once";
import type { Claimed } from "#record/idempotency/store/claim";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { openStoreHere } from "../app/store-here.ts";

export const hourMs = 3_600_000;
export const minuteMs = 60_000;

/** Idempotency for one tenant of a store, with a clock that the test moves. */
export type Harness = {
  readonly store: RecordingStore;
  readonly tenantId: string;
  readonly keyring: Keyring;
  readonly clock: { now: Date };
  readonly counted: Claimed["kind"][];
  readonly errors: unknown[];
  readonly answerOnce: AnswerOnce;
  /** Another process with other dependencies. */
  readonly make: (change: Partial<AnswerOnceDeps>) => AnswerOnce;
};

/** An embedded store in a folder of its own. */
export const openStore = async (): Promise<{
  readonly store: Store;
  readonly close: () => Promise<void>;
}> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-idempotency-"));
  const store = await openStoreHere({ path: join(folder, "idem.sqlite") });
  return {
    store,
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};

export const makeHarness = async (sealedStore: Store): Promise<Harness> => {
  const tenantId = randomUUID();
  await sealedStore.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
  const clock = { now: new Date() };
  const now = (): Date => clock.now;
  const masters = [masterKeyOf(new Uint8Array(randomBytes(32)))] as const;
  const keyring = makeKeyring({ store: sealedStore, masters, now });
  const store = makeRecordingStore(sealedStore, keyring);
  const counted: Claimed["kind"][] = [];
  const errors: unknown[] = [];
  const deps: AnswerOnceDeps = {
    store: sealedStore,
    keyring,
    leaseMs: 45_000,
    keptMs: 24 * hourMs,
    referenceKeptMs: 10 * minuteMs,
    tokenKeptMs: 12 * minuteMs,
    clock: now,
    count: (kind) => counted.push(kind),
    onError: (_, error) => errors.push(error),
  };
  const make = (change: Partial<AnswerOnceDeps>): AnswerOnce => makeAnswerOnce({ ...deps, ...change });
  return {
    store,
    tenantId,
    keyring,
    clock,
    counted,
    errors,
    answerOnce: make({}),
    make,
  };
};

/** A call of the tenant under the key `k`; each has a transaction id of its own. */
export const aCall = (
  { tenantId }: Pick<Harness, "tenantId">,
  change: Partial<KeyedCall> = {},
): KeyedCall => ({
  key: { kind: "key", value: "k" },
  caller: { tenantId, keyId: "api key", environment: "test" },
  lineage: "api key",
  route: "identity",
  request: "body 1",
  transactionId: randomUUID(),
  refuse: ({ code }) => ({ status: 422, contentType: "problem", body: code, failure: code }),
  judgeRight: () => Promise.resolve(),
  onReplay: () => undefined,
  ...change,
});

export const written = (body: string): WrittenAnswer => ({ status: 200, contentType: "json", body });
