import { optionLines, type Words } from "../kit/action.ts";
import { jsonOption } from "../kit/options.ts";
import { serviceOptions } from "../kit/service/service-options.ts";

const options = {
  after: { type: "string", says: "the next page, as the page before names it" },
  json: { ...jsonOption, says: "the answer of the service as one line of JSON, with every attempt" },
  ...serviceOptions("with the scope clearing"),
} as const;

export const callbacks = {
  help: `Usage: idem clearing callbacks [--after NEXT] [--json]

Prints the newest 50 callbacks of POST /services/previred: their state, the number of their attempts, how the last one ended, and the
time of the next one. Runs over the running service.

${optionLines(options)}`,
  options,
} as const satisfies Words;
