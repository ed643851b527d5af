import type { Collector } from "#machine/http/metrics";
import type { QueueReading } from "../store/attempt-store.ts";
import type { LoggedOutcome } from "./delivery.ts";

/** Counts of this process since its start, and the last reading of the queue. */
export type DeliveryTally = {
  readonly attempted: (outcome: LoggedOutcome) => void;
  readonly expired: (leases: number) => void;
  readonly lost: (leases: number) => void;
  readonly queueRead: (reading: QueueReading, at: Date) => void;
  readonly gauges: readonly Collector[];
};

/** Destinations with a label of their own in the metrics: those that wait longest. */
export const shownDestinationsMax = 20;

export const makeDeliveryTally = (clock: () => Date, inFlight: () => number): DeliveryTally => {
  const attempts = new Map<LoggedOutcome, number>();
  let expiredLeases = 0;
  let lostLeases = 0;
  let queue: QueueReading = { waiting: [], openBreakers: 0 };
  const ageOf = (oldestAt: Date): number => Math.max(0, (clock().getTime() - oldestAt.getTime()) / 1000);
  return {
    attempted: (outcome) => void attempts.set(outcome, (attempts.get(outcome) ?? 0) + 1),
    expired: (leases) => void (expiredLeases += leases),
    lost: (leases) => void (lostLeases += leases),
    queueRead: (reading) => {
      queue = reading;
    },
    gauges: [
      {
        name: "idem_webhook_attempts",
        help: "Attempts to deliver an event since the start, by outcome",
        labels: ["outcome"],
        read: () => [...attempts].map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      gauge("idem_webhook_in_flight", "Deliveries that this process has in flight", inFlight),
      gauge(
        "idem_webhook_leases_expired",
        "Deliveries that this process took from a worker whose lease had ended, since the start",
        () => expiredLeases,
      ),
      gauge(
        "idem_webhook_leases_lost",
        "Deliveries whose lease ended before this process could store their end, since the start",
        () => lostLeases,
      ),
      gauge("idem_webhook_breakers_open", "Destinations whose breaker is open", () => queue.openBreakers),
      gauge("idem_webhook_oldest_seconds", "Age of the oldest delivery that is due or held", () =>
        Math.max(0, ...queue.waiting.map(({ oldestAt }) => ageOf(oldestAt))),
      ),
      {
        name: "idem_webhook_destination_oldest_seconds",
        help: `Age of the oldest delivery that is due or held, of the ${shownDestinationsMax} destinations that wait longest`,
        labels: ["destination"],
        read: () =>
          queue.waiting.map(({ destinationId, oldestAt }) => ({
            labels: { destination: destinationId },
            value: ageOf(oldestAt),
          })),
      },
    ],
  };
};

const gauge = (name: string, help: string, value: () => number): Collector => ({
  name,
  help,
  read: () => [{ value: value() }],
});
