import { createHmac } from "node:crypto";
import type { Caller } from "#contract/endpoint";
import { type AssetReference, type EventName, eventType } from "#contract/event";
import type { Json } from "#contract/json";
import { canonicalText, receivable } from "./receivable.ts";

/** A workflow event with its opened data, as it is published. */
export type PublishedEvent = {
  readonly tenantId: string;
  readonly environment: Caller["environment"];
  /** UUID, constant over all attempts to deliver the event. */
  readonly id: string;
  readonly operationId: string;
  /** Position in its operation: 1, 2, 3 and so on, without gaps. */
  readonly sequence: number;
  readonly name: EventName;
  readonly at: Date;
  readonly data: Readonly<Record<string, Json>>;
  readonly assets: readonly AssetReference[];
};

export type CloudEventOptions = {
  /** Vendor part of `type`. */
  readonly vendor: string;
  /** Link to an image of the event. */
  readonly linkTo: (asset: AssetReference) => string;
  /** HMAC key of `signature`, made by {@link signatureKeyOf}. */
  readonly secret: Uint8Array;
};

/** Content type of a structured CloudEvent in JSON. */
export const cloudEventContentType = "application/cloudevents+json";

/** Digits of `sequence`, so that the order of its texts is the order of the events. */
export const sequenceDigits = 10;

/** HMAC key of `signature`: the text of the secret as it is shown, prefix included. */
export const signatureKeyOf = (secret: string): Uint8Array => Buffer.from(secret, "utf8");

/**
 * Body of an event as a CloudEvent 1.0 in canonical JSON (RFC 8785), with links to its images. `signature`
 * covers the bytes without itself and stands at its sorted place, so that 'parse, delete signature, write
 * again' gives the signed bytes.
 */
export const writeCloudEvent = (event: PublishedEvent, options: CloudEventOptions): string => {
  const content = contentOf(event, options);
  const signature = createHmac("sha256", options.secret)
    .update(canonicalText(content), "utf8")
    .digest("base64");
  return canonicalText({ ...content, signature });
};

const contentOf = (
  { id, operationId, sequence, name, at, data, assets }: PublishedEvent,
  { vendor, linkTo }: CloudEventOptions,
): Readonly<Record<string, Json>> => ({
  specversion: "1.0",
  type: eventType(vendor, name),
  source: `/operations/${encodeURIComponent(operationId.toWellFormed())}`,
  id,
  time: at.toISOString(),
  datacontenttype: "application/json",
  sequence: String(sequence).padStart(sequenceDigits, "0"),
  data: receivable({ ...data, ...linksOf(name, assets, linkTo) }),
});

/**
 * The links of an event at the place of its contract. Without kept images the lists are empty, and `asset` is
 * absent.
 */
const linksOf = (
  name: EventName,
  assets: readonly AssetReference[],
  linkTo: (asset: AssetReference) => string,
): Readonly<Record<string, Json>> => {
  const links = assets.map((asset) => ({ type: asset.type, url: linkTo(asset) }));
  switch (name) {
    case "operation_started":
    case "operation_finished":
      return {};
    case "id_captured":
      return { assets: links };
    case "selfie_captured":
      return links[0] === undefined ? {} : { asset: links[0] };
    case "facial_authentication_evaluated":
    case "passive_liveness_evaluated":
    case "id_validated":
      return { links: { assets: links } };
    default:
      return name satisfies never;
  }
};
