import { eventTopic } from "#contract/event";
import { optionLines, type Words } from "../kit/action.ts";
import { serviceOptions } from "../kit/service/service-options.ts";

const names = Object.keys(eventTopic);

const operation = {
  type: "string",
  says: "tail: only this operation. trigger: the operation that the event joins; default a new one",
} as const;
const service = serviceOptions("of the test environment and the scope webhook");

const tailOptions = {
  operation,
  "from-start": { type: "boolean", says: "tail: begin with the oldest message that the mailbox has" },
  json: { type: "boolean", says: "tail: the body of each event, one line each" },
  ...service,
} as const;

export const events = {
  help: `Usage: idem events tail [--operation ID] [--from-start] [--json] [--url URL] [--key-from NAME]
       idem events trigger NAME [--operation ID] [--url URL] [--key-from NAME]

tail      prints each event of the test environment that arrives at the mailbox, with its verification, until Ctrl-C. Makes a
          destination for the mailbox where there is none
trigger   makes a test event with example data and an artificial image, by the way of every other: it reaches all destinations
          of the test environment that take it. NAME: ${names.slice(0, 3).join(", ")},
          ${names.slice(3).join(", ")}

${optionLines(tailOptions)}`,
  topics: {
    tail: { options: tailOptions },
    trigger: { options: { operation, ...service }, takes: true },
  },
} as const satisfies Words;
