import { facialAuthenticationNumber } from "#contract/facial-authentication";
import type { ReasonCodes } from "#contract/interface-reason";
import { livenessNumber } from "#contract/liveness";
import { outcomeOf } from "#contract/outcome";
import type { VerificationAnswer } from "#contract/verification-fields";
import { namesOf } from "#contract/wire";
import type { CaptureSession } from "#features/capture/capture-session";
import type { CreatedSession } from "#features/capture/create-session";
import type { PageUrl } from "#features/capture/page/open-session";
import { stateAt } from "#features/capture/session-state";
import { wireRecord } from "#judging/document/http/wire-record";
import type { FoundValidation } from "#judging/document/validation/find-validation";
import { numbersOf } from "../decide.ts";
import type { ShownVerification } from "../show-verification.ts";
import type { VerificationContent } from "../verification.ts";
import { isEnd, waitingStepOf } from "../verification-state.ts";

export type WireDeps = {
  readonly reasonCodes: ReasonCodes;
  readonly clock: () => Date;
  readonly pageUrl: PageUrl;
};

const nameIn = <Name extends string>(table: Readonly<Record<Name, number>>, value: number): Name => {
  const name = namesOf(table).find((one) => table[one] === value);
  if (name === undefined) throw new Error("A stored result has no name");
  return name;
};

/** A verification on the wire. `opened` is the session that this call opened. */
export const wireVerification = (
  { verification, session, document, hash }: ShownVerification,
  deps: WireDeps,
  opened?: CreatedSession,
): VerificationAnswer => {
  const { id, state, createdAt, operationId, content } = verification;
  const { flow, end, customerId, level, face, age } = content;
  // The session has ended, and the job takes its images now.
  const isCaptured = state === "AWAITING_CAPTURE" && session !== undefined && session.state !== "OPEN";
  return {
    verificationId: id,
    flow,
    state,
    decision: end?.decision ?? (state === "FAILED" ? "error" : null),
    reasons: [...(end?.reasons ?? (state === "FAILED" ? ["service_error" as const] : []))],
    nextStep:
      end?.nextStep ?? (isEnd(state) ? "try_again" : waitingStepOf[isCaptured ? "PROCESSING" : state]),
    createdAt: createdAt.toISOString(),
    decidedAt: end === undefined ? null : new Date(end.at).toISOString(),
    operationId,
    ...(customerId !== undefined && { customerId }),
    ...(level && { level }),
    ...(session && { capture: wireCapture(session, deps, opened) }),
    ...(face && !("refused" in face) && { identity: wireIdentity(content, face, hash) }),
    ...(document && {
      document: {
        ...wireDocument(flow, wireRecord(document, deps.reasonCodes).verification),
        ...factsOf(document),
      },
    }),
    ...(age !== undefined &&
      end?.age && {
        age: {
          over: age,
          answer: end.age.answer,
          evidence: { birth: end.age.birth, isApproved: end.age.isApproved, day: end.age.day },
        },
      }),
  };
};

const wireCapture = (
  session: CaptureSession,
  { clock, pageUrl }: WireDeps,
  opened: CreatedSession | undefined,
): NonNullable<VerificationAnswer["capture"]> => ({
  sessionId: session.id,
  state: stateAt(session, clock()),
  expiresAt: session.expiresAt.toISOString(),
  ...(opened && { token: opened.token, url: `${pageUrl(session.id)}#${opened.token}` }),
});

type Face = Exclude<NonNullable<VerificationContent["face"]>, { readonly refused: unknown }>;

const wireIdentity = (
  { transactions }: VerificationContent,
  face: Face,
  hash: string | undefined,
): NonNullable<VerificationAnswer["identity"]> => {
  const numbers = numbersOf(face);
  return {
    transactionId: transactions.face,
    outcome: outcomeOf(numbers),
    comparison: {
      result: nameIn(facialAuthenticationNumber, numbers.facial),
      similarity: face.similarity ?? 0,
      fmrAtScore: face.falseMatchRate,
    },
    liveness: { result: nameIn(livenessNumber, numbers.liveness), level: face.assurance },
    ...(hash !== undefined && { facialAuthenticationHash: hash }),
  };
};

/** The flow age_over states the decision alone: with the reference its caller could read the birth date. */
const wireDocument = (
  flow: VerificationContent["flow"],
  { code, status, reason, reasonCode, ...record }: ReturnType<typeof wireRecord>["verification"],
): NonNullable<VerificationAnswer["document"]> => ({
  code,
  status,
  reason,
  reasonCode,
  ...(flow !== "age_over" && {
    scanReference: record.scanReference,
    document: record.document,
    person: record.person,
    ...(record.portraitEvidence !== undefined && { portraitEvidence: record.portraitEvidence }),
  }),
});

/**
 * The figures of the finding that asks for other images, with the limits that they break. A fault of the
 * request or the capture says nothing about the person.
 */
export const factsOf = ({
  record: { reasonCode, findings = [] },
}: Pick<FoundValidation, "record">): Pick<
  NonNullable<VerificationAnswer["document"]>,
  "facts" | "guidance"
> => {
  const found = findings.find(
    ({ holds, stage, code }) => holds === true && stage === "capture" && code === reasonCode,
  );
  const figures = Object.entries(found?.evidence ?? {}).filter(([, value]) => typeof value === "number");
  if (figures.length === 0) return {};
  const facts = Object.fromEntries(figures.map(([name, value]) => [name, Number(value)]));
  const guidance = helps.find(([limit]) => limit in facts)?.[1];
  return { facts, ...(guidance && { guidance }) };
};

/** What helps where an image breaks a limit: light comes first, because a dark image is also blurred. */
const helps = [
  ["brightnessMin", "too_dark"],
  ["overexposedShareMax", "glare"],
  ["sharpnessMin", "blur"],
  ["shortSidePxMin", "closer"],
] as const;
