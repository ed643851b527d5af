import { Failure } from "#contract/failure";
import type { Session } from "#machine/storage/database";
import type { KeyTables } from "./key-store.ts";

/** Refuses an enrolment under a destroyed key: the stored template could never be opened. */
export const requireDataKey = async (
  { db, locksRows }: Session<KeyTables>,
  { tenantId, dataKeyId }: { readonly tenantId: string; readonly dataKeyId: string },
): Promise<void> => {
  // Primary key of keys; a shared lock, so enrolments run in parallel and a destruction waits for them.
  const key = await db
    .selectFrom("keys")
    .select("id")
    .where("tenantId", "=", tenantId)
    .where("id", "=", dataKeyId)
    .where("destroyedAt", "is", null)
    .$if(locksRows, (query) => query.forShare())
    .executeTakeFirst();
  if (key === undefined) {
    throw new Failure("store_unavailable", {}, { cause: new Error("The tenant's data key was destroyed") });
  }
};
