/**
 * Tables and commands of every module, listed here and nowhere else. The SQLite thread loads this file, so it imports no
 * database driver.
 */

import type { CaptureTables } from "#capture/store/capture-row";
import { makeCaptureCommands } from "#capture/store/capture-store";
import { type CallbackTables, makeCallbackCommands } from "#clearing/store/callback-store";
import { type ClearingTables, makeClearingCommands } from "#clearing/store/clearing-store";
import type { TransferTables } from "#clearing/store/transfer-row";
import { makeTransferCommands } from "#clearing/store/transfer-store";
import { makeBlobRetentionCommands } from "#document/store/blob-retention-store";
import { type ClaimTables, makeClaimCommands } from "#document/store/claim-store";
import { makeLeaseCommands } from "#document/store/lease-store";
import { type ListedDocumentTables, makeListedDocumentCommands } from "#document/store/listed-document-store";
import { makeReviewCommands, type ReviewTables } from "#document/store/review-store";
import { makeValidationRetentionCommands } from "#document/store/validation-retention-store";
import type { ValidationTables } from "#document/store/validation-row";
import { makeValidationCommands } from "#document/store/validation-store";
import { makeWaitingCommands } from "#document/store/waiting-store";
import { type IdempotencyTables, makeIdempotencyCommands } from "#idempotency/store/idempotency-store";
import { makeRegistryPersonCommands, type RegistryPersonTables } from "#registry/store/registry-person-store";
import { makeSignedDocumentCommands, type SignedDocumentTables } from "#signing/store/signed-document-store";
import { type BlobTables, makeBlobCommands } from "#storage/blob-store";
import type { CommandSet } from "#storage/commands";
import type { Session } from "#storage/database";
import { erasingKeyCommands, type KeyTables, makeKeyCommands } from "#storage/key-store";
import { type ChainHeadTables, makeRightsCommands } from "#storage/rights/rights-store";
import { makeScrubCommands, type ScrubTables } from "#storage/scrub-store";
import { makeSecretCommands, type SecretTables } from "#storage/secret-store";
import { makeRateCommands, type RateTables } from "#tenants/store/rate-store";
import { makeTenantCommands } from "#tenants/store/tenant-store";
import type { TenantTables } from "#tenants/store/tenant-tables";
import { makeAssetCommands } from "#tracking/store/asset-store";
import { makeExpiryCommands } from "#tracking/store/expiry-store";
import {
  erasingOperationCommands,
  makeOperationRetentionCommands,
} from "#tracking/store/operation-retention-store";
import { makeOperationCommands } from "#tracking/store/operation-store";
import { type OperationTables, writeOperation } from "#tracking/store/write-operation";
import {
  type EvidenceTables,
  erasingEvidenceCommands,
  makeEvidenceCommands,
} from "#transactions/store/evidence-store";
import { makeResultCommands } from "#transactions/store/result-store";
import { erasingRetentionCommands, makeRetentionCommands } from "#transactions/store/retention-store";
import { type StepSession, writeStep } from "#transactions/store/step-store";
import { makeTransactionCommands, type TransactionTables } from "#transactions/store/transaction-store";
import { type FaceListTables, makeFaceListCommands } from "#users/store/face-list-store";
import { erasingUserCommands, makeUserCommands } from "#users/store/user-store";
import type { UserTables } from "#users/store/user-tables";
import type { VerificationTables } from "#verification/store/verification-row";
import { makeVerificationCommands } from "#verification/store/verification-store";
import { makeAttemptCommands } from "#webhooks/store/attempt-store";
import { makeDeliveryCommands } from "#webhooks/store/delivery-store";
import { makeDestinationCommands } from "#webhooks/store/destination-store";
import { fanOut } from "#webhooks/store/fan-out";
import { removeDeliveries } from "#webhooks/store/remove-deliveries";
import { makeReplayCommands } from "#webhooks/store/replay-store";
import { makeTokenCommands, type TokenTables } from "#webhooks/store/token-store";
import type { DeliveryTables } from "#webhooks/store/webhook-tables";

/** Every table of the database. */
export type Tables = TenantTables &
  RateTables &
  TransactionTables &
  EvidenceTables &
  TokenTables &
  OperationTables &
  DeliveryTables &
  ValidationTables &
  ReviewTables &
  ClaimTables &
  ListedDocumentTables &
  UserTables &
  FaceListTables &
  SignedDocumentTables &
  RegistryPersonTables &
  ClearingTables &
  TransferTables &
  CallbackTables &
  CaptureTables &
  VerificationTables &
  IdempotencyTables &
  KeyTables &
  SecretTables &
  BlobTables &
  ScrubTables &
  ChainHeadTables;

/** The session of commands that write steps: a step adds to its operation, and each new event gets its deliveries. */
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
  ...makeCallbackCommands(session),
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
  ...makeRightsCommands(session, (held, tenantId, step) =>
    writeStep({ ...held, writeOperationStep: session.writeOperationStep }, tenantId, step),
  ),
  ...makeBlobCommands(session),
  ...makeScrubCommands(session),
  ...makeDeliveryCommands(session),
  ...makeReplayCommands(session),
  ...makeAttemptCommands(session),
});

/** The commands of all modules; both databases and the store's thread run these. */
export const commandSet: CommandSet<ReturnType<typeof makeCommands>, Tables> = {
  makeCommands,
  erasing: [
    ...erasingKeyCommands,
    ...erasingUserCommands,
    ...erasingRetentionCommands,
    ...erasingEvidenceCommands,
    ...erasingOperationCommands,
  ],
};
