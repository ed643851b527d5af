import { type CallbackBody, type CallbackStatus, callbackStatuses } from "#contract/clearing.routes";
import { oneShotDestination } from "#record/webhooks/one-shot/destination";
import type { WriteOneShot } from "#record/webhooks/one-shot/one-shot-jobs";
import type { CallbackContent, CallbackSealing } from "./sealed-callback.ts";

/** A hash whose time is over opens nothing, so a late attempt must not state that the call succeeded. */
export const judgeStatus = ({ expiresAt }: Pick<CallbackContent, "expiresAt">, at: Date): CallbackStatus =>
  at < new Date(expiresAt) ? "succeeded" : "failed";

/** The body of the callback of this transaction, as an attempt at this time states it. */
export const writeBody = (transactionId: string, status: CallbackStatus, at: Date): CallbackBody => ({
  timestamp: Math.floor(at.getTime() / 1000),
  transactionId,
  statusCode: callbackStatuses[status],
  status,
});

/** Writes a callback. The recipient of the call's answer knows the secret of its signature: the hash. */
export const makeWriteCallback =
  ({ open }: Pick<CallbackSealing, "open">): WriteOneShot =>
  async (callback, at) => {
    const content = await open(callback);
    const body = writeBody(callback.id, judgeStatus(content, at), at);
    return {
      destination: oneShotDestination(callback, {
        url: content.url,
        secret: Buffer.from(content.hash, "utf8"),
      }),
      message: { id: callback.id, at, contentType: "application/json", body: JSON.stringify(body) },
      reportedStatus: body.statusCode,
    };
  };
