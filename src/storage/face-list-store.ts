import { requireDataKey } from "./data-key-lock.ts";
import type { BlockedColumns, PersonColumns, Session } from "./database.ts";
import { type BlockedFace, type FaceListCommands, faceAddingKinds, type KeptFace } from "./face-list.ts";
import { lockChain, writeStep } from "./step-store.ts";

const pageMax = 1000;

/** Faces as one-to-many search meets them, and the list of the blocked. */
export const makeFaceListCommands = (session: Session): FaceListCommands => ({
  ...makeReading(session),
  ...makeFeed(session),

  blockFaces: async (tenantId, faces, step) => {
    for (const { at, ...given } of faces) {
      const face = { ...given, tenantId };
      await requireDataKey(session, face);
      // Primary key: an id is used once.
      await session.db
        .insertInto("blockedFaces")
        .values({ ...face, blockedAt: at.getTime() })
        .execute();
    }
    await writeStep(session, tenantId, step);
  },

  unblockFace: async (tenantId, id, step) => {
    // Primary key, one row.
    const { numDeletedRows } = await session.db
      .deleteFrom("blockedFaces")
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) {
      return false;
    }
    await writeStep(session, tenantId, step);
    return true;
  },

  purgeBlocked: () => purge(session),
});

const makeReading = (
  session: Session,
): Pick<FaceListCommands, "listFaces" | "findFaces" | "listBlocked"> => ({
  listFaces: (list, ...page) =>
    list === "blocked" ? pageOfBlocked(session, ...page) : pageOfPeople(session, ...page),
  findFaces: async (list, tenantId, ids) => {
    if (ids.length === 0) {
      return [];
    }
    return list === "blocked"
      ? await findBlocked(session, tenantId, ids)
      : await findPeople(session, tenantId, ids);
  },
  listBlocked: (tenantId, after) => pageOfBlocked(session, tenantId, after, pageMax),
});

type Page = readonly [tenantId: string, after: string, limit: number];

const blockedRows = ({ db }: Session, tenantId: string) =>
  db.selectFrom("blockedFaces").selectAll().where("tenantId", "=", tenantId);

const peopleRows = ({ db }: Session, tenantId: string) =>
  db.selectFrom("people").selectAll().where("tenantId", "=", tenantId);

// Primary key of blocked_faces and unique index people_id, both (tenant_id, id): a page is a range, ids a probe each.

const pageOfBlocked = async (session: Session, ...[tenantId, after, limit]: Page) => {
  const page = blockedRows(session, tenantId).where("id", ">", after).orderBy("id").limit(limit);
  return (await page.execute()).map(blockedOf);
};

const pageOfPeople = async (session: Session, ...[tenantId, after, limit]: Page) => {
  const page = peopleRows(session, tenantId).where("id", ">", after).orderBy("id").limit(limit);
  return (await page.execute()).map(registeredOf);
};

const findBlocked = async (session: Session, tenantId: string, ids: readonly string[]) =>
  (await blockedRows(session, tenantId).where("id", "in", ids).execute()).map(blockedOf);

const findPeople = async (session: Session, tenantId: string, ids: readonly string[]) =>
  (await peopleRows(session, tenantId).where("id", "in", ids).execute()).map(registeredOf);

const makeFeed = ({ db }: Session): Pick<FaceListCommands, "listEvidenceHeads" | "listEvidence"> => ({
  listEvidenceHeads: async () => {
    // Primary key of evidence, backwards, one row a tenant: never the whole table.
    const rows = await db
      .selectFrom("tenants")
      .select((row) => [
        "tenants.id as tenantId",
        row
          .selectFrom("evidence")
          .select("evidence.seq")
          .whereRef("evidence.tenantId", "=", "tenants.id")
          .orderBy("evidence.seq", "desc")
          .limit(1)
          .as("seq"),
      ])
      .execute();
    return rows.map(({ tenantId, seq }) => ({ tenantId, seq: seq ?? 0 }));
  },

  listEvidence: async (tenantId, seq) => {
    // Primary key (tenant_id, seq), a range of it.
    const rows = await db
      .selectFrom("evidence")
      .select(["seq", "id", "kind", "at", "body"])
      .where("tenantId", "=", tenantId)
      .where("seq", ">", seq)
      .orderBy("seq")
      .limit(pageMax)
      .execute();
    return rows.map((row) => ({ ...row, at: new Date(row.at), body: JSON.parse(row.body) }));
  },
});

/**
 * Whether no face has come to a list of the tenant since its evidence went to `seq`. Holds the end of the chain until
 * commit, so that of two who ask at once the second sees what the first wrote.
 */
export const isUnchangedSince = async (session: Session, tenantId: string, seq: number): Promise<boolean> => {
  await lockChain(session, tenantId);
  // Primary key (tenant_id, seq): the entries that came since, of which there are few.
  const change = await session.db
    .selectFrom("evidence")
    .select("seq")
    .where("tenantId", "=", tenantId)
    .where("seq", ">", seq)
    .where("kind", "in", faceAddingKinds)
    .limit(1)
    .executeTakeFirst();
  return change === undefined;
};

const purge = async ({ db }: Session): Promise<number> => {
  // Index blocked_faces_data_key under each destroyed key, of which a tenant has a handful.
  const { numDeletedRows } = await db
    .deleteFrom("blockedFaces")
    .where((row) =>
      row(
        row.refTuple("tenantId", "id"),
        "in",
        row
          .selectFrom("keys")
          .innerJoin("blockedFaces as dead", (join) =>
            join.onRef("dead.tenantId", "=", "keys.tenantId").onRef("dead.dataKeyId", "=", "keys.id"),
          )
          .select(["dead.tenantId", "dead.id"])
          .where("keys.destroyedAt", "is not", null)
          .limit(pageMax)
          .$asTuple("tenantId", "id"),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};

const bytesOf = (row: Pick<PersonColumns, "wrappedKey" | "sealedTransform" | "sealedTemplate">) => ({
  wrappedKey: new Uint8Array(row.wrappedKey),
  sealedTransform: new Uint8Array(row.sealedTransform),
  sealedTemplate: new Uint8Array(row.sealedTemplate),
});

const registeredOf = (row: PersonColumns): KeptFace => {
  const { tenantId, id, world, keyId, dataKeyId, recogniser, pseudonym, renewedAt } = row;
  const face = { tenantId, id, world, keyId, dataKeyId, recogniser, pseudonym, ...bytesOf(row) };
  return { ...face, at: new Date(renewedAt) };
};

const blockedOf = ({ blockedAt, ...row }: BlockedColumns): BlockedFace => ({
  ...row,
  ...bytesOf(row),
  sealedNote: new Uint8Array(row.sealedNote),
  at: new Date(blockedAt),
});
