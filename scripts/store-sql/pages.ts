// The SQL pages beside the store files, for golden.ts.
import { type Tables, withOperations } from "#app/store-commands";
import { makeCaptureCommands } from "#features/capture/store/capture-store";
import { makeClearingCommands } from "#features/clearing/store/clearing-store";
import { makeTransferCommands } from "#features/clearing/store/transfer-store";
import { makeRegistryPersonCommands } from "#features/registry/store/registry-person-store";
import { makeSignedDocumentCommands } from "#features/signing/store/signed-document-store";
import { makeFaceListCommands } from "#features/users/store/face-list-store";
import { makeUserCommands } from "#features/users/store/user-store";
import { makeVerificationCommands } from "#features/verification/store/verification-store";
import { makeBlobRetentionCommands } from "#judging/document/store/blob-retention-store";
import { makeClaimCommands } from "#judging/document/store/claim-store";
import { makeLeaseCommands } from "#judging/document/store/lease-store";
import { makeListedDocumentCommands } from "#judging/document/store/listed-document-store";
import { makeReviewCommands } from "#judging/document/store/review-store";
import { makeValidationRetentionCommands } from "#judging/document/store/validation-retention-store";
import { makeValidationCommands } from "#judging/document/store/validation-store";
import { makeWaitingCommands } from "#judging/document/store/waiting-store";
import { makeBlobCommands } from "#machine/storage/blob-store";
import type { Commands } from "#machine/storage/commands";
import type { Session } from "#machine/storage/database";
import { makeScrubCommands } from "#machine/storage/scrub-store";
import { makeIdempotencyCommands } from "#record/idempotency/store/idempotency-store";
import { makeAssetCommands } from "#record/operations/store/asset-store";
import { makeExpiryCommands } from "#record/operations/store/expiry-store";
import { makeOperationRetentionCommands } from "#record/operations/store/operation-retention-store";
import { makeOperationCommands } from "#record/operations/store/operation-store";
import { makeRightsCommands } from "#record/rights/rights-store";
import { makeEvidenceCommands } from "#record/transactions/store/evidence-store";
import { makeResultCommands } from "#record/transactions/store/result-store";
import { makeRetentionCommands } from "#record/transactions/store/retention-store";
import type { StepSession } from "#record/transactions/store/step-store";
import { makeTransactionCommands } from "#record/transactions/store/transaction-store";
import { makeAttemptCommands } from "#record/webhooks/store/attempt-store";
import { makeDeliveryCommands } from "#record/webhooks/store/delivery-store";
import { makeDestinationCommands } from "#record/webhooks/store/destination-store";
import { makeOneShotCommands } from "#record/webhooks/store/one-shot-store";
import { makeReplayCommands } from "#record/webhooks/store/replay-store";
import { makeTokenCommands } from "#record/webhooks/store/token-store";
import { makeKeyCommands } from "#trust/key-ring/key-store";
import { makeSecretCommands } from "#trust/key-ring/secret-store";
import { makeRateCommands } from "#trust/tenants/store/rate-store";
import { makeTenantCommands } from "#trust/tenants/store/tenant-store";
import * as captures from "./calls-captures.ts";
import * as clearing from "./calls-clearing.ts";
import * as deliveries from "./calls-deliveries.ts";
import * as documents from "./calls-documents.ts";
import * as operations from "./calls-operations.ts";
import * as users from "./calls-users.ts";
import * as verifications from "./calls-verifications.ts";
import * as webhooks from "./calls-webhooks.ts";
import { type Calls, writeSqlPage } from "./record.ts";

const page = <Own extends Commands>(
  file: string,
  makeCommands: (session: StepSession<Tables>) => Own,
  calls: Calls<Own>,
) => {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return {
    path: `src/${file}.sql.md`,
    write: () =>
      writeSqlPage(`${name}.ts`, (session: Session<Tables>) => makeCommands(withOperations(session)), calls),
  };
};

