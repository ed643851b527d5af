import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { SignedDocumentRow } from "#features/signing/store/signed-document";
import {
  aStep,
  aTransaction,
  at,
  closeFresh,
  countRows,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
} from "../../storage/suite.ts";

const hourMs = 3_600_000;

/** The guarantees of every store for kept signed documents. */
export const describeSignedDocuments = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`kept signed documents: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    const aBlob = (id: string = randomUUID(), owner = tenantId) => ({
      id,
      tenantId: owner,
      kind: "signed-document",
      bytes: 10,
      createdAt: at(0),
    });
    const keep = async (
      change: Partial<SignedDocumentRow> = {},
      extendAt: Date | null = at(5 * hourMs),
    ): Promise<SignedDocumentRow> => {
      const owner = change.tenantId ?? tenantId;
      const blobs = [aBlob(randomUUID(), owner), aBlob(randomUUID(), owner)];
      const document: SignedDocumentRow = {
        tenantId: owner,
        id: randomUUID(),
        environment: "test",
        createdAt: at(0),
        bytes: 20,
        sha256: "ab".repeat(32),
        level: "B-LTA",
        blobIds: blobs.map(({ id }) => id),
        revision: 1,
        provableUntil: at(10 * hourMs),
        ...(extendAt && { extendAt }),
        ...change,
      };
      await store.recordSignedDocument(document, blobs, aTransaction(owner, { id: document.id }), noStep);
      return document;
    };

    it("are written with the record of their signing and its step, or not at all", async () => {
      const document = await keep();
      expect(await store.findTransaction(tenantId, document.id)).toBeDefined();
      expect(await store.findSignedDocument(document, document.id)).toStrictEqual(document);
      const again = store.recordSignedDocument(
        { ...document, id: randomUUID() },
        [aBlob()],
        aTransaction(tenantId, { id: document.id }),
        aStep("document_signed"),
      );
      await expect(again).rejects.toThrow();
      expect(await countRows(harness, "signed_documents")).toBe(1);
      expect(await countRows(harness, "blobs")).toBe(2);
    });

    it("are found in their tenant and environment alone", async () => {
      const document = await keep();
      const other = await newTenantIn(store);
      expect(
        await store.findSignedDocument({ tenantId: other, environment: "test" }, document.id),
      ).toBeUndefined();
      expect(await store.findSignedDocument({ tenantId, environment: "live" }, document.id)).toBeUndefined();
    });

    it("are listed in pages, the newest first, each once", async () => {
      const times = [3, 1, 2, 2, 5];
      for (const time of times) await keep({ createdAt: at(time) });
      await keep({ environment: "live", createdAt: at(9) });
      const of = { tenantId, environment: "test" } as const;
      const first = await store.listSignedDocuments(of, 3);
      const second = await store.listSignedDocuments(of, 3, first[2]);
      expect(
        [...first, ...second].map(({ createdAt }) => createdAt.getTime() - at(0).getTime()),
      ).toStrictEqual([5, 3, 2, 2, 1]);
      expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(5);
    });

    it("are leased for extension from their time on, by one of many callers, and again after the lease", async () => {
      const document = await keep();
      await keep({}, null);
      const [due, until] = [at(5 * hourMs), at(6 * hourMs)];
      expect(await store.leaseDueDocument(new Date(due.getTime() - 1), until)).toBeUndefined();
      const second = await harness.open();
      const leased = await Promise.all(
        [store, second, store, second].map((one) => one.leaseDueDocument(due, until)),
      );
      await second.close();
      expect(leased.filter((one) => one !== undefined)).toMatchObject([{ id: document.id, extendAt: until }]);
      expect(await store.leaseDueDocument(new Date(until.getTime() - 1), until)).toBeUndefined();
      expect(await store.leaseDueDocument(until, at(7 * hourMs))).toMatchObject({ id: document.id });
    });

    it("are extended once for each version, with the row of the new part", async () => {
      const { id, revision, blobIds } = await keep();
      const part = aBlob();
      const extension = {
        tenantId,
        id,
        revision,
        bytes: 30,
        sha256: "cd".repeat(32),
        blobIds: [...blobIds, part.id],
        at: at(hourMs),
        provableUntil: at(20 * hourMs),
        extendAt: at(15 * hourMs),
      };
      expect(await store.extendSignedDocument(extension, [part], aStep("document_signed"))).toBe(true);
      expect(await store.extendSignedDocument(extension, [aBlob()], aStep("document_signed"))).toBe(false);
      const { at: extendedAt, ...changed } = extension;
      expect(await store.findSignedDocument({ tenantId, environment: "test" }, id)).toMatchObject({
        ...changed,
        extendedAt,
        revision: revision + 1,
      });
      expect(await countRows(harness, "blobs")).toBe(3);
      expect(await countRows(harness, "evidence")).toBe(1);
    });

    it("keep their parts beyond the retention of images, and lose them with their own", async () => {
      const document = await keep();
      const other = await keep({ tenantId: await newTenantIn(store) });
      await store.forgetBlobs(at(100 * hourMs));
      expect(await store.knownBlobIds(tenantId, document.blobIds)).toHaveLength(2);
      expect(await store.purgeSignedDocuments(tenantId, at(0))).toBe(0);
      expect(await store.purgeSignedDocuments(tenantId, at(1))).toBe(1);
      expect(await store.knownBlobIds(tenantId, document.blobIds)).toHaveLength(0);
      expect(await store.findSignedDocument(document, document.id)).toBeUndefined();
      expect(await store.findSignedDocument(other, other.id)).toBeDefined();
    });
  });
};
