import type { Session } from "#machine/storage/database";
import type { DeliveryTables } from "./webhook-tables.ts";

/**
 * Removes the deliveries of these events with the log of their attempts. Part of the transaction that removes
 * the events, and before them.
 */
export const removeDeliveries = async (
  { db, locksRows }: Session<Pick<DeliveryTables, "deliveries" | "deliveryAttempts">>,
  tenantId: string,
  eventIds: readonly string[],
): Promise<void> => {
  if (eventIds.length === 0) return;
  // Index deliveries_event. Locked until commit: an attempt that ends now has its log before, or finds no
  // delivery after.
  const rows = await db
    .selectFrom("deliveries")
    .select(["destinationId", "eventId"])
    .where("tenantId", "=", tenantId)
    .where("eventId", "in", eventIds)
    .orderBy("destinationId")
    .orderBy("eventId")
    .$if(locksRows, (query) => query.forUpdate())
    .execute();
  for (const [destinationId, ofOne] of Map.groupBy(rows, (row) => row.destinationId)) {
    const ids = ofOne.map(({ eventId }) => eventId);
    // Primary keys: one probe for each delivery.
    await db
      .deleteFrom("deliveryAttempts")
      .where("tenantId", "=", tenantId)
      .where("destinationId", "=", destinationId)
      .where("eventId", "in", ids)
      .execute();
    await db
      .deleteFrom("deliveries")
      .where("tenantId", "=", tenantId)
      .where("destinationId", "=", destinationId)
      .where("eventId", "in", ids)
      .execute();
  }
};
