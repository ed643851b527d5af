import {
  listDeliveriesRoute,
  releaseDestinationRoute,
  replayDestinationRoute,
  replayEventRoute,
  retryDeliveryRoute,
  showDeliveryRoute,
  testDestinationRoute,
} from "#contract/delivery.routes";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { readPagePlace, writePagePlace } from "#contract/page-place";
import type { DeliveryAdmin, ShownAttempt } from "../delivery/delivery-admin.ts";
import type { DeliveryPlace, ListedDelivery } from "../store/attempt-store.ts";

/** The operator's endpoints of deliveries. The environment is that of the key. */
export const deliveryEndpoints = (admin: DeliveryAdmin): readonly Endpoint[] => [
  listEndpoint(admin),
  implement(showDeliveryRoute, async (call) => {
    const { destinationId, eventId } = call.request;
    const { delivery, attempts } = await admin.show(call.caller, destinationId, eventId);
    return { timestamp: stamp(call), delivery: wireDelivery(delivery), attempts: attempts.map(wireAttempt) };
  }),
  implement(retryDeliveryRoute, async (call) => {
    const { destinationId, eventId } = call.request;
    return { timestamp: stamp(call), count: await admin.retry(call.caller, destinationId, eventId) };
  }),
  implement(replayEventRoute, async (call) => ({
    timestamp: stamp(call),
    count: await admin.replayEvent(call.caller, call.request.eventId),
  })),
  implement(replayDestinationRoute, async (call) => {
    const { destinationId, failedOnly = false } = call.request;
    const endedBefore = timeOf(call.request.endedBefore);
    const range = { ...rangeOf(call.request), endedBefore, isFailedOnly: failedOnly };
    const { count, isLast } = await admin.replay(call.caller, destinationId, range);
    return { timestamp: stamp(call), count, isComplete: isLast };
  }),
  implement(releaseDestinationRoute, async (call) => {
    const { destinationId } = call.request;
    const { count, isLast } = await admin.release(call.caller, destinationId, rangeOf(call.request));
    return { timestamp: stamp(call), count, isComplete: isLast };
  }),
  implement(testDestinationRoute, async (call) => ({
    timestamp: stamp(call),
    ...(await admin.sendTest(call.caller, call.request.destinationId)),
  })),
];

const stamp = (call: Call<unknown>): string => answeredAt(call).toISOString();

type WireRange = { readonly from?: string; readonly to?: string; readonly dryRun?: boolean };

const rangeOf = ({ from, to, dryRun = false }: WireRange) => ({
  from: timeOf(from),
  to: timeOf(to),
  isDryRun: dryRun,
});

/** An empty text is as none. The route has judged the others. */
const timeOf = (text: string | undefined): Date | undefined =>
  text === undefined || text === "" ? undefined : new Date(text);

const listEndpoint = (admin: DeliveryAdmin): Endpoint =>
  implement(listDeliveriesRoute, async (call) => {
    const { destinationId, eventId, state, after } = call.request;
    const { deliveries, isLast } = await admin.list(
      call.caller,
      { destinationId, eventId, state },
      placeOf(after),
    );
    const last = isLast ? undefined : deliveries.at(-1);
    return {
      timestamp: stamp(call),
      deliveries: deliveries.map(wireDelivery),
      next: last === undefined ? null : textOf(last, state === "due" ? last.dueAt : last.eventAt),
    };
  });

const textOf = ({ eventId, destinationId }: ListedDelivery, at: Date): string =>
  writePagePlace({ at, id: `${eventId}.${destinationId}` });

const placeOf = (after: string | undefined): DeliveryPlace | undefined => {
  const place = readPagePlace(after === "" ? undefined : after, /^[0-9a-f-]{36}\.[0-9a-f-]{36}$/);
  if (place === undefined) return undefined;
  const [eventId = "", destinationId = ""] = place.id.split(".");
  return { at: place.at, eventId, destinationId };
};

const wireDelivery = (one: ListedDelivery) => ({
  destinationId: one.destinationId,
  eventId: one.eventId,
  operationId: one.operationId,
  sequence: one.sequence,
  name: one.name,
  state: one.state,
  attempts: one.attempts,
  isManual: one.isManual,
  eventAt: one.eventAt.toISOString(),
  nextAt: one.nextAt?.toISOString() ?? null,
  doneAt: one.doneAt?.toISOString() ?? null,
});

const wireAttempt = ({ timings, answer, ...one }: ShownAttempt) => ({
  attempt: one.attempt,
  at: one.at.toISOString(),
  outcome: one.outcome,
  status: one.status ?? null,
  decision: one.decision,
  nextAt: one.nextAt?.toISOString() ?? null,
  address: one.address ?? null,
  dnsMs: timings.dnsMs ?? null,
  connectMs: timings.connectMs ?? null,
  tlsMs: timings.tlsMs ?? null,
  firstByteMs: timings.firstByteMs ?? null,
  totalMs: timings.totalMs,
  answer: answer === null ? null : Buffer.from(answer).toString("base64"),
  reason: one.reason ?? null,
});
