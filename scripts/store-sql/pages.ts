// The SQL pages beside the store files, for golden.ts.
import type { Tables } from "#app/store-commands";
import { makeCaptureCommands } from "#capture/store/capture-store";
import { makeCallbackCommands } from "#clearing/store/callback-store";
import { makeClearingCommands } from "#clearing/store/clearing-store";
import { makeTransferCommands } from "#clearing/store/transfer-store";
import { makeBlobRetentionCommands } from "#document/store/blob-retention-store";
import { makeClaimCommands } from "#document/store/claim-store";
import { makeLeaseCommands } from "#document/store/lease-store";
import { makeListedDocumentCommands } from "#document/store/listed-document-store";
import { makeReviewCommands } from "#document/store/review-store";
import { makeValidationRetentionCommands } from "#document/store/validation-retention-store";
import { makeValidationCommands } from "#document/store/validation-store";
import { makeWaitingCommands } from "#document/store/waiting-store";
import { makeIdempotencyCommands } from "#idempotency/store/idempotency-store";
import { makeRegistryPersonCommands } from "#registry/store/registry-person-store";
import { makeSignedDocumentCommands } from "#signing/store/signed-document-store";
import { makeBlobCommands } from "#storage/blob-store";
import type { Commands } from "#storage/commands";
import type { Session } from "#storage/database";
import { makeKeyCommands } from "#storage/key-store";
import { makeRightsCommands } from "#storage/rights/rights-store";
import { makeScrubCommands } from "#storage/scrub-store";
import { makeSecretCommands } from "#storage/secret-store";
import { makeRateCommands } from "#tenants/store/rate-store";
import { makeTenantCommands } from "#tenants/store/tenant-store";
import { makeAssetCommands } from "#tracking/store/asset-store";
import { makeExpiryCommands } from "#tracking/store/expiry-store";
import { makeOperationRetentionCommands } from "#tracking/store/operation-retention-store";
import { makeOperationCommands } from "#tracking/store/operation-store";
import { makeEvidenceCommands } from "#transactions/store/evidence-store";
import { makeResultCommands } from "#transactions/store/result-store";
import { makeRetentionCommands } from "#transactions/store/retention-store";
import { makeTransactionCommands } from "#transactions/store/transaction-store";
import { makeFaceListCommands } from "#users/store/face-list-store";
import { makeUserCommands } from "#users/store/user-store";
import { makeVerificationCommands } from "#verification/store/verification-store";
import { makeAttemptCommands } from "#webhooks/store/attempt-store";
import { makeDeliveryCommands } from "#webhooks/store/delivery-store";
import { makeDestinationCommands } from "#webhooks/store/destination-store";
import { makeReplayCommands } from "#webhooks/store/replay-store";
import { makeTokenCommands } from "#webhooks/store/token-store";
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
  makeCommands: (session: Session<Tables>) => Own,
  calls: Calls<Own>,
) => {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return {
    path: `src/${file}.sql.md`,
    write: () => writeSqlPage(`${name}.ts`, makeCommands, calls),
  };
};

/** Path from the project's root, and the writer of each page. */
export const sqlPages = [
  page("tenants/store/tenant-store", makeTenantCommands, users.tenantCalls),
  page("tenants/store/rate-store", makeRateCommands, users.rateCalls),
  page("transactions/store/step-store", users.makeStepCommands, users.stepCalls),
  page("transactions/store/transaction-store", makeTransactionCommands, users.transactionCalls),
  page("transactions/store/result-store", makeResultCommands, users.resultCalls),
  page("transactions/store/retention-store", makeRetentionCommands, users.retentionCalls),
  page("transactions/store/evidence-store", makeEvidenceCommands, users.evidenceCalls),
  page("tracking/store/operation-store", makeOperationCommands, operations.operationCalls),
  page("tracking/store/expiry-store", makeExpiryCommands, operations.expiryCalls),
  page("tracking/store/asset-store", makeAssetCommands, operations.assetCalls),
  page(
    "tracking/store/operation-retention-store",
    (session: Session<Tables>) => makeOperationRetentionCommands(session, () => Promise.resolve()),
    operations.operationRetentionCalls,
  ),
  page("idempotency/store/idempotency-store", makeIdempotencyCommands, users.idempotencyCalls),
  page("users/store/user-store", makeUserCommands, users.userCalls),
  page(
    "users/store/face-list-store",
    (session: Session<Tables>) => ({
      ...makeFaceListCommands(session),
      ...users.makeFaceListReads(session),
    }),
    users.faceListCalls,
  ),
  page("registry/store/registry-person-store", makeRegistryPersonCommands, documents.registryPersonCalls),
  page("document/store/validation-store", makeValidationCommands, documents.validationCalls),
  page("document/store/lease-store", makeLeaseCommands, documents.leaseCalls),
  page("document/store/waiting-store", makeWaitingCommands, documents.waitingCalls),
  page("document/store/review-store", makeReviewCommands, documents.reviewCalls),
  page("document/store/claim-store", makeClaimCommands, documents.claimCalls),
  page("document/store/listed-document-store", makeListedDocumentCommands, documents.listedDocumentCalls),
  page("document/store/blob-retention-store", makeBlobRetentionCommands, documents.blobRetentionCalls),
  page(
    "document/store/validation-retention-store",
    makeValidationRetentionCommands,
    documents.validationRetentionCalls,
  ),
  page("capture/store/capture-store", makeCaptureCommands, captures.captureCalls),
  page("verification/store/verification-store", makeVerificationCommands, verifications.verificationCalls),
  page("clearing/store/clearing-store", makeClearingCommands, clearing.clearingCalls),
  page("clearing/store/callback-store", makeCallbackCommands, clearing.callbackCalls),
  page("clearing/store/transfer-store", makeTransferCommands, clearing.transferCalls),
  page("signing/store/signed-document-store", makeSignedDocumentCommands, documents.signedDocumentCalls),
  page(
    "storage/blob-store",
    (session: Session<Tables>) => ({
      ...makeBlobCommands(session),
      ...documents.makeBlobParts(session),
    }),
    documents.blobCalls,
  ),
  page(
    "storage/key-store",
    (session: Session<Tables>) => makeKeyCommands(session, () => Promise.resolve()),
    documents.keyCalls,
  ),
  page("storage/scrub-store", makeScrubCommands, documents.scrubCalls),
  page(
    "storage/rights/rights-store",
    (session: Session<Tables>) => makeRightsCommands(session, () => Promise.resolve()),
    documents.rightsCalls,
  ),
  page("storage/secret-store", makeSecretCommands, documents.secretCalls),
  page(
    "webhooks/store/delivery-store",
    (session: Session<Tables>) => ({
      ...makeDeliveryCommands(session),
      ...deliveries.makeRemovals(session),
    }),
    deliveries.deliveryCalls,
  ),
  page("webhooks/store/replay-store", makeReplayCommands, deliveries.replayCalls),
  page("webhooks/store/attempt-store", makeAttemptCommands, deliveries.attemptCalls),
  page("webhooks/store/destination-store", makeDestinationCommands, webhooks.destinationCalls),
  page("webhooks/store/token-store", makeTokenCommands, webhooks.tokenCalls),
];
