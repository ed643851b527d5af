import { type BlobRow, type BlobTables, insertBlobs } from "#machine/storage/blob-store";
import { defineRows, idsOf } from "#machine/storage/rows";
import type { TablesOf } from "#machine/storage/table";
import type { SealedTransaction, Step, TransactionRecord } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import { insertTransaction, type TransactionTables } from "#record/transactions/store/transaction-store";
import type {
  DocumentExtension,
  DocumentOwner,
  DocumentPlace,
  SignedDocumentRow,
} from "./signed-document.ts";
import { signedDocumentTable } from "./signed-document-table.ts";

export type SignedDocumentTables = TablesOf<readonly [typeof signedDocumentTable]>;

/** Commands for kept signed documents; implemented by {@link makeSignedDocumentCommands}. */
export type SignedDocumentCommands<Recorded = TransactionRecord> = {
  /** Writes the document with the record of its signing and the step, in one commit. */
  readonly recordSignedDocument: (
    document: SignedDocumentRow,
    blobs: readonly BlobRow[],
    record: Recorded,
    step: Step,
  ) => Promise<void>;
  readonly findSignedDocument: (of: DocumentOwner, id: string) => Promise<SignedDocumentRow | undefined>;
  /** Up to `limit` documents, the newest first, after the last one of the page before. */
  readonly listSignedDocuments: (
    of: DocumentOwner,
    limit: number,
    after?: DocumentPlace,
  ) => Promise<readonly SignedDocumentRow[]>;
  /**
   * The document whose extension is due the longest, until `until` for this caller alone: then it is due
   * again. Undefined where none is due.
   */
  readonly leaseDueDocument: (now: Date, until: Date) => Promise<SignedDocumentRow | undefined>;
  /**
   * Writes an extension with the rows of its pieces. False, and nothing written, if the document changed or
   * was removed.
   */
  readonly extendSignedDocument: (
    extension: DocumentExtension,
    blobs: readonly BlobRow[],
    step: Step,
  ) => Promise<boolean>;
  /**
   * Removes up to 100 documents of the tenant that were signed before `before`, the oldest first, with the
   * rows of their parts. Returns how many. The sweep removes the objects.
   */
  readonly purgeSignedDocuments: (tenantId: string, before: Date) => Promise<number>;
};

type DocumentSession = StepSession<SignedDocumentTables & BlobTables & TransactionTables>;
type Row = SignedDocumentTables["signedDocuments"];

const documents = defineRows(signedDocumentTable, { age: "createdAt" });

const timeOf = (value: Date | undefined): number | null => value?.getTime() ?? null;

const rowOf = (document: SignedDocumentRow): Row => ({
  ...document,
  createdAt: document.createdAt.getTime(),
  blobIds: document.blobIds.join(","),
  extendedAt: timeOf(document.extendedAt),
  provableUntil: timeOf(document.provableUntil),
  extendAt: timeOf(document.extendAt),
});

const documentOf = ({
  createdAt,
  blobIds,
  extendedAt,
  provableUntil,
  extendAt,
  ...row
}: Row): SignedDocumentRow => ({
  ...row,
  createdAt: new Date(createdAt),
  blobIds: idsOf(blobIds),
  ...(extendedAt !== null && { extendedAt: new Date(extendedAt) }),
  ...(provableUntil !== null && { provableUntil: new Date(provableUntil) }),
  ...(extendAt !== null && { extendAt: new Date(extendAt) }),
});

/** Kept signed documents. Their bytes are objects, sealed under the tenant's key. */
export const makeSignedDocumentCommands = (
  session: DocumentSession,
): SignedDocumentCommands<SealedTransaction> => ({
  recordSignedDocument: async (document, blobs, record, step) => {
    await insertBlobs(session, blobs);
    // Primary key: a signing is kept once.
    await session.db.insertInto("signedDocuments").values(rowOf(document)).execute();
    await insertTransaction(session, record);
    await writeStep(session, record.tenantId, step);
  },

  findSignedDocument: async (of, id) => {
    const row = await documents.find(session, of, id);
    return row && documentOf(row);
  },

  listSignedDocuments: async (of, limit, after) =>
    (await documents.list(session, of, limit, after)).map(documentOf),

  leaseDueDocument: (now, until) => leaseDue(session, now, until),

  extendSignedDocument: (extension, blobs, step) => extend(session, extension, blobs, step),

  purgeSignedDocuments: (tenantId, before) => documents.remove(session, tenantId, before),
});

const leaseDue = async (
  { db, locksRows }: DocumentSession,
  now: Date,
  until: Date,
): Promise<SignedDocumentRow | undefined> => {
  // Index signed_documents_due, its first row; skips a row that another process is leasing.
  const due = await db
    .selectFrom("signedDocuments")
    .selectAll()
    .where("extendAt", "<=", now.getTime())
    .orderBy("extendAt")
    .limit(1)
    .$if(locksRows, (query) => query.forUpdate().skipLocked())
    .executeTakeFirst();
  if (due === undefined) return undefined;
  // Primary key, one row, locked above.
  await db
    .updateTable("signedDocuments")
    .set({ extendAt: until.getTime() })
    .where("tenantId", "=", due.tenantId)
    .where("id", "=", due.id)
    .execute();
  return documentOf({ ...due, extendAt: until.getTime() });
};

const extend = async (
  session: DocumentSession,
  { tenantId, id, revision, at, bytes, sha256, blobIds, provableUntil, extendAt }: DocumentExtension,
  blobs: readonly BlobRow[],
  step: Step,
): Promise<boolean> => {
  const columns = {
    bytes,
    sha256,
    blobIds: blobIds.join(","),
    extendedAt: at.getTime(),
    provableUntil: timeOf(provableUntil),
    extendAt: timeOf(extendAt),
  };
  if (!(await documents.change(session, { tenantId, id, revision }, columns))) return false;
  await insertBlobs(session, blobs);
  await writeStep(session, tenantId, step);
  return true;
};
