import { type KeySession, requireDataKey, requireLiveKeys } from "#machine/storage/data-key-lock";
import type { UserColumns } from "./user-tables.ts";

/**
 * Refuses a face whose key or transform was sealed under a data key that was destroyed meanwhile: they are
 * sealed under two.
 */
export const requireFaceKeys = async (
  session: KeySession,
  face: Readonly<Pick<UserColumns, "tenantId" | "dataKeyId" | "sealedTransform">>,
): Promise<void> => {
  await requireDataKey(session, face);
  await requireLiveKeys(session, face.tenantId, face.sealedTransform);
};
