/**
 * Verification for receivers of workflow events. WebCrypto alone, so that it runs in Node, in a browser and
 * in other runtimes. `npm run golden` bundles it into api/verify-event.js.
 */
import { canonicalJson } from "#contract/canonical-json";
import type { Json } from "#contract/json";

/** An event whose signature holds. */
export type VerifiedEvent = { readonly [attribute: string]: Json };

/** Header fields as `Headers`, or as a plain object with names in any case. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type ReceivedWebhook = {
  /** The body as it arrived. */
  readonly body: string | Uint8Array;
  readonly headers: ReceivedHeaders;
  /** Secrets of the destination (`whsec_…`): the current one, and during a rotation the former one too. */
  readonly secrets: readonly string[];
  /** The time of the receiver; by default its clock. */
  readonly now?: Date;
  /** Largest difference between the time of the message and `now`; by default 300 s. */
  readonly toleranceSeconds?: number;
};

/** The reason why a message is refused. It holds nothing of the message. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused";
}

/** Five minutes: Standard Webhooks 1.0 asks for a tolerance, and its libraries use this one. */
const standardToleranceSeconds = 300;

/**
 * The event of a delivery whose Standard Webhooks signature holds and whose time is near. Throws
 * {@link WebhookRefused}. A message that arrives twice has the same id both times.
 *
 * @example
 * ```ts
 * import { verifyWebhook } from "#record/events/verify-event";
 *
 * // The handler of a receiver. Answer 401 where it throws WebhookRefused.
 * export const receive = async (request: Request): Promise<void> => {
 *   const body = await request.text();
 *   const event = await verifyWebhook({ body, headers: request.headers, secrets: ["whsec_…"] });
 *   console.log(event["type"], event["id"]);
 * };
 * ```
 */
export const verifyWebhook = async ({
  body,
  headers,
  secrets,
  now = new Date(),
  toleranceSeconds = standardToleranceSeconds,
}: ReceivedWebhook): Promise<VerifiedEvent> => {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new WebhookRefused("A webhook header is missing");
  if (!/^[0-9]{1,12}$/.test(timestamp)) throw new WebhookRefused("The header webhook-timestamp is no time");
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookRefused("The message is too old, or the clock of the receiver is wrong");
  }
  const signed = joined(utf8(`${id}.${timestamp}.`), bytesOf(body));
  const given = signatures
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => one.slice("v1,".length));
  if (!(await isSigned(secrets.map(webhookKey), given, signed))) {
    throw new WebhookRefused("No signature of the header webhook-signature holds");
  }
  return objectOf(parsed(body));
};

/**
 * The event whose own `signature` holds, from the body as it arrived or from the parsed event, in any order
 * of its members. Throws {@link WebhookRefused}. It states nothing about the time of the delivery: a copied
 * event passes.
 */
export const verifyEvent = async (
  event: string | Uint8Array | VerifiedEvent,
  secrets: readonly string[],
): Promise<VerifiedEvent> => {
  const whole = objectOf(typeof event === "string" || event instanceof Uint8Array ? parsed(event) : event);
  const { signature, ...content } = whole;
  if (typeof signature !== "string") throw new WebhookRefused("The event has no signature");
  if (!(await isSigned(secrets.map(utf8), [signature], utf8(canonicalOf(content))))) {
    throw new WebhookRefused("The signature of the event does not hold");
  }
  return whole;
};

/** A list of values is one text, as HTTP joins it. */
const headerOf = (headers: ReceivedHeaders, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : value?.join(" ");
};

/** The bytes of the Base64 part of a secret. */
const webhookKey = (secret: string): Uint8Array =>
  base64Bytes(secret.replace(/^whsec_/, "")) ?? refuseSecret();

const refuseSecret = (): never => {
  throw new Error("The secret is not 'whsec_' and Base64");
};

/** `verify` of WebCrypto compares in constant time. */
const isSigned = async (
  keys: readonly Uint8Array[],
  signatures: readonly string[],
  signed: Uint8Array,
): Promise<boolean> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey("raw", owned(bytes), algorithm, false, ["verify"]);
    for (const signature of signatures) {
      const mac = base64Bytes(signature);
      if (mac && (await crypto.subtle.verify("HMAC", key, owned(mac), owned(signed)))) return true;
    }
  }
  return false;
};

const base64Bytes = (text: string): Uint8Array | undefined => {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
};

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const bytesOf = (body: string | Uint8Array): Uint8Array => (typeof body === "string" ? utf8(body) : body);

/** A copy in a buffer of its own: WebCrypto accepts no view on a shared buffer. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
};

const parsed = (body: string | Uint8Array): Json => {
  try {
    return JSON.parse(
      typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body),
    );
  } catch {
    throw new WebhookRefused("The body is no JSON");
  }
};

const objectOf = (value: Json): VerifiedEvent => {
  if (!isObject(value)) throw new WebhookRefused("The body is no event");
  return value;
};

// Array.isArray does not narrow readonly arrays.
const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A number that is not finite, and a depth that no event has, are no signed event. */
const canonicalOf = (content: Json): string => {
  try {
    return canonicalJson(content);
  } catch {
    throw new WebhookRefused("The event has no canonical form");
  }
};
