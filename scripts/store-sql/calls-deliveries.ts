// Calls of the commands of deliveries.
import type { Session } from "#machine/storage/database";
import type { AttemptCommands } from "#record/webhooks/store/attempt-store";
import type { DeliveryCommands } from "#record/webhooks/store/delivery-store";
import { removeDeliveries } from "#record/webhooks/store/remove-deliveries";
import type { ReplayCommands } from "#record/webhooks/store/replay-store";
import type { DeliveryTables } from "#record/webhooks/store/webhook-tables";
import { anOperationStep } from "#support/storage/suite";
import type { Calls } from "./record.ts";
import { at, someBytes, until } from "./sample.ts";

const owner = { tenantId: "tenant", environment: "test" } as const;
const key = { tenantId: "tenant", destinationId: "destination", eventId: "event" };
const range = { tenantId: "tenant", destinationId: "destination", from: at, to: until };
const evidence = { id: "evidence", kind: "kind", at, body: {} };
const lease = { worker: "worker", now: at, leaseMs: 1, limit: 1, inFlightMax: 8, after: "" };

const delivered = {
  ...key,
  attempt: 1,
  at,
  outcome: "delivered",
  decision: "delivered",
  state: "delivered",
  failures: 0,
  timings: { totalMs: 1 },
  sealedAnswer: someBytes,
} as const;
const failed = {
  ...delivered,
  outcome: "refused",
  decision: "retry",
  state: "due",
  failures: 1,
  nextAt: until,
} as const;
const batch = { worker: "worker", at, attempts: [], retries: [], destinations: [] };
const disabled = { kind: "disabled", reason: "failures" } as const;

/** The part that commits with the removal of events. */
export const makeRemovals = (session: Session<DeliveryTables>) => ({
  removeDeliveries: (tenantId: string, eventIds: readonly string[]) =>
    removeDeliveries(session, tenantId, eventIds),
});

export const deliveryCalls: Calls<DeliveryCommands & ReturnType<typeof makeRemovals>> = {
  leaseDeliveries: [{ args: [lease], when: "of one destination, after the pause of its breaker" }],
  finishDeliveries: [
    { args: [{ ...batch, attempts: [delivered] }], when: "of one delivered event" },
    { args: [{ ...batch, attempts: [failed] }], when: "of one failed attempt" },
    {
      args: [{ ...batch, retries: [{ ...key, dueAt: until }] }],
      when: "of one delivery without an attempt",
    },
    {
      args: [
        {
          ...batch,
          destinations: [{ tenantId: "tenant", destinationId: "destination", at, health: disabled }],
        },
      ],
      when: "with the disabling of a destination",
    },
  ],
  removeDeliveries: [{ args: ["tenant", ["event"]], when: "of one event, all its deliveries" }],
};

export const replayCalls: Calls<ReplayCommands> = {
  holdDeliveries: [{ args: [key], when: "up to 1,000 deliveries" }],
  releaseDeliveries: [{ args: [range, at, evidence], when: "up to 10,000 deliveries" }],
  replayDeliveries: [{ args: [range, ["failed"], at, evidence], when: "up to 10,000 deliveries" }],
  countDeliveries: [{ args: [range, ["failed"], at], when: "of a range" }],
  replayEvent: [{ args: [key, at, evidence], when: "at one destination" }],
  releaseRemoved: [{ args: [], when: "up to 1,000 deliveries" }],
  addTestEvent: [{ args: ["tenant", anOperationStep("operation", { onlyTo: "destination" })] }],
};

export const attemptCalls: Calls<AttemptCommands> = {
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
};
