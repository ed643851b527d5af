import type { LeasedDelivery } from "./delivery.ts";

/** What the judgement of a delivery reads. */
export type JudgedDelivery = Pick<LeasedDelivery, "isForged" | "stated" | "event" | "destination">;

/**
 * Why a delivery is not sent, as a sentence for the operator; undefined for one that this service made. The
 * seal of the row states that the destination took the event when it was written. A later change of topics
 * stops no delivery that waits, and no replay.
 */
export const judgeDelivery = ({
  isForged,
  stated,
  event,
  destination,
}: JudgedDelivery): string | undefined => {
  if (isForged === true) return "The delivery was added or changed past the service. See idem rights verify";
  const { stored } = destination;
  if (stored !== undefined && event.environment !== stored.environment)
    return "The event is in another environment than the destination: its row was changed past the service";
  const isStated =
    event.tenantId === destination.tenantId &&
    event.operationId === stated.operationId &&
    event.sequence === stated.sequence &&
    event.at.getTime() === stated.eventAt.getTime();
  return isStated
    ? undefined
    : "The event is not the one that the delivery was made for: its row was changed past the service";
};
