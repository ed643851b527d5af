import { deliveryStates } from "#record/webhooks/delivery/delivery";
import type { Command } from "../command.ts";

export const deliveries: Command = {
  help: `Usage: idem webhooks deliveries DESTINATION [--state STATE] [--live] [--tenant NAME] [--json]
       idem webhooks deliveries --event EVENT
       idem webhooks deliveries DESTINATION EVENT

Prints the newest 50 deliveries of a destination or of an event, or one delivery with its attempts: outcome, status, times,
address, decision and next time. DESTINATION and EVENT are their ids.

  --json     the rows as JSON; of one delivery its attempts
  --state    only deliveries that are ${deliveryStates.join(", ")}
  --live     the live environment; otherwise the test environment
  --tenant   name of the tenant; needed when there are several

It works while the service runs, as the operator API (/operator/deliveries) does.`,
  run: async (args) => (await import("./deliveries.ts")).runDeliveries(args),
};

export const replay: Command = {
  help: `Usage: idem webhooks replay DESTINATION [--from TIME] [--to TIME] [--failed | --held] [--dry-run] [--live] [--tenant NAME]

Sends failed and delivered events of a destination again, by their time: with the same id. Prints their number. They leave when
the service runs.

  --from      only events of this time or later, in ISO 8601
  --to        only events before this time
  --failed    only deliveries that failed
  --held      instead: deliveries that were held while the destination was paused or disabled
  --dry-run   prints the number, and sends nothing
  --live      the live environment; otherwise the test environment
  --tenant    name of the tenant; needed when there are several

It works while the service runs, as the operator API does.`,
  run: async (args) => (await import("./deliveries.ts")).runReplay(args),
};
