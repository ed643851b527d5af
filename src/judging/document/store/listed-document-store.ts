import { requireLiveKeys } from "#machine/storage/data-key-lock";
import type { Session } from "#machine/storage/database";
import { isWhole, requireRow, sealRow } from "#machine/storage/rights/door";
import type { TablesOf } from "#machine/storage/table";
import type { Step } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import type { listedDocumentTable, velocityEventTable } from "./document-tables.ts";
import type { ListedDocument } from "./listed-document.ts";

export type ListedDocumentTables = TablesOf<readonly [typeof listedDocumentTable, typeof velocityEventTable]>;

/** Commands for listed documents and velocity events; implemented by {@link makeListedDocumentCommands}. */
export type ListedDocumentCommands = {
  /** False, and nothing written, if the number is listed already. */
  readonly listDocument: (document: ListedDocument, step: Step) => Promise<boolean>;
  /** False, and nothing written, if this id is not listed. */
  readonly unlistDocument: (tenantId: string, id: string, step: Step) => Promise<boolean>;
  /**
   * Up to 1000 with ids above `after`, in order of id, for the operator: also those that were changed past
   * the service.
   */
  readonly listListedDocuments: (tenantId: string, after: string) => Promise<readonly ListedDocument[]>;
  /** Deletes up to 1000 entries of the tenant from before `before`; returns how many. */
  readonly eraseListedDocuments: (tenantId: string, before: Date) => Promise<number>;
  readonly isDocumentListed: (tenantId: string, number: string) => Promise<boolean>;
  /** Number of decided attempts since `since` with this keyed hash; at most 1000 are counted. */
  readonly countVelocityEvents: (tenantId: string, hash: string, since: Date) => Promise<number>;
  /** Deletes up to 1000 velocity events from before `before`; returns how many. */
  readonly purgeVelocityEvents: (before: Date) => Promise<number>;
};

type ListedDocumentSession = StepSession<ListedDocumentTables>;

const pageMax = 1000;
const countedMax = 1000;
const purgedMax = 1000;

/**
 * Documents by keyed hashes of their numbers: those that the operator listed, and the velocity events of
 * each.
 */
export const makeListedDocumentCommands = (session: ListedDocumentSession): ListedDocumentCommands => ({
  listDocument: async ({ tenantId, id, environment, number, sealedNote, at }, step) => {
    await requireLiveKeys(session, tenantId, sealedNote);
    const row = { tenantId, id, environment, number, sealedNote, listedAt: at.getTime() };
    // Unique index listed_documents_number: a number is listed once.
    const { numInsertedOrUpdatedRows } = await session.db
      .insertInto("listedDocuments")
      .values(row)
      .onConflict((conflict) => conflict.columns(["tenantId", "number"]).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) {
      return false;
    }
    await sealRow(session, "listed_documents", [tenantId, id], row);
    await writeStep(session, tenantId, step);
    return true;
  },

  unlistDocument: async (tenantId, id, step) => {
    // Primary key, one row.
    const { numDeletedRows } = await session.db
      .deleteFrom("listedDocuments")
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) {
      return false;
    }
    await writeStep(session, tenantId, step);
    return true;
  },

  listListedDocuments: async (tenantId, after) => {
    // Primary key, a range of it.
    const rows = await session.db
      .selectFrom("listedDocuments")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageMax)
      .execute();
    return rows.map((row) => ({
      tenantId,
      id: row.id,
      environment: row.environment,
      number: row.number,
      sealedNote: new Uint8Array(row.sealedNote),
      at: new Date(row.listedAt),
      ...(!isWhole(session, "listed_documents", row) && { isForged: true as const }),
    }));
  },

  eraseListedDocuments: (tenantId, before) => erase(session, tenantId, before),

  ...makeLookUpCommands(session),
});

const erase = async (
  { db }: Session<ListedDocumentTables>,
  tenantId: string,
  before: Date,
): Promise<number> => {
  // Primary key, the entries of one tenant.
  const { numDeletedRows } = await db
    .deleteFrom("listedDocuments")
    .where("tenantId", "=", tenantId)
    .where("id", "in", (row) =>
      row
        .selectFrom("listedDocuments")
        .select("id")
        .where("tenantId", "=", tenantId)
        .where("listedAt", "<", before.getTime())
        .limit(purgedMax),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};

/** Also asked inside the transaction of a decision. */
export const isListed = async (
  session: Session<ListedDocumentTables>,
  tenantId: string,
  number: string,
): Promise<boolean> => {
  // Unique index listed_documents_number, one probe.
  const row = await session.db
    .selectFrom("listedDocuments")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("number", "=", number)
    .executeTakeFirst();
  if (row !== undefined) requireRow(session, "listed_documents", row);
  return row !== undefined;
};

/** Also asked inside the transaction of a decision. */
export const countEvents = async (
  { db }: Session<ListedDocumentTables>,
  tenantId: string,
  hash: string,
  since: Date,
): Promise<number> => {
  // Index document_sightings_hash, a range of it.
  const rows = await db
    .selectFrom("velocityEvents")
    .select("attempt")
    .where("tenantId", "=", tenantId)
    .where("hash", "=", hash)
    .where("seenAt", ">=", since.getTime())
    .limit(countedMax)
    .execute();
  return rows.length;
};

const makeLookUpCommands = (
  session: Session<ListedDocumentTables>,
): Pick<ListedDocumentCommands, "isDocumentListed" | "countVelocityEvents" | "purgeVelocityEvents"> => ({
  isDocumentListed: (tenantId, number) => isListed(session, tenantId, number),

  countVelocityEvents: (tenantId, hash, since) => countEvents(session, tenantId, hash, since),

  purgeVelocityEvents: async (before) => {
    // Index document_sightings_age, oldest first.
    const { numDeletedRows } = await session.db
      .deleteFrom("velocityEvents")
      .where((row) =>
        row(
          row.refTuple("tenantId", "hash", "validationId", "attempt"),
          "in",
          row
            .selectFrom("velocityEvents as old")
            .select(["old.tenantId", "old.hash", "old.validationId", "old.attempt"])
            .where("old.seenAt", "<", before.getTime())
            .orderBy("old.seenAt")
            .limit(purgedMax)
            .$asTuple("tenantId", "hash", "validationId", "attempt"),
        ),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
});

/** Records a velocity event per hash; part of the transaction that decides the attempt. */
export const noteVelocityEvents = async (
  { db }: Session<ListedDocumentTables>,
  { tenantId, id, attempt }: { readonly tenantId: string; readonly id: string; readonly attempt: number },
  hashes: readonly string[],
  at: Date,
): Promise<void> => {
  if (hashes.length === 0) {
    return;
  }
  const seen = { tenantId, validationId: id, attempt, seenAt: at.getTime() };
  // Primary key: an attempt is decided once; an attempt whose analysis failed does not take a new number.
  await db
    .insertInto("velocityEvents")
    .values(hashes.map((hash) => ({ ...seen, hash })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
