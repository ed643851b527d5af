import type { Blobs } from "#machine/storage/blobs";
import { type DecideDocument, measurementsOf } from "../decision/decide.ts";
import type { CollectFields } from "../decision/fields.ts";
import type { LookUpHistory } from "../decision/history/history.ts";
import { keptFinding, portraitPlaceOf, recordOf, reportedValue } from "../decision/verification-record.ts";
import type { DocumentEngine } from "../reading/engine.ts";
import type { DocumentImages } from "../reading/read-document.ts";
import type { Validation } from "../store/validation.ts";
import { historyQuestionOf } from "./history-question.ts";
import { decidedOutcome, type Outcome, type OutcomeDeps } from "./outcome.ts";
import type { ValidationInput } from "./sealed.ts";

export type RunValidationDeps = OutcomeDeps & {
  readonly blobs: Pick<Blobs, "get">;
  readonly engine: DocumentEngine;
  readonly collectFields: CollectFields;
  readonly lookUpHistory: LookUpHistory;
  readonly decide: DecideDocument;
};

/** Reads and decides one validation in this service, without a document provider. */
export const makeRunValidation =
  (deps: RunValidationDeps) =>
  async (validation: Validation, signal: AbortSignal): Promise<Outcome> => {
    const input = await deps.sealing.openInput(validation, validation.sealedInput);
    const images = await getImages(deps.blobs, validation, input);
    const reading = await deps.engine.read(images, { type: input.type, attacks: true }, signal);
    const at = deps.clock();
    const fields = await deps.collectFields(reading, at, signal);
    const valueOf = (name: Parameters<typeof reportedValue>[1]) => reportedValue(fields, name);
    const known = await deps.lookUpHistory(
      historyQuestionOf(validation, input, reading, valueOf, deps.policy, signal),
    );
    const { findings, attack, decision, portraitEvidence } = deps.decide(
      { reading, fields },
      input,
      at,
      deps.policy,
      known.history,
      validation.attempt,
    );
    return await decidedOutcome(deps, validation, input, known, {
      record: {
        ...recordOf(fields, input.type, decision, at),
        ...portraitPlaceOf(reading),
        portraitEvidence,
        findings: findings.map(keptFinding),
      },
      at,
      measurements: measurementsOf(reading, findings, known.record, attack),
    });
  };

/** The decrypted images of a validation. Rejects as `blobs.get` does. */
export const getImages = async (
  blobs: Pick<Blobs, "get">,
  { tenantId }: Validation,
  { frontBlobId, backBlobId }: ValidationInput,
): Promise<DocumentImages> => {
  const front = await blobs.get(tenantId, frontBlobId);
  return backBlobId === null ? { front } : { front, back: await blobs.get(tenantId, backBlobId) };
};
