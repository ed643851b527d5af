import { optionLines, type Words } from "../kit/action.ts";
import { jsonOption } from "../kit/options.ts";
import { serviceOptions } from "../kit/service/service-options.ts";

const options = {
  json: { ...jsonOption, says: "the record as the service answers it" },
  ...serviceOptions("of the test environment and the scope tracking; a live key shows calls of live keys"),
} as const;

export const requests = {
  help: `Usage: idem requests ID [--json] [--url URL] [--key-from NAME]

Prints the record of an answered call from a running service: result, times, findings of a document with their figures and limits,
measurements, policy, models. Measurements of a face have no limits: these are in the named policy. It shows no image, and no text of
a document.

ID is serviceTransactionId or transactionId in the body of an answer, or a transaction of an operation. A request id (header
x-request-id, requestId of a problem) names the line of the call in the log of the service. That line has the transactionId that the answer
states; an answer that was sent again has that of the first call.

${optionLines(options)}`,
  options,
  takes: "Name one call: idem requests ID",
} as const satisfies Words;
