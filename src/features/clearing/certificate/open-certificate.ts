import { createHash } from "node:crypto";
import type { CertificateContent } from "#contract/clearing-certificate";
import type { Call } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { isGroup, type Json } from "#contract/json";
import { type PortraitEvidence, portraitEvidences } from "#contract/portrait-evidence";
import { knownReference } from "#contract/reference";
import { verificationCode } from "#contract/verification-code";
import type { FoundValidation, GetValidation } from "#judging/document/validation/find-validation";
import { countableRateOf } from "#judging/face/countable-rate";
import { countedRateAt } from "#judging/face/matching/counted-rate";
import type { HashAuthentication } from "#record/transactions/authentication-hash";
import type { TransactionRecord } from "#record/transactions/record";
import { stepOf } from "#record/transactions/record-call";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import type { ClearingCommands } from "../store/clearing-store.ts";
import type { ClearingOwner, ClearingToken } from "../store/clearing-token.ts";
import { documentComparisonIn } from "../verify/document-comparison.ts";
import { type ClearingEvidenceKind, certificateUrl } from "../verify/issue.ts";
import { livenessLevelOf } from "../verify/judge-assurance.ts";
import { resultsOf } from "../verify/judge-preconditions.ts";
import type { HashToken } from "../verify/token.ts";
import type { Certificate } from "./certificate.ts";
import type { CertificateForm } from "./negotiate.ts";

/** A certificate in its form: the content itself, or the bytes of a file. */
export type OpenedCertificate =
  | { readonly form: "application/json"; readonly content: CertificateContent }
  | {
      readonly form: Exclude<CertificateForm, "application/json">;
      readonly content: CertificateContent;
      readonly parts: readonly Uint8Array[];
    };

export type OpenDeps = {
  readonly store: Pick<ClearingCommands, "findClearingToken" | "useClearingToken"> &
    Pick<TransactionCommands, "findTransaction">;
  readonly getValidation: GetValidation;
  readonly hashToken: HashToken;
  readonly hashAuthentication: HashAuthentication;
  /** `codigo_verificacion` of a transaction. */
  readonly codeOf: (transactionId: string) => string;
  readonly writePage: (certificate: Certificate) => Promise<string>;
  /** Draws and signs the PDF, in a thread; undefined where the deployment has no signer. */
  readonly signPdf:
    | ((certificate: Certificate, signal: AbortSignal) => Promise<readonly Uint8Array[]>)
    | undefined;
  readonly provider: string;
  readonly release: string;
  readonly baseUrl: () => string;
  readonly newId: () => string;
  readonly clock: () => Date;
};

/** What a caller presents to open a certificate. */
export type AskedCertificate = {
  readonly transactionId: string;
  readonly token: string;
  readonly form: CertificateForm;
  /** Called for a token that opens nothing. Fails with rate_limited where its sender has sent too many. */
  readonly chargeWrongToken: () => void;
  /**
   * Fails where the caller lacks credentials. It is costly, and charged, so it comes after a token that opens
   * something.
   */
  readonly requireCredentials: () => Promise<void>;
};

/**
 * Opens a certificate with a token. Each opening counts as a use, and its evidence commits with the count,
 * before the bytes leave. Fails with not_found for a token that is wrong, used up, expired, of another
 * transaction, tenant or environment: all answers are the same, with any credentials, up to the limit of
 * wrong tokens. A failure of the credentials or the signer takes no use. Made by {@link makeOpenCertificate}.
 */
export type OpenCertificate = (
  call: Pick<Call<unknown>, "caller" | "signal">,
  asked: AskedCertificate,
) => Promise<OpenedCertificate>;

export const makeOpenCertificate =
  (deps: OpenDeps): OpenCertificate =>
  async ({ caller, signal }, { transactionId: sent, token, form, chargeWrongToken, requireCredentials }) => {
    const of: ClearingOwner = { tenantId: caller.tenantId, environment: caller.environment };
    const transactionId = knownReference(sent);
    const hash = await deps.hashToken(of, transactionId, token);
    const now = deps.clock();
    const found = await deps.store.findClearingToken(of, hash, now);
    const record = found && (await deps.store.findTransaction(of.tenantId, found.transactionId));
    if (found === undefined || record === undefined) {
      chargeWrongToken();
      throw new Failure("not_found");
    }
    await requireCredentials();
    const content = await contentOf(deps, of, { record, token: found, now });
    const link = certificateUrl(deps.baseUrl(), transactionId, token);
    const opened = await write(deps, { content, link, release: deps.release }, form, signal);
    const body = evidenceOf(opened, found, caller.keyId);
    const kind = "clearing_certificate_opened" satisfies ClearingEvidenceKind;
    const evidence = [{ id: deps.newId(), kind, at: now, body }];
    if (!(await deps.store.useClearingToken(of, hash, now, stepOf({ evidence }))))
      throw new Failure("not_found");
    return opened;
  };

