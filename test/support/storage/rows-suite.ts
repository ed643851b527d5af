import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { Owner } from "#machine/storage/rows";
import { aTransferIn } from "../clearing/store/transfer-suite.ts";
import { aVerification } from "../verification/store/verification-suite.ts";
import {
  aTransaction,
  at,
  closeFresh,
  countRows,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
  someBytes,
} from "./suite.ts";

type Place = { readonly id: string; readonly createdAt: Date };

/** The commands of a table that `defineRows` serves. */
type OwnedRows = {
  /** The name in the database. */
  readonly table: string;
  readonly create: (store: Store, of: Owner, place: Place) => Promise<void>;
  readonly find: (store: Store, of: Owner, id: string) => Promise<Place | undefined>;
  readonly list?: (store: Store, of: Owner, limit: number, after?: Place) => Promise<readonly Place[]>;
  readonly remove: (store: Store, tenantId: string, before: Date) => Promise<number>;
};

const signedDocument = {
  bytes: 1,
  sha256: "hash",
  level: "B-LTA",
  blobIds: [],
  revision: 1,
} as const;

const capture = {
  keyId: "key",
  operationId: "operation",
  state: "OPEN",
  revision: 0,
  expiresAt: at(1000),
  blobIds: [],
} as const;

const served: readonly OwnedRows[] = [
  {
    table: "signed_documents",
    create: (store, of, place) =>
      store.recordSignedDocument(
        { ...signedDocument, ...of, ...place },
        [],
        aTransaction(of.tenantId),
        noStep,
      ),
    find: (store, of, id) => store.findSignedDocument(of, id),
    list: (store, of, limit, after) => store.listSignedDocuments(of, limit, after),
    remove: (store, tenantId, before) => store.purgeSignedDocuments(tenantId, before),
  },
  {
    table: "clearing_transfers",
    create: async (store, of, place) => {
      const transfer = await aTransferIn(store, of.tenantId);
      await store.createTransfer({ ...transfer, ...of, ...place }, noStep);
    },
    find: (store, of, id) => store.findTransfer(of, id),
    list: (store, of, limit, after) => store.listTransfers(of, limit, after),
    remove: (store, tenantId, before) => store.eraseTransfers(tenantId, before),
  },
  {
    table: "capture_sessions",
    create: (store, of, place) =>
      store.createCapture(
        { ...capture, ...of, ...place, sealed: someBytes() },
        { hash: randomUUID(), holder: "page" },
        aTransaction(of.tenantId),
        noStep,
      ),
    find: (store, of, id) => store.findCapture(of, id),
    remove: (store, tenantId, before) => store.purgeCaptures(tenantId, before),
  },
  {
    table: "verifications",
    create: (store, { tenantId, environment }, place) =>
      store.createVerification(
        aVerification(tenantId, { environment, ...place }),
        aTransaction(tenantId),
        noStep,
      ),
    find: (store, of, id) => store.findVerification(of, id),
    remove: (store, tenantId, before) => store.eraseVerifications(tenantId, before),
  },
];

/** The guarantees of every store for each table of rows of an owner with an age. */
export const describeRows = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe.each(served)(`rows of $table: ${name}`, ({ table, create, find, list, remove }) => {
    let harness: StoreHarness;
    let store: Store;
    let of: Owner;

    beforeEach(async () => {
      const opened = await openFresh(makeHarness);
      ({ harness, store } = opened);
      of = { tenantId: opened.tenantId, environment: "test" };
    });
    afterEach(() => closeFresh({ harness, store }));

    const createAt = async (ms: number, owner = of): Promise<Place> => {
      const place = { id: randomUUID(), createdAt: at(ms) };
      await create(store, owner, place);
      return place;
    };

    it("are found in their tenant and environment alone", async () => {
      const { id } = await createAt(0);
      const tenantId = await newTenantIn(store);
      expect(await find(store, of, id)).toMatchObject({ id, createdAt: at(0) });
      expect(await find(store, { ...of, environment: "live" }, id)).toBeUndefined();
      expect(await find(store, { ...of, tenantId }, id)).toBeUndefined();
      expect(await find(store, of, randomUUID())).toBeUndefined();
    });

    it.runIf(list !== undefined)("are listed in pages, the newest first, each once", async () => {
      const made: Place[] = [];
      for (const ms of [0, 5, 5, 9]) made.push(await createAt(ms));
      await createAt(7, { ...of, environment: "live" });
      const found: Place[] = [];
      for (let page = await list?.(store, of, 2); page?.length; ) {
        found.push(...page);
        page = await list?.(store, of, 2, page.at(-1));
      }
      const newestFirst = made.toSorted(
        (a, b) => Number(b.createdAt) - Number(a.createdAt) || (a.id < b.id ? 1 : -1),
      );
      expect(found.map(({ id }) => id)).toEqual(newestFirst.map(({ id }) => id));
    });

    it("are removed by age, the oldest first, a hundred at a time, and those of no other tenant", async () => {
      const other = { ...of, tenantId: await newTenantIn(store) };
      await createAt(0, other);
      const kept = await createAt(200);
      for (let ms = 0; ms < 101; ms += 1) await createAt(ms);
      expect(await remove(store, of.tenantId, at(200))).toBe(100);
      expect(await remove(store, of.tenantId, at(200))).toBe(1);
      expect(await remove(store, of.tenantId, at(200))).toBe(0);
      expect(await find(store, of, kept.id)).toBeDefined();
      expect(await countRows(harness, table)).toBe(2);
    });
  });
};
