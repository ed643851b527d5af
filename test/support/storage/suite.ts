import { randomBytes, randomUUID } from "node:crypto";
import { listSealFaults } from "#app/rights";
import type { Store } from "#app/store";
import type { FoundFault } from "#record/rights/compare-seals";
import type { OperationStep } from "#record/transactions/operation-step";
import type { SealedTransaction, Step } from "#record/transactions/record";

/** A fresh, empty database of one kind. Each call of `open` is a separate process to the store. */
export type StoreHarness = {
  readonly open: () => Promise<Store>;
  /** Runs SQL beside the store, to inspect its data and to tamper with it. */
  readonly query: (statement: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly remove: () => Promise<void>;
};

/** The start of a suite's tests: a database, a process that has it open, and a tenant. */
export type Opened = { readonly harness: StoreHarness; readonly store: Store; readonly tenantId: string };

/** The key of the seals of the suites. */
export const sealKey = new Uint8Array(32).fill(7);

/** The same harness, whose stores hold the key of the seals, as those of a service do. */
export const withSeals = (harness: StoreHarness): StoreHarness => ({
  ...harness,
  open: async () => {
    const store = await harness.open();
    await store.beginRights(sealKey, sealKey, at(0));
    await store.holdRights(sealKey);
    return store;
  },
});

export const openFresh = async (makeHarness: () => Promise<StoreHarness>): Promise<Opened> => {
  const harness = withSeals(await makeHarness());
  const store = await harness.open();
  return { harness, store, tenantId: await newTenantIn(store) };
};

/**
 * Ends a test. Whatever the commands of the test wrote: each row that gives a right has its seal, unless the
 * test tampered.
 */
export const closeFresh = async (
  { harness, store }: Omit<Opened, "tenantId">,
  { isTampered = false } = {},
): Promise<void> => {
  const faults: FoundFault[] = [];
  for await (const fault of listSealFaults(store)) faults.push(fault);
  if (faults.length > 0 && !isTampered) throw new Error(`Rows without their seal: ${JSON.stringify(faults)}`);
  await store.close();
  await harness.remove();
};

/** Milliseconds after a fixed start time of the suites. */
export const at = (ms: number): Date => new Date(1_790_000_000_123 + ms);

export const noStep: Step = { evidence: [] };

/** A step of an operation with one event and one evidence entry, distinguished by the name. */
export const aStep = (name: string): Step => ({
  operation: anOperationStep(name),
  evidence: [
    { id: `${name}-evidence`, kind: "validation", at: at(2), body: { z: [1, null, "ñ\u0000"], a: 0.5 } },
  ],
});

/** The step of a call that opens an operation of this name, with one event beside operation_started. */
export const anOperationStep = (name: string, change: Partial<OperationStep> = {}): OperationStep => ({
  environment: "test",
  operationId: name,
  transactionId: `${name}-call`,
  endpoint: "identity",
  at: at(1),
  opening: {
    started: { id: `${name}-started`, name: "operation_started", sealedData: someBytes() },
    expiresAt: at(1000),
  },
  events: [{ id: `${name}-event`, name: "selfie_captured", sealedData: someBytes() }],
  assets: [],
  ...change,
});

/** Sealed bytes, as far as a store can see. */
export const someBytes = (): Uint8Array => new Uint8Array(randomBytes(40));

export const newTenantIn = async (store: Store): Promise<string> => {
  const id = randomUUID();
  await store.createTenant({ id, name: `Caja Ñandú ${id}`, createdAt: at(0) });
  return id;
};

export const countRows = async (harness: StoreHarness, table: string): Promise<number> =>
  Number((await harness.query(`select count(*) as n from ${table}`))[0]?.["n"]);

/** A call with every kind of value that a JSON column must return. */
export const aTransaction = (
  tenantId: string,
  change: Partial<SealedTransaction> = {},
): SealedTransaction => ({
  id: randomUUID(),
  tenantId,
  keyId: randomUUID(),
  environment: "test",
  endpoint: "identity",
  at: at(5),
  result: { code: 3, log: "[identity] ok\u0000", nested: [1.5, null, true] },
  sealedMeasurements: someBytes(),
  policyVersion: "2026-11",
  models: { face: "ab".repeat(32) },
  tokenHashes: ["cd".repeat(32), "00".repeat(32)],
  ...change,
});
