import { deliveryStates } from "#record/webhooks/delivery/delivery";
import { suggestion, UsageError } from "../command.ts";
import { optionLines, type Words } from "../kit/action.ts";
import { jsonOption, liveOption, tenantOption } from "../kit/options.ts";

const readState = (text: string): (typeof deliveryStates)[number] => {
  const state = deliveryStates.find((one) => one === text);
  if (state !== undefined) return state;
  throw new UsageError(
    `"${text}" is no state.${suggestion(text, deliveryStates)} States: ${deliveryStates.join(", ")}`,
  );
};

const timeOption = (name: string, says: string) =>
  ({
    type: "string",
    read: (text: string): Date => {
      const time = new Date(text);
      if (!Number.isNaN(time.getTime())) return time;
      throw new UsageError(
        `--${name} is "${text}". Set it to a time in ISO 8601, such as 2026-11-21T00:00:00Z`,
      );
    },
    says,
  }) as const;

const deliveriesOptions = {
  json: { ...jsonOption, says: "the rows as JSON; of one delivery its attempts" },
  state: { type: "string", read: readState, says: `only deliveries that are ${deliveryStates.join(", ")}` },
  live: liveOption,
  tenant: tenantOption,
  event: { type: "string" },
} as const;

const replayOptions = {
  from: timeOption("from", "only events of this time or later, in ISO 8601"),
  to: timeOption("to", "only events before this time"),
  failed: { type: "boolean", says: "only deliveries that failed" },
  held: {
    type: "boolean",
    says: "instead: deliveries that were held while the destination was paused or disabled",
  },
  "dry-run": { type: "boolean", says: "prints the number, and sends nothing" },
  live: liveOption,
  tenant: tenantOption,
} as const;

export const deliveries = {
  help: `Usage: idem webhooks deliveries DESTINATION [--state STATE] [--live] [--tenant NAME] [--json]
       idem webhooks deliveries --event EVENT
       idem webhooks deliveries DESTINATION EVENT

Prints the newest 50 deliveries of a destination or of an event, or one delivery with its attempts: outcome, status, times,
address, decision and next time. DESTINATION and EVENT are their ids.

${optionLines(deliveriesOptions)}

It works while the service runs, as the operator API (/operator/deliveries) does.`,
  options: deliveriesOptions,
  takes: true,
} as const satisfies Words;

export const replay = {
  help: `Usage: idem webhooks replay DESTINATION [--from TIME] [--to TIME] [--failed | --held] [--dry-run] [--live] [--tenant NAME]

Sends failed and delivered events of a destination again, by their time: with the same id. Prints their number. They leave when
the service runs.

${optionLines(replayOptions)}

It works while the service runs, as the operator API does.`,
  options: replayOptions,
  takes: "Name the destination: idem webhooks replay DESTINATION",
} as const satisfies Words;
