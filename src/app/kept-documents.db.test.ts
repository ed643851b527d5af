import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ExtendDocument,
  makeExtendDocuments,
  readDocument,
} from "#features/signing/documents/extend-documents";
import { makeKeepDocument } from "#features/signing/documents/keep-document";
import type { SignedDocumentRow } from "#features/signing/store/signed-document";
import { readConfig } from "#machine/config/config";
import { makeEgress } from "#machine/egress/make-egress";
import { makeTestFile } from "#support/signing/pades/make-test-file";
import { readStructure } from "#support/signing/pades/read-structure";
import { openSignedDocuments } from "./digital-sign.ts";
import { openRights } from "./rights.ts";
import { openSigningOf, type SigningService } from "./signing.ts";
import { eraseTenant, openPlaces, openStorage, openStore, type Storage } from "./storage.ts";

const day = 86_400_000;
/**
 * Longer than the certificates of the embedded time-stamp authority last, so that a document needs its
 * extension.
 */
const keptMs = 36_500 * day;

/** Moves the clock of the kept documents; certificates and time-stamps have the real time. */
let ahead = 0;
const clock = (): Date => new Date(Date.now() + ahead);

const errors: unknown[] = [];
const unused = () => Promise.reject(new Error("No call comes in these tests"));

const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), "idem-kept-"));
  const config = {
    ...readConfig({ IDEM_DATA: folder, IDEM_SIGNING_THREADS: "1", IDEM_SIGNED_DOCUMENT_DAYS: "3650" }),
    masterKey: new Uint8Array(randomBytes(32)),
  };
  await (await openStore(config, { migrate: true })).close();
  const { onEvents: _, ...places } = await openPlaces(config);
  await openRights(places.store, config, new Date());
  const storage: Storage = openStorage({ onEvents: () => undefined, ...places }, config);
  const report = (...line: readonly unknown[]): void => void errors.push(line);
  const now = (): Date => new Date();
  const signing = await openSigningOf({
    config,
    egress: makeEgress(config.egress),
    storage,
    clock: now,
    note: () => undefined,
    report,
  });
  if (signing === undefined) throw new Error("The service signs nothing");
  const module = openSignedDocuments(
    {
      config,
      storage,
      recordCall: unused,
      hashAuthentication: unused,
      trackCall: unused,
      clock,
      report,
    },
    signing,
  );
  const extend = module.tidying?.[0];
  if (extend === undefined) throw new Error("Documents are not extended");
  const close = async (): Promise<void> => {
    await signing.module.close?.();
    await storage.close();
    await rm(folder, { recursive: true });
  };
  /** The storage of another process, which holds no key in memory yet. */
  const reopen = (): Storage => openStorage({ onEvents: () => undefined, ...places }, config);
  return { storage, signing, extend, reopen, close };
};

let opened: Awaited<ReturnType<typeof open>>;
const tenantId = randomUUID();
const owner = { tenantId, environment: "test" } as const;

const keep = async ({ storage, signing }: { storage: Storage; signing: SigningService }): Promise<string> => {
  const { store, blobs } = storage;
  const id = randomUUID();
  const { parts, level, provableUntil } = await signing.signPdf(makeTestFile(), { at: new Date() });
  const sha256 = createHash("sha256").update(Buffer.concat(parts)).digest("hex");
  const signed = { parts, level, sha256, ...(provableUntil && { provableUntil }) };
  const call = {
    caller: { ...owner, keyId: randomUUID() },
    transactionId: id,
    receivedAt: new Date(),
    signal: new AbortController().signal,
  };
  const entry = { endpoint: "digitalSign", result: {}, measurements: {}, policyVersion: "1", evidence: [] };
  const trackCall = () => Promise.resolve(undefined);
  await makeKeepDocument({ store, blobs, trackCall, keptMs, clock })(call, entry, signed);
  return id;
};

const find = async (id: string): Promise<SignedDocumentRow> => {
  const found = await opened.storage.store.findSignedDocument(owner, id);
  if (found === undefined) throw new Error("The document is not kept");
  return found;
};

