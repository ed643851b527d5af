/**
 * The commands of every module, listed here and nowhere else; `tables.ts` lists their tables. The SQLite
 * thread loads this file, so it imports no database driver.
 */

import { makeCaptureCommands } from "#features/capture/store/capture-store";
import { makeClearingCommands } from "#features/clearing/store/clearing-store";
import { makeTransferCommands } from "#features/clearing/store/transfer-store";
import { makeRegistryPersonCommands } from "#features/registry/store/registry-person-store";
import { makeSignedDocumentCommands } from "#features/signing/store/signed-document-store";
import { makeFaceListCommands } from "#features/users/store/face-list-store";
import { erasingUserCommands, makeUserCommands } from "#features/users/store/user-store";
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
import type { CommandSet } from "#machine/storage/commands";
import type { Session } from "#machine/storage/database";
import { makeScrubCommands } from "#machine/storage/scrub-store";
import { makeIdempotencyCommands } from "#record/idempotency/store/idempotency-store";
import { makeAssetCommands } from "#record/operations/store/asset-store";
import { makeExpiryCommands } from "#record/operations/store/expiry-store";
import {
  erasingOperationCommands,
  makeOperationRetentionCommands,
} from "#record/operations/store/operation-retention-store";
import { makeOperationCommands } from "#record/operations/store/operation-store";
import { writeOperation } from "#record/operations/store/write-operation";
import { makeRightsCommands } from "#record/rights/rights-store";
import { erasingEvidenceCommands, makeEvidenceCommands } from "#record/transactions/store/evidence-store";
import { makeResultCommands } from "#record/transactions/store/result-store";
import { erasingRetentionCommands, makeRetentionCommands } from "#record/transactions/store/retention-store";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import { makeTransactionCommands } from "#record/transactions/store/transaction-store";
import { makeAttemptCommands } from "#record/webhooks/store/attempt-store";
import { makeDeliveryCommands } from "#record/webhooks/store/delivery-store";
import { makeDestinationCommands } from "#record/webhooks/store/destination-store";
import { fanOut } from "#record/webhooks/store/fan-out";
import { makeOneShotCommands } from "#record/webhooks/store/one-shot-store";
import { removeDeliveries } from "#record/webhooks/store/remove-deliveries";
import { makeReplayCommands } from "#record/webhooks/store/replay-store";
import { makeTokenCommands } from "#record/webhooks/store/token-store";
import { erasingKeyCommands, makeKeyCommands } from "#trust/key-ring/key-store";
import { makeSecretCommands } from "#trust/key-ring/secret-store";
import { makeRateCommands } from "#trust/tenants/store/rate-store";
import { makeTenantCommands } from "#trust/tenants/store/tenant-store";
import { migrations, type Tables } from "./tables.ts";

/**
 * The session of commands that write steps: a step adds to its operation, and each new event gets its
 * deliveries.
 */
const withOperations = (session: Session<Tables>): StepSession<Tables> => ({
  ...session,
  writeOperationStep: async (tenantId, operation) => {
    const events = await writeOperation(session, tenantId, operation);
    await fanOut(session, tenantId, operation.environment, events, operation.onlyTo);
  },
});

/** The commands over one session of a database. */
export const makeCommands = (session: Session<Tables>) => joinCommands(withOperations(session));

const joinCommands = (session: StepSession<Tables>) => ({
  ...makeTenantCommands(session),
  ...makeRateCommands(session),
  ...makeTransactionCommands(session),
  ...makeResultCommands(session),
  ...makeRetentionCommands(session),
  ...makeEvidenceCommands(session),
  ...makeValidationCommands(session),
  ...makeLeaseCommands(session),
  ...makeWaitingCommands(session),
  ...makeReviewCommands(session),
  ...makeClaimCommands(session),
  ...makeListedDocumentCommands(session),
  ...makeBlobRetentionCommands(session),
  ...makeValidationRetentionCommands(session),
  ...makeUserCommands(session),
  ...makeFaceListCommands(session),
  ...makeIdempotencyCommands(session),
  ...makeSignedDocumentCommands(session),
  ...makeRegistryPersonCommands(session),
  ...makeClearingCommands(session),
  ...makeTransferCommands(session),
  ...makeOneShotCommands(session),
  ...makeCaptureCommands(session),
  ...makeVerificationCommands(session),
  ...makeOperationCommands(session),
  ...makeExpiryCommands(session),
  ...makeAssetCommands(session),
  ...makeOperationRetentionCommands(session, (_, tenantId, eventIds) =>
    removeDeliveries(session, tenantId, eventIds),
  ),
  ...makeDestinationCommands(session),
  ...makeTokenCommands(session),
  ...makeKeyCommands(session, (tenantId, step) => writeStep(session, tenantId, step)),
  ...makeSecretCommands(session),
  // Their session holds the key under which they seal; that of this store may not hold it yet.
  ...makeRightsCommands(session, (held, tenantId, step) => writeStep(withOperations(held), tenantId, step)),
  ...makeBlobCommands(session),
  ...makeScrubCommands(session),
  ...makeDeliveryCommands(session),
  ...makeReplayCommands(session),
  ...makeAttemptCommands(session),
});

/** The commands of all modules; both databases and the store's thread run these. */
export const commandSet: CommandSet<ReturnType<typeof makeCommands>, Tables> = {
  makeCommands,
  migrations,
  erasing: [
    ...erasingKeyCommands,
    ...erasingUserCommands,
    ...erasingRetentionCommands,
    ...erasingEvidenceCommands,
    ...erasingOperationCommands,
  ],
};
