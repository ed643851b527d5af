/**
 * Composition of pension clearing: what issues verification tokens, and what opens certificates with them.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { version } from "#contract/version";
import { makeDrawQr } from "#features/clearing/certificate/draw-qr";
import { certificateForms } from "#features/clearing/certificate/negotiate";
import { makeOpenCertificate } from "#features/clearing/certificate/open-certificate";
import { writePage } from "#features/clearing/certificate/write-page";
import { type CheckDeps, makeCheckCredentials } from "#features/clearing/credentials/check-credentials";
import { makePasswords } from "#features/clearing/credentials/password";
import { makePasswordQueue } from "#features/clearing/credentials/password-queue";
import { type CredentialAdmin, makeCredentialAdmin } from "#features/clearing/credentials/set-credentials";
import { guessLimits, makeGuesses } from "#features/clearing/guess-limit";
import { certificateEndpoints } from "#features/clearing/http/certificate.endpoint";
import { verifyEndpoints } from "#features/clearing/http/verify.endpoint";
import type { IssueToken } from "#features/clearing/issue-token";
import { verificationCodeOf } from "#features/clearing/verification-code";
import { makeFindPerson } from "#features/clearing/verify/find-person";
import { type Issue, type IssueDeps, makeIssue, makeIssueToken } from "#features/clearing/verify/issue";
import { makeHashToken, makeVerificationToken } from "#features/clearing/verify/token";
import { type GetValidation, getValidation } from "#judging/document/validation/find-validation";
import { readSubmission } from "#judging/document/validation/read-submission";
import { makeSealing } from "#judging/document/validation/sealed";
import { makeComparePortrait } from "#judging/face/compare-portrait";
import type { FaceDeps } from "#judging/face/service";
import { makeAddressLimit } from "#machine/http/address-limit";
import { makeTokenBuckets } from "#machine/http/token-bucket";
import type { ByEnvironment } from "./by-environment.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import type { SigningService } from "./signing.ts";
import type { ReadyConfig, Storage } from "./storage.ts";

/** What pension clearing needs of the service. */
export type ClearingParts = Pick<Parts, "baseUrl" | "hashAuthentication" | "clock"> & {
  readonly storage: Pick<Storage, "store" | "keyring" | "blobs">;
  readonly config: {
    readonly clearing: Pick<ReadyConfig["clearing"], "tokenMs" | "usesMax" | "provider" | "assurance">;
  };
  readonly faceServiceOf: ByEnvironment<FaceDeps>;
  readonly isPassword: CheckDeps["isPassword"];
  /** Absent: no certificate is a PDF. */
  readonly signCertificate: SigningService["signCertificate"] | undefined;
};

export type Clearing = {
  readonly module: Module;
  /** The same for calls with another form of token. */
  readonly issue: Issue;
  /** Issues a token without a call of the interface, for transfers. */
  readonly issueToken: IssueToken;
};

const openIssue = (
  parts: ClearingParts,
  shared: Pick<IssueDeps, "getValidation" | "hashToken">,
): IssueDeps => {
  const { storage, config, clock, baseUrl, faceServiceOf } = parts;
  const { store, keyring, blobs } = storage;
  const held = { store, sealing: makeSealing(keyring), blobs };
  return {
    store,
    ...shared,
    readSubmission: (caller, id) => readSubmission(held, caller, id),
    findPerson: async (joined, signal) => {
      const compareFaces = makeComparePortrait(faceServiceOf(joined.identity), "document");
      return await makeFindPerson({ store, blobs, compareFaces })(joined, signal);
    },
    newId: randomUUID,
    clock,
    policy: config.clearing,
    baseUrl,
  };
};

const codeOf = (transactionId: string): string => {
  const code = verificationCodeOf(transactionId);
  if (code === undefined) throw new Error("A stored transaction has no UUID");
  return code;
};

/** Opens the endpoints of verification tokens and certificates. */
export const openClearing = (parts: ClearingParts): Clearing => {
  const { storage, config, isPassword, signCertificate, hashAuthentication, baseUrl, clock } = parts;
  const { store, keyring } = storage;
  const sealing = makeSealing(keyring);
  const readValidation: GetValidation = (caller, id) => getValidation({ store, sealing }, caller, id);
  const hashToken = makeHashToken(keyring);
  const issue = makeIssue(openIssue(parts, { getValidation: readValidation, hashToken }));
  const issueToken = makeIssueToken(issue, () => makeVerificationToken(randomBytes));
  const drawQr = makeDrawQr();
  const openCertificate = makeOpenCertificate({
    store,
    getValidation: readValidation,
    hashToken,
    hashAuthentication,
    codeOf,
    writePage: async (certificate) => await writePage(certificate, drawQr),
    signPdf: signCertificate,
    provider: config.clearing.provider,
    release: version,
    baseUrl,
    newId: randomUUID,
    clock,
  });
  const guesses = makeGuesses({
    tokens: makeAddressLimit(guessLimits.tokensOfAddress, clock),
    passwords: makeAddressLimit(guessLimits.passwordsOfAddress, clock),
    transactions: makeTokenBuckets(guessLimits.passwordsOfTransaction),
    clock,
  });
  const forms = certificateForms.filter(
    (form) => form !== "application/pdf" || signCertificate !== undefined,
  );
  const checkCredentials = makeCheckCredentials({ store, isPassword, inTurn: makePasswordQueue() });
  return {
    issue,
    issueToken,
    module: {
      name: "clearing",
      endpoints: [
        ...verifyEndpoints(issueToken),
        ...certificateEndpoints({ openCertificate, checkCredentials, guesses, forms }),
      ],
    },
  };
};

/** The operator's way to clearing credentials. */
export const openCredentialAdmin = (
  store: Parameters<typeof makeCredentialAdmin>[0]["store"],
): CredentialAdmin =>
  makeCredentialAdmin({
    store,
    hashPassword: makePasswords().hash,
    clock: () => new Date(),
    newId: randomUUID,
  });
