import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { TransactionRecord } from "./record.ts";
import type { TransactionCommands } from "./store/transaction-store.ts";

/**
 * The record of a call or decision within the tenant and environment of the key. Fails with not_found where
 * these have no such transaction. Made by {@link makeShowTransaction}.
 */
export type ShowTransaction = (
  of: Pick<Caller, "tenantId" | "environment">,
  id: string,
) => Promise<TransactionRecord>;

export const makeShowTransaction =
  (store: Pick<TransactionCommands, "findTransaction">): ShowTransaction =>
  async ({ tenantId, environment }, id) => {
    const found = await store.findTransaction(tenantId, id);
    if (found === undefined || found.environment !== environment) throw new Failure("not_found");
    return found;
  };