/** Path from the project's root, and the writer of each page. */
export const sqlPages = [
  page("trust/tenants/store/tenant-store", makeTenantCommands, users.tenantCalls),
  page("trust/tenants/store/rate-store", makeRateCommands, users.rateCalls),
  page("record/transactions/store/step-store", users.makeStepCommands, users.stepCalls),
  page("record/transactions/store/transaction-store", makeTransactionCommands, users.transactionCalls),
  page("record/transactions/store/result-store", makeResultCommands, users.resultCalls),
  page("record/transactions/store/retention-store", makeRetentionCommands, users.retentionCalls),
  page("record/transactions/store/evidence-store", makeEvidenceCommands, users.evidenceCalls),
  page("record/operations/store/operation-store", makeOperationCommands, operations.operationCalls),
  page("record/operations/store/expiry-store", makeExpiryCommands, operations.expiryCalls),
  page("record/operations/store/asset-store", makeAssetCommands, operations.assetCalls),
  page(
    "record/operations/store/operation-retention-store",
    (session: Session<Tables>) => makeOperationRetentionCommands(session, () => Promise.resolve()),
    operations.operationRetentionCalls,
  ),
  page("record/idempotency/store/idempotency-store", makeIdempotencyCommands, users.idempotencyCalls),
  page("features/users/store/user-store", makeUserCommands, users.userCalls),
  page(
    "features/users/store/face-list-store",
    (session: StepSession<Tables>) => ({
      ...makeFaceListCommands(session),
      ...users.makeFaceListReads(session),
    }),
    users.faceListCalls,
  ),
  page(
    "features/registry/store/registry-person-store",
    makeRegistryPersonCommands,
    documents.registryPersonCalls,
  ),
  page("judging/document/store/validation-store", makeValidationCommands, documents.validationCalls),
  page("judging/document/store/lease-store", makeLeaseCommands, documents.leaseCalls),
  page("judging/document/store/waiting-store", makeWaitingCommands, documents.waitingCalls),
  page("judging/document/store/review-store", makeReviewCommands, documents.reviewCalls),
  page("judging/document/store/claim-store", makeClaimCommands, documents.claimCalls),
  page(
    "judging/document/store/listed-document-store",
    makeListedDocumentCommands,
    documents.listedDocumentCalls,
  ),
  page(
    "judging/document/store/blob-retention-store",
    makeBlobRetentionCommands,
    documents.blobRetentionCalls,
  ),
  page(
    "judging/document/store/validation-retention-store",
    makeValidationRetentionCommands,
    documents.validationRetentionCalls,
  ),
  page("features/capture/store/capture-store", makeCaptureCommands, captures.captureCalls),
  page(
    "features/verification/store/verification-store",
    makeVerificationCommands,
    verifications.verificationCalls,
  ),
  page("features/clearing/store/clearing-store", makeClearingCommands, clearing.clearingCalls),
  page("features/clearing/store/transfer-store", makeTransferCommands, clearing.transferCalls),
  page(
    "features/signing/store/signed-document-store",
    makeSignedDocumentCommands,
    documents.signedDocumentCalls,
  ),
  page(
    "machine/storage/blob-store",
    (session: StepSession<Tables>) => ({
      ...makeBlobCommands(session),
      ...documents.makeBlobParts(session),
    }),
    documents.blobCalls,
  ),
  page(
    "trust/key-ring/key-store",
    (session: Session<Tables>) => makeKeyCommands(session, () => Promise.resolve()),
    documents.keyCalls,
  ),
  page("machine/storage/scrub-store", makeScrubCommands, documents.scrubCalls),
  page(
    "record/rights/rights-store",
    (session: Session<Tables>) => makeRightsCommands(session, () => Promise.resolve()),
    documents.rightsCalls,
  ),
  page("trust/key-ring/secret-store", makeSecretCommands, documents.secretCalls),
  page(
    "record/webhooks/store/delivery-store",
    (session: StepSession<Tables>) => ({
      ...makeDeliveryCommands(session),
      ...deliveries.makeRemovals(session),
    }),
    deliveries.deliveryCalls,
  ),
  page("record/webhooks/store/one-shot-store", makeOneShotCommands, webhooks.oneShotCalls),
  page("record/webhooks/store/replay-store", makeReplayCommands, deliveries.replayCalls),
  page("record/webhooks/store/attempt-store", makeAttemptCommands, deliveries.attemptCalls),
  page("record/webhooks/store/destination-store", makeDestinationCommands, webhooks.destinationCalls),
  page("record/webhooks/store/token-store", makeTokenCommands, webhooks.tokenCalls),
];
