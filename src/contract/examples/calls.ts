import type { Route } from "../endpoint.ts";
import { clearingCalls } from "./clearing-calls.ts";
import { deliveryCalls } from "./delivery-calls.ts";
import { destinationCalls } from "./destination-calls.ts";
import { documentCalls } from "./document-calls.ts";
import type { ExampleCall } from "./example-call.ts";
import { faceCalls } from "./face-calls.ts";
import { operationCalls } from "./operation-calls.ts";
import { reviewCalls } from "./review-calls.ts";
import { userCalls } from "./user-calls.ts";

/** Every example of the specification. In this order, with the taken values, each gets its stated answer. */
export const exampleCalls: readonly ExampleCall[] = [
  ...faceCalls,
  ...documentCalls,
  ...clearingCalls,
  ...reviewCalls,
  ...userCalls,
  ...destinationCalls,
  ...deliveryCalls,
  ...operationCalls,
];

/**
 * Operations without an example call, and why. Their requests and answers are shown by the examples of their fields. `digitalSign`
 * and `verifySignature` take the file of an earlier call; signed documents are kept only where a setting says so; `civilValidation`
 * needs a registry that the operator configures, transfers a clearing entity. A capture session is made for a page, whose calls carry its
 * token and signed images. Personas are calls themselves, with new identifiers
 * in each answer. A mesh has 468 points.
 */
export const callsWithoutExample: readonly string[] = [
  "createTransfer",
  "listTransfers",
  "showTransfer",
  "resumeTransfer",
  "abandonTransfer",
  "createCapture",
  "showCapture",
  "cancelCapture",
  "openCapturePage",
  "showCapturePage",
  "consentToCapture",
  "challengeCapture",
  "beginUpload",
  "uploadPiece",
  "showUpload",
  "finishUpload",
  "handOffCapture",
  "confirmHandOff",
  "cancelCapturePage",
  "civilValidation",
  "digitalSign",
  "listPersonas",
  "listSignedDocuments",
  "showPersona",
  "showPersonaImage",
  "showMesh",
  "showSignedDocument",
  "verifySignature",
];

/** The examples of one route, in their order. */
export const exampleCallsOf = (route: Route): readonly ExampleCall[] =>
  exampleCalls.filter((call) => call.route.name === route.name);
