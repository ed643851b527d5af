import { Failure } from "#contract/failure";
import type { Json } from "#contract/json";
import { knownReference } from "#contract/reference";
import { verificationCode } from "#contract/verification-code";
import type { FoundValidation, GetValidation } from "#judging/document/validation/find-validation";
import type { ReadSubmission, Submission } from "#judging/document/validation/read-submission";
import type { TransactionRecord } from "#record/transactions/record";
import type { CallEntry } from "#record/transactions/record-call";
import { stepOf, transactionOf } from "#record/transactions/record-call";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import type { NewOneShot } from "#record/webhooks/one-shot/one-shot";
import type {
  IssueCall,
  IssuedToken,
  IssueToken,
  IssueWish,
  RequirePerson,
  VerifiedPerson,
} from "../issue-token.ts";
import type { ClearingCommands } from "../store/clearing-store.ts";
import type { ClearingOwner, ClearingToken } from "../store/clearing-token.ts";
import { withComparison } from "./document-comparison.ts";
import type { FindPerson, FoundPerson } from "./find-person.ts";
import { type ClearingAssurance, judgeAssurance, judgeDocumentRate } from "./judge-assurance.ts";
import { judgeOperation, judgePreconditions } from "./judge-preconditions.ts";
import type { HashToken } from "./token.ts";

/** Kinds of evidence of pension clearing. */
export const clearingEvidenceKinds = [
  "clearing_token_issued",
  "clearing_certificate_opened",
  "clearing_credentials_set",
  "clearing_credentials_removed",
] as const;

export type ClearingEvidenceKind = (typeof clearingEvidenceKinds)[number];

export type IssueDeps = {
  readonly store: Pick<ClearingCommands, "recordClearingToken" | "findOperationOf"> &
    Pick<TransactionCommands, "findTransaction">;
  readonly getValidation: GetValidation;
  readonly readSubmission: ReadSubmission;
  readonly findPerson: FindPerson;
  readonly hashToken: HashToken;
  readonly newId: () => string;
  readonly clock: () => Date;
  /**
   * Until when and how often a token opens its certificate, and what it needs beside the interface's
   * preconditions.
   */
  readonly policy: {
    readonly tokenMs: number;
    readonly usesMax: number;
    readonly assurance: ClearingAssurance;
  };
  /** Address of the service, asked when a URL is made. */
  readonly baseUrl: () => string;
};

/** Version of the preconditions. A record of `clearing-1` does not tell its assurance. */
const versionOf = (assurance: ClearingAssurance): string => `clearing-2+${assurance}`;

/** What differs between the calls that issue a token. */
export type IssueForm = {
  /** The call in its record. */
  readonly endpoint: string;
  readonly newToken: () => string;
  /** Life of the token. If absent, that of the policy applies. */
  readonly tokenMs?: number;
  /** The last precondition; absent where the call has none of its own. */
  readonly requirePerson?: RequirePerson | undefined;
  /** Kept sealed with the record. */
  readonly measurements: Json;
  /** The callback that commits with the token; absent where the call has none. */
  readonly callbackOf?: (row: ClearingToken, token: string) => Promise<NewOneShot>;
};

/** As {@link IssueToken}, in the form of one call. */
export type Issue = (call: IssueCall, wish: IssueWish, form: IssueForm) => Promise<IssuedToken>;

export const makeIssueToken =
  (issue: Issue, newToken: IssueForm["newToken"]): IssueToken =>
  (call, wish, requirePerson) =>
    issue(call, wish, { endpoint: "verifyClearing", newToken, requirePerson, measurements: null });

/** The token, its record, its evidence and its callback commit together. */
export const makeIssue =
  (deps: IssueDeps): Issue =>
  async (call, wish, form) => {
    const { tenantId, environment } = call.caller;
    const of: ClearingOwner = { tenantId, environment };
    const identity = await getTransaction(deps, of, wish.transactionId);
    const validation = await deps.getValidation(call.caller, wish.scanReference);
    const { status, portraitEvidence } = validation.record;
    const unmet =
      judgePreconditions(identity, verificationCode[status]) ??
      judgeAssurance(deps.policy.assurance, identity, portraitEvidence);
    if (unmet !== undefined) throw unmet;
    const document = await deps.readSubmission(call.caller, validation.id);
    const operationId = await joinOperation(deps, of, identity, document);
    const { portrait } = validation.record;
    const joined = { identity, document, operationId, ...(portrait && { portrait }) };
    const person = await deps.findPerson(joined, call.signal);
    const tooLow = judgeDocumentRate(deps.policy.assurance, person);
    if (tooLow !== undefined) throw tooLow;
    form.requirePerson?.(personOf(validation));
    return await record(deps, call, { identity, validation, person }, form);
  };