type Found = { readonly record: TransactionRecord; readonly token: ClearingToken; readonly now: Date };

const contentOf = async (
  deps: OpenDeps,
  of: ClearingOwner,
  { record, token, now }: Found,
): Promise<CertificateContent> => {
  const kept = await findKept(deps, of, token.validationId);
  const issued = await deps.store.findTransaction(of.tenantId, token.issuedBy);
  const comparison = issued && documentComparisonIn(issued);
  const { facial, liveness } = resultsOf(record);
  return {
    environment: of.environment,
    serviceTransactionId: record.id,
    codigoVerificacion: deps.codeOf(record.id),
    facialAuthenticationResult: facial ?? 0,
    facialAuthenticationSimilarity: similarityOf(record) ?? 0,
    ...countedOf(record),
    passiveLivenessResult: liveness ?? 0,
    livenessLevel: livenessLevelOf(record.measurements) ?? null,
    // A token is issued for an approved validation alone, and an approval is final.
    documentValidationCode: verificationCode.Approved,
    scanReference: token.validationId,
    verifiedAt: record.at.toISOString(),
    documentDecidedAt: kept?.decidedAt ?? null,
    samePersonBy: token.samePersonBy,
    documentComparison: comparison === undefined ? null : countedOf(comparison),
    portraitEvidence: (issued && evidenceIn(issued)) ?? kept?.portraitEvidence ?? null,
    personIsKept: kept !== undefined,
    ...personAndDocument(kept),
    provider: deps.provider,
    hashes: {
      facialAuthenticationHash: (await deps.hashAuthentication(record)) ?? null,
      policyVersion: record.policyVersion,
      models: record.models,
    },
    tokenExpiresAt: token.expiresAt.toISOString(),
    // This opening counts already.
    openingsLeft: Math.max(0, token.usesMax - token.uses - 1),
    issuedAt: now.toISOString(),
  };
};

/** What was counted at the score of the comparison; nulls where nothing was. */
const countedOf = (record: Parameters<typeof countableRateOf>[0]) => {
  const rate = countableRateOf(record);
  const counted = rate === undefined ? undefined : countedRateAt(rate);
  return {
    countedFalseMatchRate: counted === undefined ? null : 1 / counted.oneIn,
    countedPairs: counted?.pairs ?? null,
    countedFalseMatchRateWorstGroup: counted === undefined ? null : 1 / counted.worstGroup.oneIn,
    countedPairsWorstGroup: counted?.worstGroup.pairs ?? null,
  } satisfies Partial<CertificateContent>;
};

/** The evidence of the portrait under which a token was issued; undefined where its record states none. */
const evidenceIn = ({ result }: Pick<TransactionRecord, "result">): PortraitEvidence | undefined =>
  portraitEvidences.find((one) => isGroup(result) && one === result["portraitEvidence"]);

/** The record of the validation; undefined after its retention or an erasure. */
const findKept = async (
  { getValidation }: OpenDeps,
  of: ClearingOwner,
  id: string,
): Promise<FoundValidation["record"] | undefined> => {
  try {
    return (await getValidation(of, id)).record;
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  }
};

const personAndDocument = (kept: FoundValidation["record"] | undefined) => {
  if (kept === undefined) return { person: null, document: null };
  const { firstName, lastName, idNumber = null, dateOfBirth } = kept.person;
  const { type, country, number } = kept.document;
  return {
    person: { firstName, lastName, idNumber, dateOfBirth },
    document: { type, country, number },
  };
};

const similarityOf = ({ measurements }: TransactionRecord): number | null => {
  const comparison = isGroup(measurements) ? measurements["comparison"] : undefined;
  const value = isGroup(comparison) ? comparison["similarity"] : undefined;
  return typeof value === "number" ? value : null;
};

const write = async (
  { writePage, signPdf }: OpenDeps,
  certificate: Certificate,
  form: CertificateForm,
  signal: AbortSignal,
): Promise<OpenedCertificate> => {
  const { content } = certificate;
  if (form === "application/json") return { form, content };
  if (form === "text/html") {
    return { form, content, parts: [Buffer.from(await writePage(certificate), "utf8")] };
  }
  if (signPdf === undefined) throw new Error("A PDF was asked for without a signer");
  return { form, content, parts: await signPdf(certificate, signal) };
};

/** What was handed out to which key, with the hash of a file. No name: evidence outlives the validation. */
const evidenceOf = (opened: OpenedCertificate, token: ClearingToken, keyId: string): Json => {
  const { transactionId, validationId, issuedBy, environment } = token;
  const facts = {
    transaction: transactionId,
    validation: validationId,
    token: issuedBy,
    environment,
    key: keyId,
  };
  if (opened.form === "application/json") return { ...facts, form: opened.form };
  const hash = createHash("sha256");
  opened.parts.forEach((part) => hash.update(part));
  return { ...facts, form: opened.form, sha256: hash.digest("hex") };
};
