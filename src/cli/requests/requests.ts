import { CommandError, parseOptions, print, type Run, UsageError } from "../command.ts";
import { findService, serviceOptions } from "../events/running-service.ts";
import { describeRecord, shownRecord } from "./describe-record.ts";

/** The next step for an id that no record has. */
const whichId =
  "ID is the transaction of an answer, of the tenant and environment of the key: serviceTransactionId or transactionId in its body. " +
  "For a request id (header x-request-id, requestId of a problem), look for it in the log of the service: the line of an answered call " +
  "has the transactionId that its answer states. A refused call has no record; its line names the failure.";

export const runRequests: Run = async (args) => {
  const { values, positionals } = parseOptions(
    args,
    { ...serviceOptions, json: { type: "boolean", default: false } },
    true,
  );
  const [id, ...others] = positionals;
  if (id === undefined || others.length > 0) throw new UsageError("Name one call: idem requests ID");
  const service = await findService(values);
  const answered = await service.get(
    `/operator/transactions/${encodeURIComponent(id)}`,
    `No call has the id ${JSON.stringify(id)}. ${whichId}`,
  );
  if (!shownRecord.Check(answered)) {
    throw new CommandError(
      `The service at ${service.url} answered a record of another form. Is it of this release?`,
    );
  }
  if (values.json) print(JSON.stringify(answered, null, 2));
  else describeRecord(answered).forEach(print);
  return 0;
};