const getTransaction = async (
  { store }: IssueDeps,
  { tenantId, environment }: ClearingOwner,
  id: string,
): Promise<TransactionRecord> => {
  const found = await store.findTransaction(tenantId, knownReference(id));
  if (found === undefined || found.environment !== environment) throw new Failure("not_found");
  return found;
};

/**
 * The operation of both calls; undefined where neither names one. Fails with clearing_other_operation. The
 * step of a call decides: a step that was left out, or is not kept any more, names none.
 */
const joinOperation = async (
  { store }: IssueDeps,
  of: ClearingOwner,
  identity: TransactionRecord,
  { operation }: Submission,
): Promise<string | undefined> => {
  const ofIdentity = await store.findOperationOf(of, identity.id);
  const ofDocument =
    operation?.call === undefined ? operation?.id : await store.findOperationOf(of, operation.call);
  const refused = judgeOperation(ofIdentity, ofDocument);
  if (refused !== undefined) throw refused;
  return ofIdentity;
};

type Verified = {
  readonly identity: TransactionRecord;
  readonly validation: FoundValidation;
  readonly person: FoundPerson;
};

const record = async (
  deps: IssueDeps,
  call: IssueCall,
  verified: Verified,
  form: IssueForm,
): Promise<IssuedToken> => {
  const { tenantId, environment } = call.caller;
  const { identity, validation, person } = verified;
  const now = deps.clock();
  const token = form.newToken();
  const row: ClearingToken = {
    tenantId,
    environment,
    hash: await deps.hashToken(call.caller, identity.id, token),
    transactionId: identity.id,
    validationId: validation.id,
    issuedBy: call.transactionId,
    samePersonBy: person.samePersonBy,
    createdAt: now,
    expiresAt: new Date(now.getTime() + (form.tokenMs ?? deps.policy.tokenMs)),
    uses: 0,
    usesMax: deps.policy.usesMax,
  };
  const entry = entryOf(row, verified, form, deps.policy.assurance);
  const body = { transaction: call.transactionId, key: call.caller.keyId, environment, ...entry.result };
  const kind = "clearing_token_issued" satisfies ClearingEvidenceKind;
  const evidence = [{ id: deps.newId(), kind, at: now, body }];
  const callback = await form.callbackOf?.(row, token);
  await deps.store.recordClearingToken(row, transactionOf(call, entry), stepOf({ evidence }), callback);
  return {
    token,
    expiresAt: row.expiresAt,
    usesMax: row.usesMax,
    verifiedAt: identity.at,
    person: personOf(validation),
    certificateUrl: certificateUrl(deps.baseUrl(), identity.id, token),
  };
};

/** The record states under what the token was issued, for when the settings are others. */
const entryOf = (
  row: ClearingToken,
  { validation, person: { comparison } }: Verified,
  { endpoint, measurements }: IssueForm,
  assurance: ClearingAssurance,
) => {
  const { transactionId: identity, validationId: scanReference, samePersonBy, usesMax } = row;
  const { portraitEvidence = null } = validation.record;
  const expiresAt = row.expiresAt.toISOString();
  return {
    endpoint,
    result: { identity, scanReference, samePersonBy, assurance, portraitEvidence, expiresAt, usesMax },
    measurements: withComparison(measurements, comparison),
    policyVersion: versionOf(assurance),
    models: comparison?.models ?? {},
  } satisfies CallEntry;
};

const personOf = ({ record: { person, document } }: FoundValidation): VerifiedPerson => ({
  firstName: person.firstName,
  lastName: person.lastName,
  idNumber: person.idNumber ?? null,
  dateOfBirth: person.dateOfBirth,
  documentNumber: document.number,
  documentCountry: document.country,
});

/** Address of a certificate. Token and transaction need no escapes. */
export const certificateUrl = (baseUrl: string, transactionId: string, token: string): string =>
  `${baseUrl}/services/clearing/${transactionId}/certificate?token=${token}`;
