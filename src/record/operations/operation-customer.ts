import { Failure } from "#contract/failure";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import { customerIdOf } from "./customer-id.ts";
import type { Operation, Owner } from "./operation.ts";

/** Binds the sealed texts of an operation to it and to its environment. */
export const contextOfOperation = ({ environment }: Owner, id: string): BoundContext => ({
  owner: `operation ${id}`,
  environment,
});

/**
 * `customerId` of the operation's last event: the customer that a call named, else the operation's id by the
 * same rule. The id too where the stored customer cannot be opened any more, after an erasure or damage.
 */
export const customerIdOfOperation = async (
  keyring: Pick<Keyring, "open">,
  { id, sealedCustomer, ...owner }: Owner & Pick<Operation, "id" | "sealedCustomer">,
): Promise<string> => {
  const named = sealedCustomer && (await openOrNone(keyring, owner, id, sealedCustomer));
  return named ?? customerIdOf(id) ?? id;
};

const openOrNone = async (
  keyring: Pick<Keyring, "open">,
  owner: Owner,
  id: string,
  sealed: Uint8Array,
): Promise<string | undefined> => {
  try {
    const plain = await keyring.open(owner.tenantId, "operations", sealed, contextOfOperation(owner, id));
    return Buffer.from(plain).toString("utf8");
  } catch (error) {
    const isGone =
      error instanceof Failure && (error.code === "not_found" || error.code === "stored_damaged");
    if (isGone) return undefined;
    throw error;
  }
};
