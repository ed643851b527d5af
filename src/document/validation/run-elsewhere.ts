import type { Store, Validation } from "#storage/store";
import { measurementsOf } from "../decide.ts";
import type { Finding } from "../finding.ts";
import { findMet } from "../findings/all-questions.ts";
import { judgeDocument } from "../judge.ts";
import { type JoinedDecision, joinDecisions } from "../outside/join-decision.ts";
import { type MorphologyProvider, ProviderError, type ToldDecision } from "../outside/morphology-provider.ts";
import { agreeingFields, toldValuesOf } from "../outside/told-values.ts";
import { keptFinding, type VerificationRecord } from "../verification-record.ts";
import { type HeldSession, holdSession } from "./held-session.ts";
import { historyQuestionOf } from "./history-question.ts";
import { decidedOutcome, type FailValidation, type Outcome, type RunValidation } from "./outcome.ts";
import { afterPause } from "./pause.ts";
import { bringToProvider } from "./provider-steps.ts";
import { getPictures, type RunValidationDeps } from "./run-validation.ts";
import type { ValidationInput } from "./sealed.ts";

export type RunElsewhereDeps = RunValidationDeps & {
  readonly provider: MorphologyProvider;
  readonly store: Pick<Store, "keepSession">;
  /** The name under which the worker holds its leases. */
  readonly worker: string;
  readonly failValidation: FailValidation;
  /** How long a provider may fail until the validation ends FAILED (648). */
  readonly givenUpAfterMs: number;
  /** Operator's log: the validation's id and the error. */
  readonly onError: (what: string, validationId: string, error: unknown) => void;
};

/**
 * Lets a provider outside judge a validation, in steps that are each kept before the next: session, pictures, submitted,
 * decision. A step that a killed worker had made is not made again, or does no harm. While the provider is undecided or
 * fails, the validation waits; what it decides is joined with what the operator's own lists say.
 */
export const makeRunElsewhere =
  (deps: RunElsewhereDeps): RunValidation =>
  async (validation, signal) => {
    const input = await deps.sealing.openInput(validation, validation.sealedInput);
    const session = await holdSession(deps, validation);
    try {
      const { submittedAt, told } = await bringToProvider(deps, validation, input, session, signal);
      if (told === undefined) return { until: afterPause(deps.clock(), submittedAt) };
      if (told.status !== "Expired/Abandoned") {
        return await decide(deps, validation, input, session, told, signal);
      }
      throw new ProviderError("The session ended without a decision", false);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      deps.onError("ask the provider", validation.id, error);
      return await waitOrFail(deps, validation, session, error);
    }
  };

const waitOrFail = async (
  { clock, givenUpAfterMs, failValidation }: RunElsewhereDeps,
  validation: Validation,
  session: HeldSession,
  { isPassing }: ProviderError,
) => {
  const now = clock();
  const since = new Date(session.state().failingSince ?? now);
  if (!isPassing || now.getTime() - since.getTime() >= givenUpAfterMs)
    return await failValidation(validation);
  await session.keep({ failingSince: since.toISOString() });
  return { until: afterPause(now, since) };
};

/** The pictures are read here too: the portrait is compared with the operator's lists, and a value that both tell is sure. */
const decide = async (
  deps: RunElsewhereDeps,
  validation: Validation,
  input: ValidationInput,
  session: HeldSession,
  told: ToldDecision,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { policy } = deps;
  const pictures = await getPictures(deps.blobs, validation, input);
  const reading = await deps.engine.read(pictures, { type: input.type }, signal);
  const at = deps.clock();
  const values = toldValuesOf(told);
  const question = historyQuestionOf(
    validation,
    input,
    reading,
    (name) => values[name] ?? null,
    policy,
    signal,
  );
  const known = await deps.lookUpHistory(question);
  const fields = agreeingFields(deps.collectFields(reading, at), told);
  const { history } = known;
  const findings = findMet({ reading, fields, history, declared: input, now: at, policy });
  const own = judgeDocument(findings, policy, validation.attempt);
  const decision = joinDecisions(told, own, policy, validation.attempt);
  return await decidedOutcome(deps, validation, input, known, {
    record: recordOf(told, decision, findings, at),
    at,
    measurements: {
      provider: { name: deps.provider.name, session: session.state().id },
      own: measurementsOf(reading, findings, known.record),
    },
  });
};

const recordOf = (
  { document, person }: ToldDecision,
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
