import type { Session } from "#machine/storage/database";
import { isWhole, requireRow, sealRow } from "#machine/storage/rights/door";
import type { RowOf, TablesOf } from "#machine/storage/table";
import type { Step } from "#record/transactions/record";
import { lockChain, type StepSession, writeStep } from "#record/transactions/store/step-store";
import type { KeyTables } from "#trust/key-ring/key-store";
import {
  type BlockedFace,
  type EvidenceHead,
  type FaceList,
  faceAddingKinds,
  type KeptFace,
  type PlacedEvidence,
} from "./face-list.ts";
import { requireFaceKeys } from "./require-face-keys.ts";
import type { blockedFaceTable, UserColumns, UserTables } from "./user-tables.ts";

type BlockedColumns = RowOf<typeof blockedFaceTable>;

export type FaceListTables = TablesOf<readonly [typeof blockedFaceTable]>;

/**
 * Commands for one-to-many search; implemented by {@link makeFaceListCommands}. The tenant's evidence records
 * the changes of a list.
 */
export type FaceListCommands = {
  /** Up to `limit` faces with ids above `after`, in order of id. */
  readonly listFaces: (
    list: FaceList,
    tenantId: string,
    after: string,
    limit: number,
  ) => Promise<readonly KeptFace[]>;
  /** The existing faces among up to 1000 ids. */
  readonly findFaces: (
    list: FaceList,
    tenantId: string,
    ids: readonly string[],
  ) => Promise<readonly KeptFace[]>;
  /**
   * Blocks all faces in one commit. False, and nothing written, when a face was blocked after evidence
   * position `listedAt` (absent: no such check). Fails with store_unavailable when the tenant's data key was
   * destroyed meanwhile.
   */
  readonly blockFaces: (
    tenantId: string,
    faces: readonly Omit<BlockedFace, "tenantId">[],
    step: Step,
    listedAt?: number,
  ) => Promise<boolean>;
  /** False, and nothing written, when the face does not exist. The template's key is deleted with its row. */
  readonly unblockFace: (tenantId: string, id: string, step: Step) => Promise<boolean>;
  /** Up to 1000 with ids above `after`, for the operator: also those that were changed past the service. */
  readonly listBlocked: (tenantId: string, after: string) => Promise<readonly BlockedFace[]>;
  /** The last position of every tenant; 0 if the tenant has no evidence yet. */
  readonly listEvidenceHeads: () => Promise<readonly EvidenceHead[]>;
  /** Up to 1000 entries after `seq`, in order. A body that was removed is null. */
  readonly listEvidence: (tenantId: string, seq: number) => Promise<readonly PlacedEvidence[]>;
  /** Removes up to 1000 blocked faces whose tenant's data key was destroyed. Returns how many. */
  readonly purgeBlocked: () => Promise<number>;
};

type FaceListSession = StepSession<FaceListTables & UserTables & KeyTables>;

const pageMax = 1000;

