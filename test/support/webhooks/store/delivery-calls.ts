import type { Session } from "#machine/storage/database";
import type { DeliveryCommands } from "#record/webhooks/store/delivery-store";
import { removeDeliveries } from "#record/webhooks/store/remove-deliveries";
import type { DeliveryTables } from "#record/webhooks/store/webhook-tables";
import { sqlPage } from "#support/storage/sql-page";
import { at, someBytes, until } from "#support/storage/sql-sample";

const key = { tenantId: "tenant", destinationId: "destination", eventId: "event" };

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
const makeRemovals = (session: Session<DeliveryTables>) => ({
  removeDeliveries: (tenantId: string, eventIds: readonly string[]) =>
    removeDeliveries(session, tenantId, eventIds),
});

export const page = sqlPage<DeliveryCommands & ReturnType<typeof makeRemovals>>(
  "record/webhooks/store/delivery-store",
  {
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
  },
  makeRemovals,
);
