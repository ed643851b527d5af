/** The deliveries of new events. `writeStep` alone calls it. */
import type { Caller } from "#contract/endpoint";
import type { EventName } from "#contract/event";
import type { Session } from "#machine/storage/database";
import { isWhole, sealNewRows } from "#machine/storage/rights/door";
import type { WrittenEvent } from "#record/operations/store/write-operation";
import { takesEvent } from "../delivery/topic.ts";
import { lockStates } from "./lock-states.ts";
import type { DeliveryColumns, DeliveryTables } from "./webhook-tables.ts";

export type FanOutTables = Pick<DeliveryTables, "destinations" | "deliveries">;

/** Rows of one statement: SQLite takes 32,766 parameters. */
const rowsMax = 1_000;

/**
 * Adds one delivery for each destination of the tenant and environment that takes the event: held where the
 * destination is paused or disabled. In the transaction of the events, so that an event without its
 * deliveries does not exist. `onlyTo` names the one destination of a test event.
 */
export const fanOut = async (
  session: Session<FanOutTables>,
  tenantId: string,
  environment: Caller["environment"],
  events: readonly WrittenEvent[],
  onlyTo?: string,
): Promise<void> => {
  if (events.length === 0) return;
  const { db } = session;
  await lockStates(session, tenantId, "share");
  // Index destinations_of.
  const destinations = await db
    .selectFrom("destinations")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("state", "in", ["active", "paused", "disabled"])
    .$if(onlyTo !== undefined, (query) => query.where("id", "=", onlyTo ?? ""))
    .execute();
  // A destination that was changed past the service gets no delivery. The hourly comparison reports it.
  const whole = destinations.filter((row) => isWhole(session, "destinations", row));
  const rows = whole.flatMap(({ id, state, topics }) => {
    const subscribed: readonly string[] = JSON.parse(topics);
    const takes = ({ name }: { readonly name: EventName }) =>
      onlyTo !== undefined || takesEvent(subscribed, name);
    return events.filter(takes).map((event) => deliveryRow(event, id, state === "active" ? "due" : "held"));
  });
  if (rows.length === 0) return;
  const sealed = await sealNewRows(session, "deliveries", rows);
  for (let at = 0; at < sealed.length; at += rowsMax) {
    // Primary key; the foreign keys are the destination and the event.
    await db
      .insertInto("deliveries")
      .values(sealed.slice(at, at + rowsMax))
      .execute();
  }
};

const deliveryRow = (
  { tenantId, id, operationId, sequence, at }: WrittenEvent,
  destinationId: string,
  state: "due" | "held",
): Omit<DeliveryColumns, "seal"> => ({
  tenantId,
  destinationId,
  eventId: id,
  operationId,
  sequence,
  eventAt: at,
  state,
  attempts: 0,
  failures: 0,
  isManual: 0,
  dueAt: at,
  createdAt: at,
  doneAt: null,
  leasedBy: null,
  leasedUntil: null,
});
