import { exampleTransactionId } from "../example.ts";
import {
  authenticateFacialRoute,
  detokenizeRoute,
  evaluatePassiveLivenessRoute,
  evaluatePassiveLivenessTokenRoute,
  extractFacialRoute,
  identityRoute,
} from "../face.routes.ts";
import type { ExampleCall } from "./example-call.ts";
import { exampleImages } from "./images.ts";
import { exampleTracking } from "./tracking.ts";

const { portrait, selfie } = exampleImages;

const advisory = "Without an added model liveness is advisory, and takes this face for a living person.";

/**
 * Examples of the face services, in an order that works. Open images stand for tokens: a test key may send
 * them.
 */
export const faceCalls: readonly ExampleCall[] = [
  {
    name: "identity",
    route: identityRoute,
    summary: `Two open images of a drawn face. A test key may send an image where a token is asked. ${advisory}`,
    fields: { token1: portrait, bestImageToken: selfie, method: "3" },
  },
  {
    name: "twoImages",
    route: authenticateFacialRoute,
    summary: "Two open images of a drawn face.",
    fields: { token1: portrait, token2: selfie, method: "1" },
  },
  {
    name: "liveness",
    route: evaluatePassiveLivenessRoute,
    summary: `The open image of a drawn face. ${advisory}`,
    fields: { imageBuffer: selfie },
  },
  {
    name: "trackedLiveness",
    route: evaluatePassiveLivenessRoute,
    summary: "With `tracking` the call is a step of an operation, which it opens.",
    fields: { imageBuffer: selfie, tracking: exampleTracking },
  },
  {
    name: "livenessOfToken",
    route: evaluatePassiveLivenessTokenRoute,
    summary: `An open image in the place of a token, as a test key may send it. ${advisory}`,
    fields: { imageBuffer: selfie },
  },
  {
    name: "attributes",
    route: extractFacialRoute,
    summary: "The open image of a drawn face.",
    fields: { tokenBuffer: selfie },
  },
  {
    name: "detokenize",
    route: detokenizeRoute,
    summary: "The best image of the identity example.",
    fields: { bestImageToken: selfie, transactionId: exampleTransactionId },
    taken: [{ field: "transactionId", from: "identity", member: "serviceTransactionId" }],
    alone: "not_found",
  },
];
