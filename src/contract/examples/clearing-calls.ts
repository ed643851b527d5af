import {
  clearingCertificateRoute,
  previredCertificateRoute,
  startPreviredRoute,
  verifyClearingRoute,
  verifyPreviredRoute,
} from "../clearing.routes.ts";
import { listCallbacksRoute } from "../clearing-callback.routes.ts";
import { exampleScanReference, exampleTransactionId } from "../example.ts";
import { identityRoute } from "../face.routes.ts";
import type { ExampleCall, TakenValue } from "./example-call.ts";
import { exampleImages } from "./images.ts";

const { passport, laterSelfie } = exampleImages;

const person: ExampleCall = {
  name: "holder",
  route: identityRoute,
  summary:
    "A drawn face and the page of the validated passport: the same image, byte for byte, shows that it is one person.",
  fields: { token1: passport, bestImageToken: laterSelfie, method: "3" },
};

const transactionIn = (field: string): TakenValue => ({
  field,
  from: person.name,
  member: "serviceTransactionId",
});
const scanIn = (field: string): TakenValue => ({ field, from: "passport", member: "scanReference" });

const exampleToken = "abcdefghijklmnopqrstuvwxyzABCDEF";

const verify = (name: string, route: ExampleCall["route"]): ExampleCall => ({
  name,
  route,
  summary: "A token for the approved passport and its holder.",
  fields: { serviceTransactionId: exampleTransactionId, scanReference: exampleScanReference },
  taken: [transactionIn("serviceTransactionId"), scanIn("scanReference")],
  alone: "not_found",
});

const certificate = (name: string, route: ExampleCall["route"], from: string): ExampleCall => ({
  name,
  route,
  summary: "The certificate as JSON, with the key in the header.",
  fields: { serviceTransactionId: exampleTransactionId, token: exampleToken },
  taken: [transactionIn("serviceTransactionId"), { field: "token", from, member: "token" }],
  alone: "not_found",
});

/**
 * Examples of pension clearing, after those of the documents. Transfers need a clearing entity and have none.
 */
export const clearingCalls: readonly ExampleCall[] = [
  person,
  verify("clearingToken", verifyClearingRoute),
  certificate("certificate", clearingCertificateRoute, "clearingToken"),
  verify("previredToken", verifyPreviredRoute),
  certificate("previredCertificate", previredCertificateRoute, "previredToken"),
  {
    name: "previred",
    route: startPreviredRoute,
    summary: "The older flow for the same two. Its URL leads nowhere: the callback stays due.",
    fields: {
      customerId: "customer-4711",
      identityTransactionId: exampleTransactionId,
      documentValidationScanReference: exampleScanReference,
      ipVerified: "192.0.2.7",
      callbackUrl: "https://fund.example/clearing",
    },
    taken: [transactionIn("identityTransactionId"), scanIn("documentValidationScanReference")],
    alone: "not_found",
  },
  { name: "callbacks", route: listCallbacksRoute, summary: "The callbacks of this environment.", fields: {} },
];
