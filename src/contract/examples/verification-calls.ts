import { createVerificationRoute, showVerificationRoute } from "../verification.routes.ts";
import type { ExampleCall } from "./example-call.ts";
import { exampleImages } from "./images.ts";

const { passport, selfie } = exampleImages;
const document = { country: "CHL", type: "PASSPORT" } as const;
const exampleVerificationId = "7a9d3c52-4b8e-4c1f-9a56-0e2f6d7b8c90";

const shown = (from: string) =>
  ({
    fields: { verificationId: exampleVerificationId },
    taken: [{ field: "verificationId", from, member: "verificationId" }],
    alone: "not_found",
    repeatedWhile: { member: "nextStep", value: "wait" },
  }) as const;

/** Examples of verifications, in an order that works. */
export const verificationCalls: readonly ExampleCall[] = [
  {
    name: "verifyPerson",
    route: createVerificationRoute,
    summary: "A drawn passport and a drawn face. A test key may send an open image where a token is asked.",
    fields: {
      flow: "document_and_selfie",
      customerId: "customer-4711",
      operationId: "verification-4711",
      document,
      selfie,
      documentFront: passport,
    },
  },
  {
    name: "verifiedPerson",
    route: showVerificationRoute,
    summary: "The verification of a person. Ask again while nextStep is wait.",
    ...shown("verifyPerson"),
  },
  {
    name: "verifyAge",
    route: createVerificationRoute,
    summary: "The age of the holder of a drawn passport.",
    fields: { flow: "age_over", operationId: "age-4711", age: 18, document, documentFront: passport },
  },
  {
    name: "verifiedAge",
    route: showVerificationRoute,
    summary: "The answer to an age, without the birth date.",
    ...shown("verifyAge"),
  },
  {
    name: "verifyByCapture",
    route: createVerificationRoute,
    summary: "The person captures on the page of the answer's capture.url.",
    fields: {
      flow: "document_and_selfie",
      operationId: "capture-4711",
      document,
      capture: { languages: ["es"] },
    },
  },
];