/** Faces for one-to-many search, and the block list. */
export const makeFaceListCommands = (session: FaceListSession): FaceListCommands => ({
  ...makeReading(session),
  ...makeFeed(session),

  blockFaces: async (tenantId, faces, step, listedAt) => {
    for (const face of faces) await requireFaceKeys(session, { tenantId, ...face });
    if (listedAt !== undefined && !(await isUnchangedSince(session, tenantId, listedAt, ["face_blocked"]))) {
      return false;
    }
    for (const { at, ...given } of faces) {
      const row = { ...given, tenantId, blockedAt: at.getTime() };
      // Primary key: an id is used once.
      await session.db.insertInto("blockedFaces").values(row).execute();
      await sealRow(session, "blocked_faces", [tenantId, row.id], row);
    }
    await writeStep(session, tenantId, step);
    return true;
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
  session: FaceListSession,
): Pick<FaceListCommands, "listFaces" | "findFaces" | "listBlocked"> => ({
  listFaces: (list, ...page) =>
    list === "blocked" ? pageOfBlocked(session, ...page) : pageOfUsers(session, ...page),
  findFaces: async (list, tenantId, ids) => {
    if (ids.length === 0) {
      return [];
    }
    return list === "blocked"
      ? await findBlocked(session, tenantId, ids)
      : await findUsersIn(session, tenantId, ids);
  },
  listBlocked: async (tenantId, after) => {
    const page = blockedRows(session, tenantId).where("id", ">", after).orderBy("id").limit(pageMax);
    return (await page.execute()).map((row) => ({
      ...blockedOf(row),
      ...(!isWhole(session, "blocked_faces", row) && { isForged: true as const }),
    }));
  },
});

type Page = readonly [tenantId: string, after: string, limit: number];

const blockedRows = ({ db }: FaceListSession, tenantId: string) =>
  db.selectFrom("blockedFaces").selectAll().where("tenantId", "=", tenantId);

const userRows = ({ db }: FaceListSession, tenantId: string) =>
  db.selectFrom("users").selectAll().where("tenantId", "=", tenantId);

// Primary key of blocked_faces and unique index people_id, both (tenant_id, id): a page is a range; ids are
// one probe each.

const pageOfBlocked = async (session: FaceListSession, ...[tenantId, after, limit]: Page) => {
  const page = blockedRows(session, tenantId).where("id", ">", after).orderBy("id").limit(limit);
  return (await page.execute()).map((row) => blockedIn(session, row));
};

/** A face that was changed past the service must not leave the list unseen: the search fails. */
const blockedIn = (session: FaceListSession, row: FaceListTables["blockedFaces"]): BlockedFace => {
  requireRow(session, "blocked_faces", row);
  return blockedOf(row);
};

const pageOfUsers = async (session: FaceListSession, ...[tenantId, after, limit]: Page) => {
  const page = userRows(session, tenantId).where("id", ">", after).orderBy("id").limit(limit);
  return (await page.execute()).map(registeredOf);
};

const findBlocked = async (session: FaceListSession, tenantId: string, ids: readonly string[]) =>
  (await blockedRows(session, tenantId).where("id", "in", ids).execute()).map((row) =>
    blockedIn(session, row),
  );

const findUsersIn = async (session: FaceListSession, tenantId: string, ids: readonly string[]) =>
  (await userRows(session, tenantId).where("id", "in", ids).execute()).map(registeredOf);

const makeFeed = ({ db }: FaceListSession): Pick<FaceListCommands, "listEvidenceHeads" | "listEvidence"> => ({
  listEvidenceHeads: async () => {
    // Primary key of evidence, backwards, one row per tenant: never the whole table.
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
    // Primary key (tenant_id, seq) of both tables, a range of it.
    const rows = await db
      .selectFrom("evidence")
      .leftJoin("evidenceBodies", (join) =>
        join
          .onRef("evidenceBodies.tenantId", "=", "evidence.tenantId")
          .onRef("evidenceBodies.seq", "=", "evidence.seq"),
      )
      .select(["evidence.seq", "evidence.id", "evidence.kind", "evidence.at", "evidenceBodies.body"])
      .where("evidence.tenantId", "=", tenantId)
      .where("evidence.seq", ">", seq)
      .orderBy("evidence.seq")
      .limit(pageMax)
      .execute();
    return rows.map((row) => ({ ...row, at: new Date(row.at), body: JSON.parse(row.body ?? "null") }));
  },
});

/**
 * Whether no face was added to a list of the tenant after evidence position `seq`, by these kinds of entries.
 * Locks the end of the chain until commit, so of two simultaneous callers the second sees the first one's
 * writes.
 */
export const isUnchangedSince = async (
  session: StepSession,
  tenantId: string,
  seq: number,
  kinds: readonly (typeof faceAddingKinds)[number][] = faceAddingKinds,
): Promise<boolean> => {
  await lockChain(session, tenantId);
  // Primary key (tenant_id, seq): the few entries after `seq`.
  const change = await session.db
    .selectFrom("evidence")
    .select("seq")
    .where("tenantId", "=", tenantId)
    .where("seq", ">", seq)
    .where("kind", "in", kinds)
    .limit(1)
    .executeTakeFirst();
  return change === undefined;
};

const purge = async ({ db }: FaceListSession): Promise<number> => {
  // Index blocked_faces_data_key under each destroyed key; a tenant has a handful of keys.
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

/** Number of blocked faces, by the recogniser of their templates. */
export type BlockedCount = { readonly recogniser: string; readonly faces: number };

/** Counts the block lists of every tenant, for `idem doctor`. */
export const countBlocked = async ({ db }: Session<FaceListTables>): Promise<readonly BlockedCount[]> => {
  // Block lists are short: a full table scan.
  const rows = await db
    .selectFrom("blockedFaces")
    .select((row) => ["recogniser", row.fn.countAll().as("faces")])
    .groupBy("recogniser")
    .execute();
  return rows.map(({ recogniser, faces }) => ({ recogniser, faces: Number(faces) }));
};

const bytesOf = (row: Pick<UserColumns, "wrappedKey" | "sealedTransform" | "sealedTemplate">) => ({
  wrappedKey: new Uint8Array(row.wrappedKey),
  sealedTransform: new Uint8Array(row.sealedTransform),
  sealedTemplate: new Uint8Array(row.sealedTemplate),
});

const registeredOf = (row: UserColumns): KeptFace => {
  const { tenantId, id, environment, keyId, dataKeyId, recogniser, pseudonym, renewedAt } = row;
  const face = { tenantId, id, environment, keyId, dataKeyId, recogniser, pseudonym, ...bytesOf(row) };
  return { ...face, at: new Date(renewedAt) };
};

const blockedOf = (row: BlockedColumns): BlockedFace => {
  const { tenantId, id, environment, keyId, dataKeyId, recogniser, blockedAt } = row;
  const face = { tenantId, id, environment, keyId, dataKeyId, recogniser, ...bytesOf(row) };
  return { ...face, sealedNote: new Uint8Array(row.sealedNote), at: new Date(blockedAt) };
};
