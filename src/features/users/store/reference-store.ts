/**
 * The further references of registered users. The commands of the users call these within their own
 * transactions.
 */

import type { Session } from "#machine/storage/database";
import type { EvidenceEntry } from "#record/transactions/record";
import type { KeyTables } from "#trust/key-ring/key-store";
import { requireFaceKeys } from "./require-face-keys.ts";
import type { Attempt, FurtherReference, User } from "./user.ts";
import type { ReferenceColumns, UserTables } from "./user-tables.ts";

type ReferenceSession = Session<UserTables & KeyTables>;

/** The further references of a user, the eldest first. */
export const listReferences = async (
  { db }: ReferenceSession,
  { tenantId, id }: Pick<User, "tenantId" | "id">,
): Promise<readonly FurtherReference[]> => {
  // Primary key, at most two rows.
  const rows = await db
    .selectFrom("userReferences")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("userId", "=", id)
    .orderBy("addedAt")
    .orderBy("keyId")
    .execute();
  return rows.map(referenceOf);
};

/**
 * Adds the reference where there is space. Returns its evidence. The caller holds the lock on the user's row.
 */
export const joinReference = async (
  session: ReferenceSession,
  { tenantId, at, joining }: Attempt,
  userId: string,
): Promise<readonly EvidenceEntry[]> => {
  if (joining === undefined) return [];
  const { reference, furtherMax, evidence } = joining;
  await requireFaceKeys(session, { tenantId, ...reference });
  // Primary key, at most two rows.
  const { count } = await session.db
    .selectFrom("userReferences")
    .select((row) => row.fn.countAll<number | string>().as("count"))
    .where("tenantId", "=", tenantId)
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= furtherMax) return [];
  await session.db
    .insertInto("userReferences")
    .values({ tenantId, userId, addedAt: at.getTime(), ...reference })
    .execute();
  return [evidence];
};

export const deleteReferences = async (
  { db }: ReferenceSession,
  { tenantId, id }: Pick<User, "tenantId" | "id">,
): Promise<void> => {
  // Primary key, at most two rows.
  await db.deleteFrom("userReferences").where("tenantId", "=", tenantId).where("userId", "=", id).execute();
};

const referenceOf = (row: ReferenceColumns): FurtherReference => ({
  keyId: row.keyId,
  dataKeyId: row.dataKeyId,
  recogniser: row.recogniser,
  wrappedKey: new Uint8Array(row.wrappedKey),
  sealedTransform: new Uint8Array(row.sealedTransform),
  sealedTemplate: new Uint8Array(row.sealedTemplate),
  addedAt: new Date(row.addedAt),
});
