import { eventTopic } from "#contract/event";
import type { Command } from "../command.ts";
import { serviceHelp } from "./service-help.ts";

const names = Object.keys(eventTopic);

export const events: Command = {
  help: `Usage: idem events tail [--operation ID] [--from-start] [--json] [--url URL] [--key-from NAME]
       idem events trigger NAME [--operation ID] [--url URL] [--key-from NAME]

tail      prints each event of the test environment that arrives at the mailbox, with its verification, until Ctrl-C. Makes a
          destination for the mailbox where there is none
trigger   makes a test event with example data and an artificial image, by the way of every other: it reaches all destinations
          of the test environment that take it. NAME: ${names.slice(0, 3).join(", ")},
          ${names.slice(3).join(", ")}

  --operation  tail: only this operation. trigger: the operation that the event joins; default a new one
  --from-start tail: begin with the oldest message that the mailbox has
  --json       tail: the body of each event, one line each
${serviceHelp}`,
  run: async (args) => (await import("./events.ts")).runEvents(args),
};
