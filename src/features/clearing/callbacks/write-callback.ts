import { type CallbackBody, type CallbackStatus, callbackStatuses } from "#contract/clearing.routes";
import type { Destination } from "#record/webhooks/destinations/destination";
import type { Message } from "#record/webhooks/send/send";
import type { Callback } from "../store/callback.ts";
import type { CallbackContent } from "./sealed-callback.ts";

/** A hash whose time is over opens nothing, so a late attempt must not say that the call succeeded. */
export const judgeStatus = ({ expiresAt }: Pick<CallbackContent, "expiresAt">, at: Date): CallbackStatus =>
  at < new Date(expiresAt) ? "succeeded" : "failed";

/** Standard Webhooks advises 15 to 30 s. An attempt of a callback waits in a slot that others need. */
const timeoutMs = 15_000;

/** The receiver of one callback. The recipient of the call's answer knows the secret of its signature: the hash. */
export const receiverOf = (
  { tenantId, environment, id }: Pick<Callback, "tenantId" | "environment" | "id">,
  { url, hash }: CallbackContent,
): Destination => ({
  tenantId,
  environment,
  id,
  name: "callback",
  state: "active",
  topics: [],
  isOrdered: false,
  revision: 0,
  url,
  headers: {},
  auth: { kind: "none" },
  handshake: false,
  timeoutMs,
  secrets: [`whsec_${Buffer.from(hash, "utf8").toString("base64")}`],
});

/** The callback as it is sent at this time. Its id is the same in every attempt. */
export const writeCallback = ({ id }: Pick<Callback, "id">, status: CallbackStatus, at: Date): Message => {
  const body: CallbackBody = {
    timestamp: Math.floor(at.getTime() / 1000),
    transactionId: id,
    statusCode: callbackStatuses[status],
    status,
  };
  return { id, at, contentType: "application/json", body: JSON.stringify(body) };
};
