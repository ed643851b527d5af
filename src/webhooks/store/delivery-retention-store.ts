/** The end of deliveries: with their operation, or with the keys of their tenant. */
import type { Session } from "#storage/database";
import type { DeliveryKey } from "../delivery/delivery.ts";
import type { DeliveryTables } from "./webhook-tables.ts";

/** Implemented by {@link makeDeliveryRetentionCommands}. Attempts go with their delivery, and both before the event. */
export type DeliveryRetentionCommands = {
  /** Removes deliveries of operations that ended before this time, up to 500; returns how many. */
  readonly purgeDeliveries: (tenantId: string, endedBefore: Date) => Promise<number>;
  /** Removes deliveries of events from before this time, up to 500: those of an erased tenant. */
  readonly forgetDeliveries: (tenantId: string, before: Date) => Promise<number>;
};

type RetentionSession = Session<DeliveryTables>;

const removedMax = 500;

export const makeDeliveryRetentionCommands = (session: RetentionSession): DeliveryRetentionCommands => ({
  purgeDeliveries: async (tenantId, endedBefore) => {
    // Indexes operations_age, events_sequence, deliveries_event.
    const keys = await session.db
      .selectFrom("operations")
      .innerJoin("events", (join) =>
        join
          .onRef("events.tenantId", "=", "operations.tenantId")
          .onRef("events.environment", "=", "operations.environment")
          .onRef("events.operationId", "=", "operations.id"),
      )
      .innerJoin("deliveries", (join) =>
        join
          .onRef("deliveries.tenantId", "=", "events.tenantId")
          .onRef("deliveries.eventId", "=", "events.id"),
      )
      .select(["deliveries.tenantId", "deliveries.destinationId", "deliveries.eventId"])
      .where("operations.tenantId", "=", tenantId)
      .where("operations.endedAt", "<", endedBefore.getTime())
      .limit(removedMax)
      .execute();
    await remove(session, keys);
    return keys.length;
  },

  forgetDeliveries: async (tenantId, before) => {
    // Primary key, the tenant's range.
    const keys = await session.db
      .selectFrom("deliveries")
      .select(["tenantId", "destinationId", "eventId"])
      .where("tenantId", "=", tenantId)
      .where("eventAt", "<", before.getTime())
      .limit(removedMax)
      .execute();
    await remove(session, keys);
    return keys.length;
  },
});

/** Primary keys: one probe for each delivery. */
const remove = async ({ db }: RetentionSession, keys: readonly DeliveryKey[]): Promise<void> => {
  for (const [destinationId, ofOne] of Map.groupBy(keys, (key) => key.destinationId)) {
    const eventIds = ofOne.map(({ eventId }) => eventId);
    await db
      .deleteFrom("deliveryAttempts")
      .where("tenantId", "=", ofOne[0]!.tenantId)
      .where("destinationId", "=", destinationId)
      .where("eventId", "in", eventIds)
      .execute();
    await db
      .deleteFrom("deliveries")
      .where("tenantId", "=", ofOne[0]!.tenantId)
      .where("destinationId", "=", destinationId)
      .where("eventId", "in", eventIds)
      .execute();
  }
};
