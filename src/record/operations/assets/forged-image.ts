import { Failure } from "#contract/failure";
import type { Asset } from "../operation.ts";

/**
 * The failure of a read of an image whose row was changed past the service. Its cause names the row alone.
 */
export const forgedImage = ({ tenantId, id }: Pick<Asset, "tenantId" | "id">): Failure => {
  const cause = new Error(
    `The row assets ${tenantId} ${id} was added or changed past the service. See idem rights verify`,
  );
  return new Failure("stored_damaged", {}, { cause });
};
