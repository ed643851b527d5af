import { listCallbacksRoute } from "#contract/clearing-callback.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { readPagePlace, writePagePlace } from "#contract/page-place";
import type { Callback, LoggedCall } from "../store/callback.ts";
import type { CallbackCommands } from "../store/callback-store.ts";

const pageRowsMax = 50;

const wireAttempt = ({
  at,
  said,
  outcome,
  status,
  decision,
  nextAt,
  address,
  totalMs,
  reason,
}: LoggedCall) => ({
  at,
  statusCode: said ?? null,
  outcome,
  status: status ?? null,
  decision,
  nextAt: nextAt ?? null,
  address: address ?? null,
  totalMs,
  reason: reason ?? null,
});

const wireCallback = ({ id, state, createdAt, settledAt, log }: Callback) => ({
  transactionId: id,
  state,
  createdAt: createdAt.toISOString(),
  settledAt: settledAt?.toISOString() ?? null,
  attempts: log.map(wireAttempt),
});

/** The operator's list of callbacks. It opens nothing: URL and hash stay sealed. */
export const listCallbacksEndpoint = (store: Pick<CallbackCommands, "listCallbacks">): Endpoint =>
  implement(listCallbacksRoute, async (call) => {
    const after = readPagePlace(call.request.after);
    const place = after && { createdAt: after.at, id: after.id };
    const rows = await store.listCallbacks(call.caller, pageRowsMax + 1, place);
    const last = rows.length > pageRowsMax ? rows[pageRowsMax - 1] : undefined;
    return {
      timestamp: answeredAt(call).toISOString(),
      callbacks: rows.slice(0, pageRowsMax).map(wireCallback),
      next: last === undefined ? null : writePagePlace({ at: last.createdAt, id: last.id }),
    };
  });
