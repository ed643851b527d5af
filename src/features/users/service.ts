import type { Call, Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Json } from "#contract/json";
import type { FaceJudging } from "#judging/face/judging";
import type { FaceMeasurement } from "#judging/face/measurement";
import type { Keyring } from "#machine/storage/blobs";
import type { HashAuthentication } from "#record/transactions/authentication-hash";
import type { TrackCall, TrackDecision } from "#record/transactions/operation-step";
import type { EvidenceEntry } from "#record/transactions/record";
import type { CallEntry, RecordCall } from "#record/transactions/record-call";
import type { OpenedToken, OpenToken } from "#trust/tokens/token";
import type { Deduplication } from "./deduplication.ts";
import type { UserPolicy } from "./policy.ts";
import type { AttemptAnswer, Hold } from "./store/user.ts";
import type { UserCommands } from "./store/user-store.ts";
import type { TemplateVault } from "./template-vault.ts";

/** The dependencies of every use case of this module. */
export type UserService = {
  readonly face: FaceJudging;
  readonly vault: TemplateVault;
  readonly keyring: Pick<Keyring, "pseudonym">;
  readonly store: UserCommands;
  readonly recordCall: RecordCall;
  readonly hashAuthentication: HashAuthentication;
  readonly trackCall: TrackCall;
  readonly trackDecision: TrackDecision;
  readonly openToken: OpenToken;
  readonly deduplication: Deduplication;
  readonly policy: UserPolicy;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** The call that a use case answers; part of the contract's `Call`. */
export type UserCall = Pick<
  Call<unknown>,
  "caller" | "transactionId" | "receivedAt" | "signal" | "appName" | "tracking" | "family" | "deferCommit"
>;

/** The user's key in the store. The same identifier in live and test gives two pseudonyms. */
export const pseudonymOf = async (
  keyring: Pick<Keyring, "pseudonym">,
  { tenantId, environment }: Pick<Caller, "tenantId" | "environment">,
  userId: string,
): Promise<string> => await keyring.pseudonym(tenantId, "templates", JSON.stringify([environment, userId]));

type Entry = {
  readonly endpoint: string;
  readonly result: Json;
  readonly measurements?: Json;
  readonly measured?: readonly FaceMeasurement[];
  readonly tokens?: readonly OpenedToken[];
};

/** The record entry of a call: measurements and the versions that made them, nothing that names the user. */
export const entryOf = (
  { face, policy }: Pick<UserService, "face" | "policy">,
  { endpoint, result, measurements = {}, measured = [], tokens = [] }: Entry,
): CallEntry => ({
  endpoint,
  result,
  measurements,
  policyVersion: `${face.policyVersion} ${policy.version}`,
  models: Object.assign({}, ...measured.map((one) => (one.kind === "measured" ? one.models : {}))),
  tokens,
});

/** Kinds of evidence of users and of the block list. `person` is the stored key for a user. */
export const userEvidenceKinds = [
  "person_enrolled",
  "enrolment_refused",
  "person_template_replaced",
  "person_deleted",
  "person_reference_added",
  "person_disabled",
  "person_enabled",
  "face_blocked",
  "face_unblocked",
] as const;

/** An entry of the tenant's evidence; `body` names a user by the random id alone. */
export const evidenceOf = (
  { clock, newId }: Pick<UserService, "clock" | "newId">,
  kind: (typeof userEvidenceKinds)[number],
  body: Json,
): EvidenceEntry => ({ id: newId(), kind, at: clock(), body });

/** Fails with user_disabled or user_paused. */
export const refuseHeld = ({ pausedUntil, disabledAt }: Hold, now: Date): void => {
  if (disabledAt !== undefined) {
    throw new Failure("user_disabled");
  }
  const waitMs = pausedUntil === undefined ? 0 : pausedUntil.getTime() - now.getTime();
  if (waitMs > 0) {
    throw new Failure("user_paused", { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }
};

/**
 * True if the store counted the attempt; false if the user changed and must be judged again. Fails as
 * `refuseHeld`.
 */
export const wasCounted = (answer: AttemptAnswer, now: Date): boolean => {
  if (answer.kind === "held") {
    refuseHeld(answer, now);
    // The pause ended between the readings of the two clocks.
    return false;
  }
  return answer.kind === "recorded";
};

/** The most tries of a call that conflicts with other calls. After them the caller has to repeat it. */
const triesMax = 4;

/**
 * Repeats `attempt` until it returns an answer. It returns undefined, and has written nothing, if another
 * call changed the user between its read and its write. So of two calls at once the second is judged by the
 * state that the first left.
 */
export const untilSettled = async <Answer>(attempt: () => Promise<Answer | undefined>): Promise<Answer> => {
  for (let tries = 0; tries < triesMax; tries++) {
    const answer = await attempt();
    if (answer !== undefined) {
      return answer;
    }
  }
  throw new Failure(
    "store_unavailable",
    {},
    { cause: new Error("Repeat the call: the user changed during every try") },
  );
};
