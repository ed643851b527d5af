import { openDocumentImage } from "../open-images.ts";
import { readScanReference } from "../step-records.ts";
import type { VerificationContent } from "../verification.ts";
import type { Verification } from "../verifications.ts";
import { callOf, imagesOf, type RunDeps, readImage } from "./step.ts";

/**
 * Starts the validation of the document, unless an earlier run did. The validation of an age belongs to no
 * operation: its event id_validated would state the birth date.
 */
export const startDocument = async (
  deps: RunDeps,
  verification: Verification,
  signal: AbortSignal,
): Promise<VerificationContent> => {
  const { content, tenantId } = verification;
  const { start } = content.transactions;
  const former = await deps.store.findTransaction(tenantId, start);
  const scanReference =
    former === undefined ? await startOnce(deps, verification, start, signal) : readScanReference(former);
  return { ...content, scanReference };
};

const startOnce = async (
  deps: RunDeps,
  verification: Verification,
  transactionId: string,
  signal: AbortSignal,
): Promise<string> => {
  const { content } = verification;
  const { expected, flow, customerId } = content;
  if (expected === undefined) throw new Error("A verification of a document has no expected document");
  const { tracking, ...call } = callOf(verification, transactionId, signal);
  const judges = deps.judgesOf(call.caller);
  const front = await openDocumentImage(judges, call, await readImage(deps, verification, "front"));
  const { back } = imagesOf(content);
  return await judges.startValidation({
    ...call,
    ...(flow !== "age_over" && tracking && { tracking }),
    version: 2,
    endpoint: "startDocumentValidation",
    country: expected.country,
    type: expected.type,
    merchantReference: customerId ?? null,
    images: {
      front,
      ...(back && {
        back: await openDocumentImage(judges, call, await deps.blobs.get(verification.tenantId, back.id)),
      }),
    },
  });
};
