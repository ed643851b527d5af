import { passportCountryCode } from "#contract/document-type";
import type { Caller } from "#contract/endpoint";
import type { Store } from "#storage/store";
import { measurementsOf } from "./decide.ts";
import type { DocumentEngine } from "./engine.ts";
import type { CollectFields, DocumentFields } from "./fields.ts";
import type { DocumentPolicy } from "./policy.ts";
import { lettersOf } from "./print/letters.ts";
import type { DocumentPictures } from "./read-document.ts";
import type { DocumentReading } from "./reading.ts";
import { findSignature } from "./signature.ts";

export type Extraction = {
  readonly caller: Caller;
  readonly endpoint: string;
  readonly transactionId: string;
  readonly receivedAt: Date;
  /** Alpha-3, PSP for passports; absent when not known. */
  readonly countryCode?: string;
  readonly pictures: DocumentPictures;
  /** Whether the signature is cut out too. */
  readonly decompose?: boolean;
  readonly tokenHashes: readonly string[];
  readonly signal: AbortSignal;
};

export type ExtractedDocument = {
  readonly reading: DocumentReading;
  readonly fields: DocumentFields;
  /** JPEG; absent where it was not asked for, or nothing tells where the document has it. */
  readonly signature?: Uint8Array;
};

/**
 * Reads the fields of a document and records the call, without keeping a picture or a field. Fails with
 * image_unreadable | image_unsupported | image_too_large | engine_busy.
 */
export type ExtractDocument = (extraction: Extraction) => Promise<ExtractedDocument>;

export const makeExtractDocument =
  ({
    store,
    engine,
    policy,
    collectFields,
  }: {
    readonly store: Pick<Store, "recordTransaction">;
    readonly engine: DocumentEngine;
    readonly policy: DocumentPolicy;
    readonly collectFields: CollectFields;
  }): ExtractDocument =>
  async ({ caller, pictures, countryCode, decompose = false, ...call }) => {
    const hints = {
      ...(countryCode === passportCountryCode ? { type: "PASSPORT" } : {}),
      upright: decompose,
    };
    const reading = await engine.read(pictures, hints, call.signal);
    const fields = collectFields(reading, call.receivedAt);
    const signature = decompose ? await cutSignature(engine, { reading, fields }, call.signal) : undefined;
    await store.recordTransaction(
      {
        id: call.transactionId,
        tenantId: caller.tenantId,
        keyId: caller.keyId,
        world: caller.world,
        endpoint: call.endpoint,
        at: call.receivedAt,
        result: { fields: Object.keys(fields.values).length },
        measurements: measurementsOf(reading, []),
        policyVersion: policy.version,
        models: engine.models,
        tokenHashes: call.tokenHashes,
      },
      [],
      { events: [], evidence: [] },
    );
    return { reading, fields, ...(signature === undefined ? {} : { signature }) };
  };

const cutSignature = async (
  { cutPart }: DocumentEngine,
  { reading, fields }: ExtractedDocument,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> => {
  const lines = { front: reading.front.lines, back: reading.back?.lines ?? [] };
  const place = findSignature(fields.readBy, lines, lettersOf);
  const upright = place === undefined ? undefined : reading[place.side]?.upright;
  return place === undefined || upright === undefined ? undefined : await cutPart(upright, place.box, signal);
};
