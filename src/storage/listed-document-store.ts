import type { Session } from "./database.ts";
import type { ListedDocumentCommands } from "./listed-document.ts";
import { writeStep } from "./step-store.ts";

const pageMax = 1000;
const countedMax = 1000;
const purgedMax = 1000;

/** Documents by keyed hashes of their numbers: those that the operator listed, and how often one came. */
export const makeListedDocumentCommands = (session: Session): ListedDocumentCommands => ({
  listDocument: async ({ tenantId, id, world, number, sealedNote, at }, step) => {
    // Unique index listed_documents_number: a number is listed once.
    const { numInsertedOrUpdatedRows } = await session.db
      .insertInto("listedDocuments")
      .values({ tenantId, id, world, number, sealedNote, listedAt: at.getTime() })
      .onConflict((conflict) => conflict.columns(["tenantId", "number"]).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) {
      return false;
    }
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
    return rows.map(({ listedAt, sealedNote, ...row }) => ({
      ...row,
      sealedNote: new Uint8Array(sealedNote),
      at: new Date(listedAt),
    }));
  },

  ...makeLookUpCommands(session),
});

const makeLookUpCommands = ({
  db,
}: Session): Pick<ListedDocumentCommands, "isDocumentListed" | "countSightings" | "purgeSightings"> => ({
  isDocumentListed: async (tenantId, number) => {
    // Unique index listed_documents_number, one probe.
    const row = await db
      .selectFrom("listedDocuments")
      .select("id")
      .where("tenantId", "=", tenantId)
      .where("number", "=", number)
      .executeTakeFirst();
    return row !== undefined;
  },

  countSightings: async (tenantId, hash, since) => {
    // Index document_sightings_hash, a range of it.
    const rows = await db
      .selectFrom("documentSightings")
      .select("attempt")
      .where("tenantId", "=", tenantId)
      .where("hash", "=", hash)
      .where("seenAt", ">=", since.getTime())
      .limit(countedMax)
      .execute();
    return rows.length;
  },

  purgeSightings: async (before) => {
    // Index document_sightings_age, oldest first.
    const { numDeletedRows } = await db
      .deleteFrom("documentSightings")
      .where((row) =>
        row(
          row.refTuple("tenantId", "hash", "validationId", "attempt"),
          "in",
          row
            .selectFrom("documentSightings as old")
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

/** Notes that these hashes came with an attempt; part of the transaction that decides it. */
export const noteSightings = async (
  { db }: Session,
  { tenantId, id, attempt }: { readonly tenantId: string; readonly id: string; readonly attempt: number },
  hashes: readonly string[],
  at: Date,
): Promise<void> => {
  if (hashes.length === 0) {
    return;
  }
  const seen = { tenantId, validationId: id, attempt, seenAt: at.getTime() };
  // Primary key: an attempt is decided once, but one whose analysis failed is not counted on.
  await db
    .insertInto("documentSightings")
    .values(hashes.map((hash) => ({ ...seen, hash })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
