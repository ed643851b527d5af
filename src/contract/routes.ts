import { captureRoutes } from "./capture.routes.ts";
import { capturePageRoutes } from "./capture-page.routes.ts";
import { civilValidationRoutes } from "./civil-validation.routes.ts";
import { clearingRoutes } from "./clearing.routes.ts";
import { clearingCallbackRoutes } from "./clearing-callback.routes.ts";
import { clearingTransferRoutes } from "./clearing-transfer.routes.ts";
import { deliveryRoutes } from "./delivery.routes.ts";
import { destinationRoutes } from "./destination.routes.ts";
import { documentValidationRoutes } from "./document-validation.routes.ts";
import type { Route } from "./endpoint.ts";
import { evidenceRoutes } from "./evidence.routes.ts";
import { faceRoutes } from "./face.routes.ts";
import { keyRoutes } from "./key.routes.ts";
import { mailboxRoutes } from "./mailbox.routes.ts";
import { ocrRoutes } from "./ocr.routes.ts";
import { operationRoutes } from "./operation.routes.ts";
import { padRoutes } from "./pad.routes.ts";
import { reviewRoutes } from "./review.routes.ts";
import { sandboxRoutes } from "./sandbox.routes.ts";
import { signedDocumentRoutes } from "./signed-document.routes.ts";
import { signingRoutes } from "./signing.routes.ts";
import { trackingRoutes } from "./tracking.routes.ts";
import { transactionRoutes } from "./transaction.routes.ts";
import { userRoutes } from "./user.routes.ts";
import { verificationRoutes } from "./verification.routes.ts";
import { verifySignatureRoutes } from "./verify-signature.routes.ts";

/** Every operation of the interface, in the order of the docs page. */
export const routes: readonly Route[] = [
  ...faceRoutes,
  ...ocrRoutes,
  ...documentValidationRoutes,
  ...padRoutes,
  ...reviewRoutes,
  ...destinationRoutes,
  ...deliveryRoutes,
  ...mailboxRoutes,
  ...userRoutes,
  ...civilValidationRoutes,
  ...signingRoutes,
  ...verifySignatureRoutes,
  ...signedDocumentRoutes,
  ...verificationRoutes,
  ...captureRoutes,
  ...capturePageRoutes,
  ...trackingRoutes,
  ...operationRoutes,
  ...transactionRoutes,
  ...keyRoutes,
  ...evidenceRoutes,
  ...sandboxRoutes,
  ...clearingRoutes,
  ...clearingCallbackRoutes,
  ...clearingTransferRoutes,
];
