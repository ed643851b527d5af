import { showTransactionRoute } from "#contract/transaction.routes";
import { print } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { findService } from "../kit/service/find-service.ts";
import { describeRecord } from "./describe-record.ts";
import type * as words from "./requests.command.ts";

/** The next step for an id that no record has. */
const whichId =
  "ID is the transaction of an answer, of the tenant and environment of the key: serviceTransactionId or transactionId in its body. " +
  "For a request id (header x-request-id, requestId of a problem), look for it in the log of the service: the line of an answered call " +
  "has the transactionId that its answer states. A refused call has no record; its line names the failure.";

export const requests: Work<typeof words.requests> = async ({ json, ...values }, transactionId) => {
  const { call } = await findService(values);
  const unknown = `No call has the id ${JSON.stringify(transactionId)}. ${whichId}`;
  const record = await call(showTransactionRoute, { transactionId }, unknown);
  if (json) print(JSON.stringify(record, null, 2));
  else describeRecord(record).forEach(print);
  return 0;
};
