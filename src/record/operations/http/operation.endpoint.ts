import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import {
  endOperationRoute,
  listOperationsRoute,
  revokeAssetRoute,
  showOperationRoute,
} from "#contract/operation.routes";
import { readPagePlace, writePagePlace } from "#contract/page-place";
import type { ShownOperation } from "../open-timeline.ts";
import type { OperationPlace } from "../operation.ts";
import type { OperationAdmin } from "../operation-admin.ts";

/** Operations for an operator's console. */
export const operationEndpoints = (admin: OperationAdmin): readonly Endpoint[] => [
  listEndpoint(admin),
  showEndpoint(admin),
  implement(endOperationRoute, async (call) => {
    const { operation, status } = call.request;
    const { operationId, transactionId } = await admin.end(call, operation, status);
    return { timestamp: stamp(call), transactionId, operationId, state: status };
  }),
  implement(revokeAssetRoute, async (call) => {
    const { operation, asset } = call.request;
    const operationId = await admin.revoke(call, operation, asset);
    return { timestamp: stamp(call), operationId, asset };
  }),
];

const stamp = (call: Call<unknown>): string => answeredAt(call).toISOString();

const listEndpoint = (admin: OperationAdmin): Endpoint =>
  implement(listOperationsRoute, async (call) => {
    const { state, from, to, customer, after } = call.request;
    const asked = {
      ...(state !== undefined && { state }),
      ...(from !== undefined && { from: new Date(from) }),
      ...(to !== undefined && { to: new Date(to) }),
      ...(customer !== undefined && { customer }),
    };
    const { operations, isLast } = await admin.list(call.caller, asked, placeOf(after));
    const last = isLast ? undefined : operations.at(-1);
    return {
      timestamp: stamp(call),
      operations: operations.map(wireOperation),
      next: last === undefined ? null : writePagePlace({ at: last.openedAt, id: last.id }),
    };
  });

const placeOf = (after: string | undefined): OperationPlace | undefined => {
  const place = readPagePlace(after, /^.{1,128}$/u);
  return place && { openedAt: place.at, id: place.id };
};

const wireOperation = (operation: ShownOperation) => ({
  operationId: operation.id,
  state: operation.state,
  openedAt: operation.openedAt.toISOString(),
  expiresAt: operation.state === "open" ? operation.expiresAt.toISOString() : null,
  endedAt: operation.endedAt?.toISOString() ?? null,
  reason: operation.reason ?? null,
  family: operation.family ?? null,
  customerId: operation.customerId,
});

const showEndpoint = (admin: OperationAdmin): Endpoint =>
  implement(showOperationRoute, async (call) => {
    const { operation, steps, events, assets, isWhole } = await admin.show(
      call.caller,
      call.request.operation,
      answeredAt(call),
    );
    return {
      timestamp: stamp(call),
      ...wireOperation(operation),
      steps: steps.map(({ at, result, ...step }) => ({
        ...step,
        at: at.toISOString(),
        result: groupOf(result),
      })),
      events: events.map(({ at, data, ...event }) => ({
        ...event,
        time: at.toISOString(),
        data: data ?? null,
      })),
      assets: assets.map(({ createdAt, revokedAt, url, ...asset }) => ({
        ...asset,
        createdAt: createdAt.toISOString(),
        revokedAt: revokedAt?.toISOString() ?? null,
        url: url ?? null,
      })),
      isWhole,
    };
  });

/** Result numbers by their names; null for a result without names, of an attempt that had no effect. */
const groupOf = (result: unknown): Record<string, unknown> | null =>
  typeof result === "object" && result !== null && !Array.isArray(result) ? { ...result } : null;
