import type { Json } from "#contract/json";
import type { CallToken, RecordCall, RecordedCall } from "#record/transactions/record-call";
import type { DocumentEngine } from "../reading/engine.ts";
import { type DecideDocument, measurementsOf } from "./decide.ts";
import type { ExtractedDocument } from "./extracted-document.ts";
import type { CollectFields } from "./fields.ts";
import type { DocumentCase } from "./finding.ts";
import { diagnose, type FaceAnswer, type PadDiagnosis } from "./pad/diagnose.ts";
import type { DocumentPolicy } from "./policy.ts";

export type Diagnosing = RecordedCall & {
  readonly declared: DocumentCase["declared"];
  readonly front: Uint8Array;
  readonly back: Uint8Array;
  /** Image of the holder's face. */
  readonly face?: Uint8Array;
  /** Every token that the call opened. */
  readonly tokens: readonly CallToken[];
  readonly signal: AbortSignal;
};

/**
 * Compares the portrait (JPEG) with the face. Fails with an image failure of the input `face`. Made by
 * `makeComparePortrait` (judging/face).
 */
export type CompareFaces = (
  portrait: Uint8Array,
  face: Uint8Array,
  signal: AbortSignal,
) => Promise<{
  readonly answer: FaceAnswer;
  readonly record: Json;
  readonly models: Readonly<Record<string, string>>;
}>;

export type Diagnosed = { readonly diagnosis: PadDiagnosis; readonly document: ExtractedDocument };

/**
 * Judges whether a document is genuine and records the call, without storing an image or a field; see {@link
 * makeDiagnoseDocument}. Fails with image_unreadable | image_unsupported | image_too_large (inputs `front`,
 * `back`, `face`) | engine_busy | engine_failed.
 */
export type DiagnoseDocument = (diagnosing: Diagnosing) => Promise<Diagnosed>;

export const makeDiagnoseDocument =
  ({
    recordCall,
    engine,
    policy,
    collectFields,
    compareFaces,
    decide,
  }: {
    readonly recordCall: RecordCall;
    readonly engine: DocumentEngine;
    readonly policy: DocumentPolicy;
    readonly collectFields: CollectFields;
    readonly compareFaces: CompareFaces;
    readonly decide: DecideDocument;
  }): DiagnoseDocument =>
  async ({ front, back, face, declared, ...call }) => {
    const hints = { type: declared.type, attacks: true };
    const reading = await engine.read({ front, back }, hints, call.signal);
    const fields = await collectFields(reading, call.receivedAt, call.signal);
    const decided = decide({ reading, fields }, declared, call.receivedAt, policy);
    const portrait = reading.front.portrait?.jpeg;
    const compared =
      face === undefined || portrait === undefined
        ? undefined
        : await compareFaces(portrait, face, call.signal);
    const answer = face === undefined ? undefined : (compared?.answer ?? "unknown");
    const diagnosis = diagnose(reading, decided, answer, policy);
    const { decision, reasons, quality, attack } = diagnosis;
    await recordCall(call, {
      endpoint: "padDiagnostic",
      result: { decision, reasons, isQualitySufficient: quality.passed },
      measurements: {
        document: measurementsOf(reading, decided.findings, [], attack),
        quality,
        face: compared?.record ?? null,
      },
      policyVersion: policy.version,
      models: { ...engine.models, ...compared?.models },
      tokens: call.tokens,
    });
    return { diagnosis, document: { reading, fields: decided.fields } };
  };
