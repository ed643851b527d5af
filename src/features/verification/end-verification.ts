import type { PortraitEvidence } from "#contract/portrait-evidence";
import { stepOf, transactionOf } from "#record/transactions/record-call";
import type { SelfieBasis } from "./judge-one-image.ts";
import { verificationEvidenceKinds, verificationPolicyVersion } from "./policy.ts";
import type { RunDeps } from "./steps/step.ts";
import type { VerificationContent, VerificationEnd } from "./verification.ts";
import { endStateOf } from "./verification-state.ts";
import { type PreparedChange, prepareChange, type Verification } from "./verifications.ts";

/** On what a decision rests, beside the results of its parts. */
export type DecisionBasis = {
  /** Absent without a judged face. */
  readonly selfie?: SelfieBasis | undefined;
  /** What shows that the portrait belongs to the document; absent without a decided one. */
  readonly portraitEvidence?: PortraitEvidence | undefined;
};

/** What the record and the evidence of a decision name of its parts. */
export const foundBy = (
  { face, scanReference, transactions }: Pick<VerificationContent, "face" | "scanReference" | "transactions">,
  { selfie, portraitEvidence }: DecisionBasis,
) => ({
  face: face !== undefined && !("refused" in face) ? transactions.face : null,
  scanReference: scanReference ?? null,
  ...(selfie && { selfie }),
  ...(portraitEvidence && { portraitEvidence }),
});

/**
 * Prepares the end of a verification: its record, its evidence and its step in the operation commit together
 * with the state. The images are removed: the operation and the validation keep theirs.
 */
export const prepareEnd = async (
  deps: Pick<RunDeps, "seal" | "clock" | "newId" | "trackDecision">,
  verification: Verification,
  ended: Omit<VerificationEnd, "at">,
  basis: DecisionBasis = {},
): Promise<PreparedChange> => {
  const { tenantId, environment, keyId, id, operationId } = verification;
  const { images: _, ...kept } = verification.content;
  const at = deps.clock();
  const end = { ...ended, at: at.getTime() };
  const state = endStateOf(end);
  const { flow, transactions, createdBy } = kept;
  const found = foundBy(kept, basis);
  const record = transactionOf(
    { caller: { tenantId, keyId, environment }, transactionId: transactions.decision, receivedAt: at },
    {
      endpoint: "verification",
      result: { verificationId: id, flow, state, decision: ended.decision, reasons: [...ended.reasons] },
      measurements: found,
      policyVersion: verificationPolicyVersion,
    },
  );
  const body = { transaction: record.id, result: record.result, ...found };
  const operation = await deps.trackDecision(
    { tenantId, environment, transactionId: record.id, at },
    record.endpoint,
    { id: operationId, call: createdBy, assets: [] },
    [],
  );
  const evidence = [{ id: deps.newId(), kind: verificationEvidenceKinds[0], at, body }];
  const content: VerificationContent = { ...kept, end };
  const settled = { at, record };
  return await prepareChange(
    deps,
    verification,
    { content, state, settled },
    stepOf({ evidence, operation }),
  );
};
