import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import { exampleTransactionId } from "./example.ts";
import { choice, responseTime, text, time } from "./wire.ts";

const fieldsOf = (description: string, example: unknown, personal?: "face") =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
    description,
    ...(personal && { "x-personal": personal }),
    examples: [example],
  });

/** In the path and in the answer. */
const transactionId = text("Transaction of a call or of a decision, as in the steps of its operation.", {
  maxLength: 128,
  examples: [exampleTransactionId],
});

/** GET /operator/transactions/{transactionId} */
export const showTransactionRoute = route({
  name: "showTransaction",
  method: "GET",
  path: "/operator/transactions/{transactionId}",
  scope: "tracking",
  tag: "Tracking",
  cost: 2,
  summary: "Shows the record of an answered call, with its measurements",
  description:
    "Beyond the interface, for a console of the operator. What the engines measured and the judges decided: boxes of faces in pixels of " +
    "the image, quality, weights of liveness cues, corners of the document, findings with their figures. No image, template or token, and no " +
    "text of a document. A decision on a document has a record of its own. The fields of `result` and `measurements` differ by endpoint " +
    "and may grow with each release: read them as a person does.",
  request: Type.Object({ transactionId }),
  response: Type.Object({
    timestamp: responseTime,
    transactionId,
    endpoint: text("What was called, or what decided.", { examples: ["identity"] }),
    at: time("When it was received."),
    environment: choice(["live", "test"], "Environment of its key."),
    keyId: text("The key that sent it.", { examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"] }),
    result: fieldsOf("Its result numbers.", { facial: 3, liveness: 3 }),
    measurements: fieldsOf(
      "What was measured. Null for a call without measurements, and once its retention has ended or its keys are destroyed.",
      { liveness: { result: "Live", cues: { moire: -0.4 } } },
      "face",
    ),
    policyVersion: text("Version of the policy that judged it.", { examples: ["face-1"], minLength: 0 }),
    models: Type.Record(Type.String(), Type.String(), {
      description: "Networks that measured it, each with the SHA-256 of its weights.",
      examples: [{ facemesh: "9f".repeat(32) }],
    }),
  }),
  failures: ["not_found"],
});

/** In the order of the docs page. */
export const transactionRoutes: readonly Route[] = [showTransactionRoute];
