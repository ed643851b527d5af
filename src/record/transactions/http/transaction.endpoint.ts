import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { showTransactionRoute } from "#contract/transaction.routes";
import type { ShowTransaction } from "../show-transaction.ts";

/** GET /operator/transactions/{transactionId} */
export const showTransactionEndpoint = (show: ShowTransaction): Endpoint =>
  implement(showTransactionRoute, async (call) => {
    const record = await show(call.caller, call.request.transactionId);
    const { id, endpoint, at, environment, keyId, result, measurements, policyVersion, models } = record;
    return {
      timestamp: answeredAt(call).toISOString(),
      transactionId: id,
      endpoint,
      at: at.toISOString(),
      environment,
      keyId,
      result: fieldsIn(result),
      measurements: fieldsIn(measurements),
      policyVersion,
      models: { ...models },
    };
  });

/** Null for a value without named fields. */
const fieldsIn = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
