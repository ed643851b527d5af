import type { Blobs } from "#storage/blobs";
import type { Validation } from "#storage/store";
import { decideDocument, measurementsOf } from "../decide.ts";
import type { DocumentEngine } from "../engine.ts";
import type { CollectFields } from "../fields.ts";
import type { LookUpHistory } from "../history.ts";
import type { DocumentPictures } from "../read-document.ts";
import { keptFinding, recordOf, sureValue } from "../verification-record.ts";
import { historyQuestionOf } from "./history-question.ts";
import { decidedOutcome, type Outcome, type OutcomeDeps } from "./outcome.ts";
import type { ValidationInput } from "./sealed.ts";

export type RunValidationDeps = OutcomeDeps & {
  readonly blobs: Pick<Blobs, "get">;
  readonly engine: DocumentEngine;
  readonly collectFields: CollectFields;
  readonly lookUpHistory: LookUpHistory;
};

/** Reads and decides one validation in this service. */
export const makeRunValidation =
  (deps: RunValidationDeps) =>
  async (validation: Validation, signal: AbortSignal): Promise<Outcome> => {
    const input = await deps.sealing.openInput(validation, validation.sealedInput);
    const pictures = await getPictures(deps.blobs, validation, input);
    const reading = await deps.engine.read(pictures, { type: input.type, attacks: true }, signal);
    const at = deps.clock();
    const fields = deps.collectFields(reading, at);
    const sure = (name: Parameters<typeof sureValue>[1]) => sureValue(fields, name);
    const known = await deps.lookUpHistory(
      historyQuestionOf(validation, input, reading, sure, deps.policy, signal),
    );
    const { findings, attack, decision } = decideDocument(
      { reading, fields },
      input,
      at,
      deps.policy,
      known.history,
      validation.attempt,
    );
    return await decidedOutcome(deps, validation, input, known, {
      record: { ...recordOf(fields, input.type, decision, at), findings: findings.map(keptFinding) },
      at,
      measurements: measurementsOf(reading, findings, known.record, attack),
    });
  };

/** The pictures of a validation, opened. Rejects as blobs do. */
export const getPictures = async (
  blobs: Pick<Blobs, "get">,
  { tenantId }: Validation,
  { frontBlobId, backBlobId }: ValidationInput,
): Promise<DocumentPictures> => {
  const front = await blobs.get(tenantId, frontBlobId);
  return backBlobId === null ? { front } : { front, back: await blobs.get(tenantId, backBlobId) };
};
