import { type Command, CommandError, parseOptions, print, UsageError } from "../command.ts";
import { findService, serviceHelp, serviceOptions } from "../events/running-service.ts";
import { describeRecord, shownRecord } from "./describe-record.ts";

export const requests: Command = {
  help: `Usage: idem requests ID [--json] [--url URL] [--key-from NAME]

Prints the record of an answered call from a running service: result, times, findings with their figures and the limits that they
break, measurements, policy, models. ID is serviceTransactionId of an answer, or a transaction of an operation. It shows no image,
and no text of a document.

  --json     the record as the service answers it
${serviceHelp.replace("the scope webhook", "the scope tracking; a live key shows calls of live keys")}`,
  run: async (args) => {
    const { values, positionals } = parseOptions(
      args,
      { ...serviceOptions, json: { type: "boolean", default: false } },
      true,
    );
    const [id, ...others] = positionals;
    if (id === undefined || others.length > 0) throw new UsageError("Name one call: idem requests ID");
    const service = await findService(values);
    const answered = await service.get(`/operator/transactions/${encodeURIComponent(id)}`);
    if (!shownRecord.Check(answered)) {
      throw new CommandError(
        `The service at ${service.url} answered a record of another form. Is it of this release?`,
      );
    }
    if (values.json) print(JSON.stringify(answered, null, 2));
    else describeRecord(answered).forEach(print);
    return 0;
  },
};
