import { ProviderError } from "#contract/provider-error";
import { measurementsOf } from "../../decision/decide.ts";
import type { Finding } from "../../decision/finding.ts";
import { findHistory, findSideContradictions } from "../../decision/findings/all-rules.ts";
import { judgeDocument } from "../../decision/judge.ts";
import { keptFinding, portraitPlaceOf, type VerificationRecord } from "../../decision/verification-record.ts";
import type { LeaseCommands } from "../../store/lease-store.ts";
import type { Validation } from "../../store/validation.ts";
import { historyQuestionOf } from "../history-question.ts";
import { decidedOutcome, makeFailValidation, type Outcome, type RunValidation } from "../outcome.ts";
import { getImages, type RunValidationDeps } from "../run-validation.ts";
import type { ValidationInput } from "../sealed.ts";
import type { MorphologyProvider, ProviderDecision } from "./document-provider.ts";
import { type JoinedDecision, joinDecisions } from "./join-decision.ts";
import { type KeptSession, openKeptSession } from "./provider-session.ts";
import { runProviderSteps } from "./provider-steps.ts";
import { agreeingFields, reportedValuesOf } from "./reported-values.ts";

export type RunWithProviderDeps = RunValidationDeps & {
  readonly provider: MorphologyProvider;
  readonly store: Pick<LeaseCommands, "keepSession">;
  /** Lease holder. */
  readonly holder: string;
  /** Longest time of failed calls, until the validation ends FAILED (648). */
  readonly givenUpAfterMs: number;
  /** Operator's log: the validation's id and the error. */
  readonly onError: (what: string, validationId: string, error: unknown) => void;
};

/**
 * Runs a validation at an external provider, in steps that are kept one by one: session, images, submit,
 * decision. After the death of a process, a completed step is not repeated, or its repetition has no effect.
 * The validation waits while the provider has no decision or fails. Its decision is joined with the findings
 * of the operator's own lists.
 */
export const makeRunWithProvider =
  (deps: RunWithProviderDeps): RunValidation =>
  async (validation, signal) => {
    const input = await deps.sealing.openInput(validation, validation.sealedInput);
    const session = await openKeptSession(deps, validation);
    try {
      const { submittedAt, decision } = await runProviderSteps(deps, validation, input, session, signal);
      if (decision === undefined) return { waitingSince: submittedAt };
      if (decision.status !== "Expired/Abandoned") {
        return await decide(deps, validation, input, session, decision, signal);
      }
      throw new ProviderError("The session ended without a decision", false);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      deps.onError("ask the provider", validation.id, error);
      return await waitOrFail(deps, validation, session, error);
    }
  };

const waitOrFail = async (
  deps: RunWithProviderDeps,
  validation: Validation,
  session: KeptSession,
  { isTransient }: ProviderError,
) => {
  const now = deps.clock();
  const since = new Date(session.state().failingSince ?? now);
  if (!isTransient || now.getTime() - since.getTime() >= deps.givenUpAfterMs)
    return await makeFailValidation(deps)(validation);
  await session.keep({ failingSince: since.toISOString() });
  return { waitingSince: since };
};

/**
 * Reads the images here too: for the search of the portrait in the operator's lists, to confirm the reported
 * values, and to compare the two sides. An approval of the provider stands with no contradiction between
 * them.
 */
const decide = async (
  deps: RunWithProviderDeps,
  validation: Validation,
  input: ValidationInput,
  session: KeptSession,
  reported: ProviderDecision,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { policy } = deps;
  const images = await getImages(deps.blobs, validation, input);
  const reading = await deps.engine.read(images, { type: input.type }, signal);
  const at = deps.clock();
  const values = reportedValuesOf(reported);
  const question = historyQuestionOf(
    validation,
    input,
    reading,
    (name) => values[name] ?? null,
    policy,
    signal,
  );
  const known = await deps.lookUpHistory(question);
  const read = await deps.collectFields(reading, at, signal);
  const { history } = known;
  const document = { reading, history, declared: input, now: at, policy };
  const findings = [
    ...findHistory({ ...document, fields: agreeingFields(read, reported) }),
    ...findSideContradictions({ ...document, fields: read }),
  ];
  const own = judgeDocument(findings, policy, validation.attempt);
  const decision = joinDecisions(reported, own, policy, validation.attempt);
  return await decidedOutcome(deps, validation, input, known, {
    record: { ...recordOf(reported, decision, findings, at), ...portraitPlaceOf(reading) },
    at,
    measurements: {
      provider: { name: deps.provider.name, session: session.state().id },
      own: measurementsOf(reading, findings, known.record),
    },
  });
};

const recordOf = (
  { document, person }: ProviderDecision,
  { status, reason, reasonCode, others }: JoinedDecision,
  findings: readonly Finding[],
  at: Date,
): VerificationRecord => ({
  status,
  reason,
  reasonCode,
  otherReasonCodes: [...new Set(others)],
  decidedAt: at.toISOString(),
  document,
  person,
  findings: findings.map(keptFinding),
});
