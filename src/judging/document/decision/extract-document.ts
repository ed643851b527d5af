import { passportCountryCode } from "#contract/document-type";
import type { OperationDetails } from "#record/transactions/operation-step";
import type { CallToken, RecordCall, RecordedCall } from "#record/transactions/record-call";
import type { DocumentEngine } from "../reading/engine.ts";
import type { DocumentImages } from "../reading/read-document.ts";
import { capturedEvent, ocrOf } from "./captured-document.ts";
import { measurementsOf } from "./decide.ts";
import type { ExtractedDocument } from "./extracted-document.ts";
import type { CollectFields } from "./fields.ts";
import type { DocumentPolicy } from "./policy.ts";
import { findSignature } from "./signature.ts";
import { cacheNormalised, normaliseText } from "./viz/normalise-text.ts";

export type Extraction = RecordedCall & {
  readonly endpoint: string;
  /** Alpha-3, PSP for passports; absent where unknown. */
  readonly countryCode?: string;
  readonly images: DocumentImages;
  /** Whether the signature is cut out too. */
  readonly decompose?: boolean;
  /** Every token that the call opened. */
  readonly tokens: readonly CallToken[];
  readonly signal: AbortSignal;
};

/**
 * Reads the fields of a document and records the call. An operation alone keeps images and fields, sealed;
 * see {@link makeExtractDocument}. Fails with image_unreadable | image_unsupported | image_too_large |
 * engine_busy.
 */
export type ExtractDocument = (extraction: Extraction) => Promise<ExtractedDocument>;

export const makeExtractDocument =
  ({
    recordCall,
    engine,
    policy,
    collectFields,
  }: {
    readonly recordCall: RecordCall;
    readonly engine: DocumentEngine;
    readonly policy: DocumentPolicy;
    readonly collectFields: CollectFields;
  }): ExtractDocument =>
  async ({ images, countryCode, decompose = false, ...call }) => {
    const hints = {
      ...(countryCode === passportCountryCode ? { type: "PASSPORT" } : {}),
      upright: decompose,
    };
    const reading = await engine.read(images, hints, call.signal);
    const fields = await collectFields(reading, call.receivedAt, call.signal);
    const signature = decompose ? await cutSignature(engine, { reading, fields }, call.signal) : undefined;
    await recordCall(call, {
      endpoint: call.endpoint,
      result: { fields: Object.keys(fields.values).length },
      measurements: measurementsOf(reading, []),
      policyVersion: policy.version,
      models: engine.models,
      tokens: call.tokens,
      operationDetails: detailsOfDocument(images, { reading, fields }),
    });
    return { reading, fields, ...(signature === undefined ? {} : { signature }) };
  };

/** id_captured, the images and the portrait of a document that was read. */
export const detailsOfDocument = (
  { front, back }: DocumentImages,
  { reading, fields }: ExtractedDocument,
): OperationDetails => {
  const portrait = reading.front.portrait?.jpeg;
  return {
    images: { id_front: front, ...(back && { id_back: back }), ...(portrait && { id_portrait: portrait }) },
    events: [capturedEvent(ocrOf(fields))],
  };
};

const cutSignature = async (
  { cutPart }: DocumentEngine,
  { reading, fields }: ExtractedDocument,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> => {
  const lines = { front: reading.front.lines, back: reading.back?.lines ?? [] };
  const place = findSignature(fields.readBy, lines, cacheNormalised(normaliseText));
  const upright = place === undefined ? undefined : reading[place.side]?.upright;
  return place === undefined || upright === undefined ? undefined : await cutPart(upright, place.box, signal);
};
