import type { ExpressionBuilder } from "kysely";
import type { DeliveryKey } from "../delivery/delivery.ts";
import type { DeliveryTables } from "./webhook-tables.ts";

/**
 * These deliveries, at least one: a list of event ids for each destination, and each of them a probe of the
 * primary key.
 */
export const isOneOf =
  (keys: readonly DeliveryKey[]) => (row: ExpressionBuilder<DeliveryTables, "deliveries">) => {
    const destinations = Map.groupBy(keys, ({ tenantId, destinationId }) => `${tenantId} ${destinationId}`);
    return row.or(
      [...destinations.values()].map((ofOne) =>
        row.and([
          row("tenantId", "=", ofOne[0]!.tenantId),
          row("destinationId", "=", ofOne[0]!.destinationId),
          row(
            "eventId",
            "in",
            ofOne.map(({ eventId }) => eventId),
          ),
        ]),
      ),
    );
  };

/** Text that is equal for equal keys. */
export const textOf = ({ tenantId, destinationId, eventId }: DeliveryKey): string =>
  `${tenantId} ${destinationId} ${eventId}`;
