import type { Caller } from "#contract/endpoint";
import type { Json, Store } from "#storage/store";
import { decideDocument, measurementsOf } from "./decide.ts";
import type { DocumentEngine } from "./engine.ts";
import type { ExtractedDocument } from "./extract-document.ts";
import type { CollectFields } from "./fields.ts";
import type { DocumentCase } from "./finding.ts";
import { diagnose, type FaceAnswer, type PadDiagnosis } from "./pad/diagnose.ts";
import type { DocumentPolicy } from "./policy.ts";

export type Diagnosing = {
  readonly caller: Caller;
  readonly transactionId: string;
  readonly receivedAt: Date;
  readonly declared: DocumentCase["declared"];
  readonly front: Uint8Array;
  readonly back: Uint8Array;
  /** Picture of the holder's face. */
  readonly face?: Uint8Array;
  readonly tokenHashes: readonly string[];
  /** The application that calls, in its own words. */
  readonly appName?: string;
  readonly signal: AbortSignal;
};

/** Whether the portrait (JPEG) and the face are one person's. Fails with an image failure of the input `face`. */
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
 * Looks whether a document is genuine and records the call, without keeping a picture or a field. Fails with
 * image_unreadable | image_unsupported | image_too_large (inputs `front`, `back`, `face`) | engine_busy | engine_failed.
 */
export type DiagnoseDocument = (diagnosing: Diagnosing) => Promise<Diagnosed>;

export const makeDiagnoseDocument =
  ({
    store,
    engine,
    policy,
    collectFields,
    compareFaces,
  }: {
    readonly store: Pick<Store, "recordTransaction">;
    readonly engine: DocumentEngine;
    readonly policy: DocumentPolicy;
    readonly collectFields: CollectFields;
    readonly compareFaces: CompareFaces;
  }): DiagnoseDocument =>
  async ({ caller, front, back, face, declared, ...call }) => {
    const hints = { type: declared.type, attacks: true };
    const reading = await engine.read({ front, back }, hints, call.signal);
    const fields = collectFields(reading, call.receivedAt);
    const decided = decideDocument({ reading, fields }, declared, call.receivedAt, policy);
    const portrait = reading.front.portrait?.jpeg;
    const compared =
      face === undefined || portrait === undefined
        ? undefined
        : await compareFaces(portrait, face, call.signal);
    const answer = face === undefined ? undefined : (compared?.answer ?? "unknown");
    const diagnosis = diagnose(reading, decided, answer, policy);
    const { decision, reasons, quality, attack } = diagnosis;
    await store.recordTransaction(
      {
        id: call.transactionId,
        tenantId: caller.tenantId,
        keyId: caller.keyId,
        world: caller.world,
        endpoint: "padDiagnostic",
        at: call.receivedAt,
        result: { decision, reasons, isQualitySufficient: quality.passed, app: call.appName ?? null },
        measurements: {
          document: measurementsOf(reading, decided.findings, [], attack),
          quality,
          face: compared?.record ?? null,
        },
        policyVersion: policy.version,
        models: { ...engine.models, ...compared?.models },
        tokenHashes: call.tokenHashes,
      },
      [],
      { events: [], evidence: [] },
    );
    return { diagnosis, document: { reading, fields: decided.fields } };
  };
