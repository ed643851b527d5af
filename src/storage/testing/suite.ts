import { randomBytes, randomUUID } from "node:crypto";
import type { Step, Store, TransactionRecord } from "../store.ts";

/** A fresh, empty database of one kind. `open` may be called several times: each is a process of its own to the store. */
export type StoreHarness = {
  readonly open: () => Promise<Store>;
  /** Runs SQL beside the store, to see what it wrote and to break in. */
  readonly query: (statement: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly remove: () => Promise<void>;
};

/** What a test of a suite begins with: a database, a process that has it open, and a tenant. */
export type Opened = { readonly harness: StoreHarness; readonly store: Store; readonly tenantId: string };

export const openFresh = async (makeHarness: () => Promise<StoreHarness>): Promise<Opened> => {
  const harness = await makeHarness();
  const store = await harness.open();
  return { harness, store, tenantId: await newTenantIn(store) };
};

export const closeFresh = async ({ harness, store }: Omit<Opened, "tenantId">): Promise<void> => {
  await store.close();
  await harness.remove();
};

/** Milliseconds after the suites' own beginning of time. */
export const at = (ms: number): Date => new Date(1_790_000_000_123 + ms);

export const noStep: Step = { events: [], evidence: [] };

/** Something sealed, as far as a store can tell. */
export const someBytes = (): Uint8Array => new Uint8Array(randomBytes(40));

export const newTenantIn = async (store: Store): Promise<string> => {
  const id = randomUUID();
  await store.createTenant({ id, name: `Caja Ñandú ${id}`, createdAt: at(0) });
  return id;
};

export const countRows = async (harness: StoreHarness, table: string): Promise<number> =>
  Number((await harness.query(`select count(*) as n from ${table}`))[0]?.["n"]);

/** A call with every kind of value that a column of JSON must give back. */
export const aTransaction = (
  tenantId: string,
  change: Partial<TransactionRecord> = {},
): TransactionRecord => ({
  id: randomUUID(),
  tenantId,
  keyId: randomUUID(),
  world: "test",
  endpoint: "identity",
  at: at(5),
  result: { code: 3, log: "[identity] ok\u0000", nested: [1.5, null, true] },
  measurements: { similarity: 0.992_142_32, tiny: 5e-324, huge: 1.797e308 },
  policyVersion: "2026-11",
  models: { face: "ab".repeat(32) },
  tokenHashes: ["cd".repeat(32), "00".repeat(32)],
  ...change,
});
