/** Signatures of Standard Webhooks 1.0 over the raw body of a message. */
import { createHmac } from "node:crypto";

/** A message as it is sent. */
export type SignedMessage = {
  /** Constant over all attempts: the `id` of the event. */
  readonly id: string;
  /** The time of this attempt. */
  readonly timestamp: Date;
  readonly body: string;
};

/** The headers that prove a message. */
export type WebhookHeaders = {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
};

/** Prefix of a secret as it is shown. */
export const secretPrefix = "whsec_";

/** Key bytes that Standard Webhooks 1.0 allows in a secret. */
const keyBytes = { min: 24, max: 64 };

/** Base64 of RFC 4648, section 4, with its padding. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;

/** HMAC key of a secret: its Base64 part decoded. Throws, without the secret, where that is no key. */
export const webhookKeyOf = (secret: string): Uint8Array => {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  const key = Buffer.from(text, "base64");
  if (!base64.test(text) || key.length < keyBytes.min || key.length > keyBytes.max) {
    throw new Error(
      `A webhook secret is '${secretPrefix}' and Base64 of ${keyBytes.min} to ${keyBytes.max} bytes`,
    );
  }
  return key;
};

/**
 * Headers of a message, with one `v1` signature for each secret, the current one first. A receiver needs one
 * of these secrets, so a secret is rotated without a refused message.
 */
export const signStandardWebhook = (
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): WebhookHeaders => {
  const seconds = String(Math.floor(timestamp.getTime() / 1_000));
  const signatures = secrets.map((secret) =>
    createHmac("sha256", webhookKeyOf(secret)).update(`${id}.${seconds}.${body}`, "utf8").digest("base64"),
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": signatures.map((signature) => `v1,${signature}`).join(" "),
  };
};
