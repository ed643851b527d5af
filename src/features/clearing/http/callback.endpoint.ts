import { listCallbacksRoute } from "#contract/clearing-callback.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { readPagePlace, writePagePlace } from "#contract/page-place";
import type { OneShot, OneShotAttempt } from "#record/webhooks/one-shot/one-shot";
import type { OneShotCommands } from "#record/webhooks/store/one-shot-store";

const pageRowsMax = 50;

const wireAttempt = ({
  at,
  reportedStatus,
  outcome,
  status,
  decision,
  nextAt,
  address,
  totalMs,
  reason,
}: OneShotAttempt) => ({
  at,
  statusCode: reportedStatus ?? null,
  outcome,
  status: status ?? null,
  decision,
  nextAt: nextAt ?? null,
  address: address ?? null,
  totalMs,
  reason: reason ?? null,
});

const wireCallback = ({ id, state, createdAt, settledAt, log }: OneShot) => ({
  transactionId: id,
  state,
  createdAt: createdAt.toISOString(),
  settledAt: settledAt?.toISOString() ?? null,
  attempts: log.map(wireAttempt),
});

/** The operator's list of callbacks. It opens nothing: URL and hash stay sealed. */
export const listCallbacksEndpoint = (store: Pick<OneShotCommands, "listOneShots">): Endpoint =>
  implement(listCallbacksRoute, async (call) => {
    const after = readPagePlace(call.request.after);
    const place = after && { createdAt: after.at, id: after.id };
    const rows = await store.listOneShots(call.caller, pageRowsMax + 1, place);
    const last = rows.length > pageRowsMax ? rows[pageRowsMax - 1] : undefined;
    return {
      timestamp: answeredAt(call).toISOString(),
      callbacks: rows.slice(0, pageRowsMax).map(wireCallback),
      next: last === undefined ? null : writePagePlace({ at: last.createdAt, id: last.id }),
    };
  });
