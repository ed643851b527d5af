import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { FaceJudging } from "#face/judging";
import type { FaceMeasurement } from "#face/measurement";
import type { Keyring } from "#storage/blobs";
import type { AttemptAnswer, Hold, PeopleCommands } from "#storage/person";
import type { EvidenceEntry, Json, Store, TransactionRecord } from "#storage/store";
import type { OpenedToken, OpenToken } from "#tokens/token";
import type { Newcomers } from "./newcomers.ts";
import type { PeoplePolicy } from "./policy.ts";
import type { TemplateVault } from "./template-vault.ts";

/** What every use case of this room takes. */
export type PeopleService = {
  readonly face: FaceJudging;
  readonly vault: TemplateVault;
  readonly keyring: Pick<Keyring, "pseudonym">;
  readonly store: PeopleCommands & Pick<Store, "recordTransaction">;
  readonly openToken: OpenToken;
  readonly newcomers: Newcomers;
  readonly policy: PeoplePolicy;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** The call that a use case answers; part of the contract's `Call`. */
export type PeopleCall = {
  readonly caller: Caller;
  readonly transactionId: string;
  readonly receivedAt: Date;
  readonly signal: AbortSignal;
};

/** What the store knows a user by: live and test users of one identifier are two. */
export const pseudonymOf = async (
  keyring: Pick<Keyring, "pseudonym">,
  { tenantId, world }: Pick<Caller, "tenantId" | "world">,
  userId: string,
): Promise<string> => await keyring.pseudonym(tenantId, "templates", JSON.stringify([world, userId]));

type Entry = {
  readonly endpoint: string;
  readonly result: Json;
  readonly measurements?: Json;
  readonly measured?: readonly FaceMeasurement[];
  readonly tokens?: readonly OpenedToken[];
};

/** The call's row: numbers and what they were made with, nothing that names the user. */
export const recordOf = (
  { face, policy }: Pick<PeopleService, "face" | "policy">,
  { caller, transactionId, receivedAt }: PeopleCall,
  { endpoint, result, measurements = {}, measured = [], tokens = [] }: Entry,
): TransactionRecord => ({
  id: transactionId,
  tenantId: caller.tenantId,
  keyId: caller.keyId,
  world: caller.world,
  endpoint,
  at: receivedAt,
  result,
  measurements,
  policyVersion: `${face.policyVersion} ${policy.version}`,
  models: Object.assign({}, ...measured.map((one) => (one.kind === "measured" ? one.models : {}))),
  tokenHashes: tokens.map(({ hash }) => hash),
});

/** An entry of the tenant's evidence; `body` names a person by the random id alone. */
export const evidenceOf = (
  { clock, newId }: Pick<PeopleService, "clock" | "newId">,
  kind:
    | "person_enrolled"
    | "enrolment_refused"
    | "face_blocked"
    | "face_unblocked"
    | "person_template_replaced"
    | "person_deleted"
    | "person_disabled"
    | "person_enabled",
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

/** Whether the store counted it; false where the user has changed and must be judged anew. Fails as `refuseHeld`. */
export const wasCounted = (answer: AttemptAnswer, now: Date): boolean => {
  if (answer.kind === "held") {
    refuseHeld(answer, now);
    // The pause ended between the two clocks' readings.
    return false;
  }
  return answer.kind === "recorded";
};

/** Calls that meet each other more often than this are told to come again. */
const triesMax = 4;

/**
 * Tries until `attempt` gives something. It gives nothing where another call changed the user between its reading and
 * its writing, which wrote nothing: so of two calls at once the second is judged by what the first left behind.
 */
export const untilSettled = async <Answer>(attempt: () => Promise<Answer | undefined>): Promise<Answer> => {
  for (let tries = 0; tries < triesMax; tries++) {
    const answer = await attempt();
    if (answer !== undefined) {
      return answer;
    }
  }
  throw new Failure("store_unavailable", {}, { cause: new Error("The user changed during every try") });
};
