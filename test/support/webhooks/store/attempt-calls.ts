import type { AttemptCommands } from "#record/webhooks/store/attempt-store";
import { sqlPage } from "#support/storage/sql-page";
import { at } from "#support/storage/sql-sample";

const owner = { tenantId: "tenant", environment: "test" } as const;

const key = { tenantId: "tenant", destinationId: "destination", eventId: "event" };

export const page = sqlPage<AttemptCommands>("record/webhooks/store/attempt-store", {
  listDeliveries: [
    { args: [owner, { destinationId: "destination" }], when: "of a destination, up to 51 rows" },
    { args: [owner, { destinationId: "destination", state: "due" }], when: "that are due, up to 51 rows" },
    {
      args: [owner, { eventId: "event" }, { at, eventId: "event", destinationId: "destination" }],
      when: "of an event, after the end of a page",
    },
  ],
  findDelivery: [{ args: [owner, key], when: "with up to 100 attempts" }],
  readQueue: [{ args: [at, 20], when: "two probes for each destination" }],
});
