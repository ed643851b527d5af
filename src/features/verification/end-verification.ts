import { stepOf, transactionOf } from "#record/transactions/record-call";
import type { SelfieBasis } from "./judge-one-image.ts";
import { verificationEvidenceKinds, verificationPolicyVersion } from "./policy.ts";
import type { RunDeps } from "./steps/step.ts";
import type { VerificationContent, VerificationEnd } from "./verification.ts";
import { endStateOf } from "./verification-state.ts";
import { type PreparedChange, prepareChange, type Verification } from "./verifications.ts";

/**
 * Prepares the end of a verification: its record, its evidence and its step in the operation commit together
 * with the state. The images are removed: the operation and the validation keep theirs.
 */
export const prepareEnd = async (
  deps: Pick<RunDeps, "seal" | "clock" | "newId" | "trackDecision">,
  verification: Verification,
  ended: Omit<VerificationEnd, "at">,
  basis?: SelfieBasis,
): Promise<PreparedChange> => {
  const { tenantId, environment, keyId, id, operationId } = verification;
  const { images: _, ...kept } = verification.content;
  const at = deps.clock();
  const end = { ...ended, at: at.getTime() };
  const state = endStateOf(end);
  const { flow, scanReference, transactions, createdBy } = kept;
  const face = kept.face !== undefined && !("refused" in kept.face) ? transactions.face : null;
  const found = { face, scanReference: scanReference ?? null, ...(basis && { selfie: basis }) };
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
