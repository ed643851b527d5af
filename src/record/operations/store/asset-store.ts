import { deleteUnnamed } from "#machine/storage/blob-store";
import type { Session } from "#machine/storage/database";
import { endRow, isWhole } from "#machine/storage/rights/door";
import type { Step } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import type { Asset, Owner, TimelineAsset } from "../operation.ts";
import type { OperationTables } from "./write-operation.ts";

/** Commands for the kept images of operations; implemented by {@link makeAssetCommands}. */
export type AssetCommands = {
  /**
   * Undefined for an image that was revoked or removed. A link names no tenant, so that its id alone finds
   * it. Its row may have been changed past the service: see {@link Asset}.
   */
  readonly findAsset: (id: string) => Promise<Asset | undefined>;
  /** Writes the step of a use. False, and nothing written, if the image was revoked or removed. */
  readonly noteAssetRead: (asset: Pick<Asset, "tenantId" | "id">, step: Step) => Promise<boolean>;
  /**
   * Revokes an image of the operation: no link serves it from now on. Writes the step with the first
   * revocation alone. False if the operation has no such image.
   */
  readonly revokeAsset: (
    of: Owner,
    operationId: string,
    id: string,
    at: Date,
    step: Step,
  ) => Promise<boolean>;
  /**
   * Deletes up to 500 images of the tenant that were kept before `before`, the oldest first. Returns how
   * many.
   */
  readonly purgeAssets: (tenantId: string, before: Date) => Promise<number>;
};

type AssetSession = StepSession<OperationTables>;

/** Longest list that one command deletes, so that other commands wait only milliseconds for it. */
const purgedMax = 500;

/** Kept images by id and by age. The sweep removes the object of a deleted row. */
export const makeAssetCommands = (session: AssetSession): AssetCommands => ({
  findAsset: async (id) => {
    // Index assets_id, one row.
    const row = await session.db
      .selectFrom("assets")
      .selectAll()
      .where("id", "=", id)
      .where("revokedAt", "is", null)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { tenantId, environment, operationId, type, blobId } = row;
    const forged = isWhole(session, "assets", row) ? {} : { isForged: true as const };
    return { tenantId, environment, id, operationId, type, blobId, ...forged };
  },

  noteAssetRead: async ({ tenantId, id }, step) => {
    // Primary key, one row, locked until commit: a revocation comes before this use or after it.
    const row = await session.db
      .selectFrom("assets")
      .select("id")
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .where("revokedAt", "is", null)
      .$if(session.locksRows, (query) => query.forShare())
      .executeTakeFirst();
    if (row === undefined) return false;
    await writeStep(session, tenantId, step);
    return true;
  },

  revokeAsset: (of, operationId, id, at, step) => revoke(session, of, operationId, id, at, step),

  purgeAssets: (tenantId, before) => purge(session, tenantId, before),
});

const revoke = async (
  session: AssetSession,
  { tenantId, environment }: Owner,
  operationId: string,
  id: string,
  at: Date,
  step: Step,
): Promise<boolean> => {
  // Primary key, one row.
  const row = await session.db
    .selectFrom("assets")
    .select("revokedAt")
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("environment", "=", environment)
    .where("operationId", "=", operationId)
    .$if(session.locksRows, (query) => query.forUpdate())
    .executeTakeFirst();
  if (row === undefined) return false;
  if (row.revokedAt !== null) return true;
  // A revoked image is served no more, whatever else its row holds.
  await endRow(session, "assets", [tenantId, id], async () => {
    const revoked = { revokedAt: at.getTime() };
    // Primary key, one row, locked above.
    await session.db
      .updateTable("assets")
      .set(revoked)
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .execute();
    return revoked;
  });
  await writeStep(session, tenantId, step);
  return true;
};

const purge = async ({ db, locksRows }: AssetSession, tenantId: string, before: Date): Promise<number> => {
  // Index assets_age, the oldest first.
  const due = await db
    .selectFrom("assets")
    .select(["id", "blobId"])
    .where("tenantId", "=", tenantId)
    .where("createdAt", "<", before.getTime())
    .orderBy("createdAt")
    .limit(purgedMax)
    .$if(locksRows, (query) => query.forUpdate().skipLocked())
    .execute();
  await deleteAssets({ db, locksRows }, tenantId, due);
  return due.length;
};

/**
 * Deletes the rows of images, and of the objects that no other row names; part of the commands that remove
 * operations too.
 */
export const deleteAssets = async (
  session: Session<OperationTables>,
  tenantId: string,
  assets: readonly { readonly id: string; readonly blobId: string }[],
): Promise<void> => {
  if (assets.length === 0) return;
  // Primary key, one probe for each.
  await session.db
    .deleteFrom("assets")
    .where("tenantId", "=", tenantId)
    .where(
      "id",
      "in",
      assets.map(({ id }) => id),
    )
    .execute();
  await deleteUnnamed(
    session,
    tenantId,
    assets.map(({ blobId }) => blobId),
  );
};

/** Images of one operation in the order of time; part of its timeline. */
export const timelineAssets = async (
  session: Session<OperationTables>,
  { tenantId, environment }: Owner,
  operationId: string,
  limit: number,
): Promise<readonly TimelineAsset[]> => {
  // Index assets_operation, a range of it.
  const rows = await session.db
    .selectFrom("assets")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("operationId", "=", operationId)
    .orderBy("createdAt")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    createdAt: new Date(row.createdAt),
    ...(row.revokedAt !== null && { revokedAt: new Date(row.revokedAt) }),
    ...(!isWhole(session, "assets", row) && { isForged: true as const }),
  }));
};
