import { cancelCaptureRoute, createCaptureRoute, showCaptureRoute } from "./capture.routes.ts";
import {
  beginUploadRoute,
  cancelPageRoute,
  challengeRoute,
  confirmHandoffRoute,
  consentRoute,
  finishUploadRoute,
  handoffRoute,
  openPageRoute,
  showPageRoute,
  showUploadRoute,
  uploadPieceRoute,
} from "./capture-page.routes.ts";
import { civilValidationRoute } from "./civil-validation.routes.ts";
import {
  clearingCertificateRoute,
  previredCertificateRoute,
  startPreviredRoute,
  verifyClearingRoute,
  verifyPreviredRoute,
} from "./clearing.routes.ts";
import { listCallbacksRoute } from "./clearing-callback.routes.ts";
import {
  abandonTransferRoute,
  createTransferRoute,
  listTransfersRoute,
  resumeTransferRoute,
  showTransferRoute,
} from "./clearing-transfer.routes.ts";
import {
  listDeliveriesRoute,
  releaseDestinationRoute,
  replayDestinationRoute,
  replayEventRoute,
  retryDeliveryRoute,
  showDeliveryRoute,
  testDestinationRoute,
} from "./delivery.routes.ts";
import {
  changeDestinationRoute,
  createDestinationRoute,
  enableDestinationRoute,
  handshakeRoute,
  listDestinationsRoute,
  pauseDestinationRoute,
  removeDestinationRoute,
  resumeDestinationRoute,
  rotateSecretRoute,
  showDestinationRoute,
} from "./destination.routes.ts";
import {
  startValidationRoute,
  startValidationV1Route,
  validationDataRoute,
  validationDataV1Route,
  validationStatusRoute,
  validationStatusV1Route,
} from "./document-validation.routes.ts";
import type { Route } from "./endpoint.ts";
import { exportEvidenceRoute } from "./evidence.routes.ts";
import {
  authenticateFacialRoute,
  detokenizeRoute,
  evaluatePassiveLivenessRoute,
  evaluatePassiveLivenessTokenRoute,
  extractFacialRoute,
  identityRoute,
} from "./face.routes.ts";
import { createKeyRoute, listKeysRoute, renewKeyRoute, revokeKeyRoute } from "./key.routes.ts";
import { listMailboxRoute, triggerEventRoute } from "./mailbox.routes.ts";
import { extractDocumentDataRoute, extractDocumentDataWebRoute } from "./ocr.routes.ts";
import {
  endOperationRoute,
  listOperationsRoute,
  revokeAssetRoute,
  showOperationRoute,
} from "./operation.routes.ts";
import { padDiagnosticRoute } from "./pad.routes.ts";
import {
  claimReviewRoute,
  decideReviewRoute,
  listReviewsRoute,
  releaseReviewRoute,
  reviewImageRoute,
  showReviewRoute,
} from "./review.routes.ts";
import {
  listPersonasRoute,
  showMeshRoute,
  showPersonaImageRoute,
  showPersonaRoute,
} from "./sandbox.routes.ts";
import { listSignedDocumentsRoute, showSignedDocumentRoute } from "./signed-document.routes.ts";
import { digitalSignRoute } from "./signing.routes.ts";
import { finishTrackingRoute } from "./tracking.routes.ts";
import { showTransactionRoute } from "./transaction.routes.ts";
import {
  authenticateUserRoute,
  authenticateUserV2Route,
  deleteUsersRoute,
  updateUserTemplateRoute,
} from "./user.routes.ts";
import { createVerificationRoute, showVerificationRoute } from "./verification.routes.ts";
import { verifySignatureRoute } from "./verify-signature.routes.ts";

/** Every operation of the interface, in the order of the docs page. */
export const routes: readonly Route[] = [
  identityRoute,
  authenticateFacialRoute,
  evaluatePassiveLivenessRoute,
  evaluatePassiveLivenessTokenRoute,
  extractFacialRoute,
  detokenizeRoute,
  extractDocumentDataRoute,
  extractDocumentDataWebRoute,
  startValidationRoute,
  validationStatusRoute,
  validationDataRoute,
  startValidationV1Route,
  validationStatusV1Route,
  validationDataV1Route,
  padDiagnosticRoute,
  listReviewsRoute,
  claimReviewRoute,
  showReviewRoute,
  reviewImageRoute,
  decideReviewRoute,
  releaseReviewRoute,
  listDestinationsRoute,
  createDestinationRoute,
  showDestinationRoute,
  changeDestinationRoute,
  pauseDestinationRoute,
  resumeDestinationRoute,
  enableDestinationRoute,
  rotateSecretRoute,
  handshakeRoute,
  removeDestinationRoute,
  testDestinationRoute,
  replayDestinationRoute,
  releaseDestinationRoute,
  listDeliveriesRoute,
  showDeliveryRoute,
  retryDeliveryRoute,
  replayEventRoute,
  listMailboxRoute,
  triggerEventRoute,
  authenticateUserRoute,
  authenticateUserV2Route,
  deleteUsersRoute,
  updateUserTemplateRoute,
  civilValidationRoute,
  digitalSignRoute,
  verifySignatureRoute,
  listSignedDocumentsRoute,
  showSignedDocumentRoute,
  createVerificationRoute,
  showVerificationRoute,
  createCaptureRoute,
  showCaptureRoute,
  cancelCaptureRoute,
  openPageRoute,
  showPageRoute,
  consentRoute,
  challengeRoute,
  beginUploadRoute,
  uploadPieceRoute,
  showUploadRoute,
  finishUploadRoute,
  handoffRoute,
  confirmHandoffRoute,
  cancelPageRoute,
  finishTrackingRoute,
  listOperationsRoute,
  showOperationRoute,
  endOperationRoute,
  revokeAssetRoute,
  showTransactionRoute,
  listKeysRoute,
  createKeyRoute,
  renewKeyRoute,
  revokeKeyRoute,
  exportEvidenceRoute,
  listPersonasRoute,
  showPersonaRoute,
  showPersonaImageRoute,
  showMeshRoute,
  verifyClearingRoute,
  clearingCertificateRoute,
  verifyPreviredRoute,
  previredCertificateRoute,
  startPreviredRoute,
  listCallbacksRoute,
  createTransferRoute,
  listTransfersRoute,
  showTransferRoute,
  resumeTransferRoute,
  abandonTransferRoute,
];
