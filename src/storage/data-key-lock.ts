import { Failure } from "#contract/failure";
import type { Session } from "./database.ts";

/** Under a key that was destroyed nothing may be enrolled: the answer would promise what nobody can open. */
export const requireDataKey = async (
  { db, locksRows }: Session,
  { tenantId, dataKeyId }: { readonly tenantId: string; readonly dataKeyId: string },
): Promise<void> => {
  // Primary key of keys; shared, so that enrolments go on side by side and a destruction waits for them.
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
