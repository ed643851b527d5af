/** The decision in the unsealed result of an answered call, without anything that a caller wrote. */
import { captureResults } from "#contract/capture";
import { civilCode, comparedFields } from "#contract/civil-code";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { livenessNumber } from "#contract/liveness";
import { outcomeOf } from "#contract/outcome";
import { padDecisions, padReason } from "#contract/pad";
import { holderReasons } from "#contract/reason-code";
import { authenticateUserResult, updateUserTemplateResult } from "#contract/result-code";
import { endedStates, expiryReason, trackingReasons } from "#contract/tracking-code";
import { verificationDecisions, verificationReasons, verificationStates } from "#contract/verification";
import { verificationCode } from "#contract/verification-code";
import type { AnsweredCall } from "../store/result-store.ts";
import { type Group, groupIn, idIn, listIn, memberIn, memberOf, nameOf, numberIn } from "./result-fields.ts";

/** One decision. Every text is a name of the interface, a random id, or the version of a policy. */
export type Decision = Pick<AnsweredCall, "at" | "environment" | "policyVersion"> & {
  /** What was called, or what decided. */
  readonly kind: string;
  readonly transactionId: string;
  /**
   * Random id of the validation, verification or capture session that was decided; absent for a call that
   * decides by itself.
   */
  readonly subject: string | undefined;
  /** Number of the submission of images, from 1. */
  readonly attempt: number | undefined;
  /** The decision in one word. */
  readonly decision: string;
  readonly code: number | undefined;
  /** Reasons in the words and numbers of the interface. Those that concern the holder are left out. */
  readonly reasons: readonly (string | number)[];
  readonly facial: string | undefined;
  readonly liveness: string | undefined;
  /** The name of the result for each field that was compared with a civil registry. */
  readonly fields: Readonly<Record<string, string>> | undefined;
};

type Found = { readonly decision: string } & Partial<
  Pick<Decision, "subject" | "attempt" | "code" | "reasons" | "facial" | "liveness" | "fields">
>;

const facesOf = (result: Group) => {
  const facial = memberIn(Object.values(facialAuthenticationNumber), result, "facial");
  const liveness = memberIn(Object.values(livenessNumber), result, "liveness");
  return {
    facial: nameOf(facialAuthenticationNumber, facial),
    liveness: nameOf(livenessNumber, liveness),
    outcome:
      facial === undefined && liveness === undefined
        ? undefined
        : outcomeOf({
            ...(facial !== undefined && { facial }),
            ...(liveness !== undefined && { liveness }),
          }),
  };
};

const ofFaces = (result: Group): Found | undefined => {
  const { outcome, ...faces } = facesOf(result);
  return outcome && { decision: outcome, ...faces };
};

const codesOf = (table: Readonly<Record<string, { readonly code: number }>>) =>
  Object.fromEntries(Object.entries(table).map(([name, { code }]) => [name, code]));

const ofUser =
  (codes: Readonly<Record<string, number>>) =>
  (result: Group): Found | undefined => {
    const code = memberIn(Object.values(codes), result, "code");
    const decision = nameOf(codes, code);
    const { outcome: _, ...faces } = facesOf(result);
    const refusal = memberIn(trackingReasons, result, "refusal");
    return decision === undefined
      ? undefined
      : { decision, code, reasons: refusal === undefined ? [] : [refusal], ...faces };
  };

/** Ends of a validation that no analysis decided, which share one code. */
const waitingEnds = ["Expired", "Abandoned"] as const;

const ofDocument = (result: Group): Found | undefined => {
  const code = memberIn(Object.values(verificationCode), result, "code");
  const decision = memberIn(waitingEnds, result, "decision") ?? nameOf(verificationCode, code);
  const numbers = [result["reasonCode"], ...listIn(result, "others")];
  const reasons = numbers
    .filter((one) => typeof one === "number")
    .filter((one) => !holderReasons.includes(one));
  const subject = idIn(result, "scanReference");
  return decision === undefined
    ? undefined
    : { decision, code, reasons, subject, attempt: numberIn(result, "attempt") };
};

const ofDiagnostic = (result: Group): Found | undefined => {
  const decision = memberIn(padDecisions, result, "decision");
  return decision && { decision, reasons: namesIn(Object.keys(padReason), result) };
};

const namesIn = (known: readonly string[], result: Group): readonly string[] =>
  listIn(result, "reasons").flatMap((one) => memberOf(known, one) ?? []);

const ofRegistry = (result: Group): Found | undefined => {
  const decision = memberIn(["person", "unknown"], result, "registry");
  const codes = codesOf(
    Object.fromEntries(Object.entries(civilCode).map(([name, { code }]) => [name, { code: Number(code) }])),
  );
  const data = groupIn(result, "data");
  const fields = comparedFields.flatMap((field) => {
    const name = nameOf(codes, data?.[field] === undefined ? undefined : Number(data[field]));
    return name === undefined ? [] : [[field, name]];
  });
  const { facial } = facesOf(result);
  return decision && { decision, facial, ...(data && { fields: Object.fromEntries(fields) }) };
};

const ofCapture = (result: Group): Found | undefined => {
  const decision = memberIn(captureResults, result, "result");
  return decision && { decision, subject: idIn(result, "sessionId") };
};

const ofVerification = (result: Group): Found | undefined => {
  const decision =
    memberIn(verificationDecisions, result, "decision") ?? memberIn(verificationStates, result, "state");
  // `under_age` is a fact about the holder, as the reasons of documents that are sealed.
  const reasons = namesIn(verificationReasons, result).filter((reason) => reason !== "under_age");
  return decision && { decision, reasons, subject: idIn(result, "verificationId") };
};

const ofOperation = (result: Group): Found | undefined => {
  const decision = memberIn(endedStates, result, "state");
  const reason = memberIn([...trackingReasons, expiryReason], result, "reason");
  return decision && { decision, reasons: reason === undefined || reason === "" ? [] : [reason] };
};

/** The kinds of calls that hold a decision, by the name under which a call is recorded. */
export const decisionKinds: Readonly<Record<string, (result: Group) => Found | undefined>> = {
  verification: ofVerification,
  identity: ofFaces,
  authenticateFacial: ofFaces,
  evaluatePassiveLiveness: ofFaces,
  evaluatePassiveLivenessToken: ofFaces,
  authenticateUser: ofUser(codesOf(authenticateUserResult)),
  authenticateUserV2: ofUser(codesOf(authenticateUserResult)),
  updateUserTemplate: ofUser(codesOf(updateUserTemplateResult)),
  documentValidation: ofDocument,
  documentReview: ofDocument,
  padDiagnostic: ofDiagnostic,
  civilValidation: ofRegistry,
  captureStep: ofCapture,
  finishTracking: ofOperation,
  endOperation: ofOperation,
  expiry: ofOperation,
};

/** The decision of a call; undefined for a call that decides nothing. */
export const decisionOf = ({
  id,
  at,
  environment,
  endpoint,
  result,
  policyVersion,
}: AnsweredCall): Decision | undefined => {
  const read = Object.hasOwn(decisionKinds, endpoint) ? decisionKinds[endpoint] : undefined;
  const found = read?.(groupIn({ result }, "result") ?? {});
  return (
    found && {
      at,
      environment,
      kind: endpoint,
      transactionId: id,
      subject: found.subject,
      attempt: found.attempt,
      decision: found.decision,
      code: found.code,
      reasons: found.reasons ?? [],
      facial: found.facial,
      liveness: found.liveness,
      fields: found.fields,
      policyVersion,
    }
  );
};