const timestampsOf = async (row: SignedDocumentRow): Promise<readonly (string | undefined)[]> => {
  const file = Buffer.concat(await readDocument(opened.storage.blobs, row));
  expect(createHash("sha256").update(file).digest("hex")).toBe(row.sha256);
  return (await readStructure(file)).signatures.map(({ type }) => type);
};

beforeAll(async () => {
  opened = await open();
  await opened.storage.sealedStore.createTenant({ id: tenantId, name: "a", createdAt: new Date() });
}, 60_000);

afterAll(async () => await opened.close());

describe("a kept document", () => {
  it("gets a further time-stamp when its extension is due, not before, and keeps its first part as it was", async () => {
    const id = await keep(opened);
    const before = await find(id);
    const { signal } = new AbortController();
    if (before.extendAt === undefined) throw new Error("The document is never extended");
    const first = await opened.storage.blobs.get(tenantId, before.blobIds[0] ?? "");
    ahead = before.extendAt.getTime() - Date.now() - 60_000;
    await opened.extend(signal);
    expect((await find(id)).revision).toBe(1);
    ahead = before.extendAt.getTime() - Date.now() + 1;
    await opened.extend(signal);
    const after = await find(id);
    expect(errors).toStrictEqual([]);
    expect(after.revision).toBe(2);
    expect(after.blobIds.slice(0, -1)).toStrictEqual(before.blobIds);
    expect(await opened.storage.blobs.get(tenantId, after.blobIds[0] ?? "")).toStrictEqual(first);
    expect(await timestampsOf(after)).toStrictEqual(["Sig", "DocTimeStamp", "DocTimeStamp"]);
    ahead = 0;
  });

  const gap = { fieldName: "Signature1", reason: "no answer" };
  it.each([
    [4 * 1024 * 1024, 1, []],
    [4 * 1024 * 1024 + 1, 2, [{ ...gap, mayClose: true }]],
    [9_000_000, 3, [{ ...gap, mayClose: false }]],
  ] as const)(
    "keeps an extension of %d bytes in %d pieces, and reports what it lacks",
    async (bytes, count, gaps) => {
      const id = await keep(opened);
      const before = await find(id);
      ahead = (before.extendAt?.getTime() ?? 0) - Date.now() + 1;
      const appended = new Uint8Array(randomBytes(bytes));
      const { store, blobs } = opened.storage;
      const reported: unknown[] = [];
      const provableUntil = new Date(clock().getTime() + 3650 * day);
      const extendDocument: ExtendDocument = async (file) => {
        const sha256 = createHash("sha256").update(file).update(appended).digest("hex");
        return { appended, sha256, provableUntil, gaps };
      };
      const deps = { store, blobs, extendDocument, keptMs, clock, newId: randomUUID };
      const extend = makeExtendDocuments({
        ...deps,
        onError: (error) => void errors.push(error),
        onGaps: (found) => void reported.push(found),
      });
      await extend(new AbortController().signal);
      const after = await find(id);
      expect(errors).toStrictEqual([]);
      expect(after.blobIds).toHaveLength(before.blobIds.length + count);
      const file = Buffer.concat(await readDocument(blobs, after));
      expect(createHash("sha256").update(file).digest("hex")).toBe(after.sha256);
      expect(after.bytes).toBe(file.length);
      expect(reported).toStrictEqual(gaps.length === 0 ? [] : [gaps]);
      // It comes again while the time-stamp before still holds, where the gap may close.
      const isSoon = (after.extendAt?.getTime() ?? 0) < (before.provableUntil?.getTime() ?? 0);
      expect(isSoon).toBe(gaps.some(({ mayClose }) => mayClose));
      ahead = 0;
    },
  );

  it("is gone after the erasure of its tenant, and no key opens its parts", async () => {
    const id = await keep(opened);
    const { blobIds } = await find(id);
    await eraseTenant(opened.storage.sealedStore, tenantId);
    expect(await opened.storage.store.findSignedDocument(owner, id)).toBeUndefined();
    expect(await opened.storage.store.listSignedDocuments(owner, 10)).toStrictEqual([]);
    await expect(opened.reopen().blobs.get(tenantId, blobIds[0] ?? "")).rejects.toThrow();
  });
});
