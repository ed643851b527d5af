import { type CallbackStatus, callbackStatuses } from "#contract/clearing.routes";
import type { Persona, PersonaCall } from "../persona.ts";
import { expiredPersona } from "../steer-expiry.ts";
import { face } from "./calls.ts";
import { passport, validated } from "./documents.ts";

/** An approved passport of the person before the camera: the preconditions of pension clearing. */
const verified = validated({
  name: "verified",
  story: "",
  drawing: passport("a genuine passport"),
  status: "Approved",
});

const identity: PersonaCall = {
  name: "identity",
  route: "identity",
  fields: { method: "3", tracking: { operationId: "persona-{run}" } },
  images: { token1: "front", bestImageToken: "selfie" },
  expected: { facialAuthenticationResult: 3, passiveLivenessResult: 3 },
};

const previred = (customerId: string): PersonaCall => ({
  name: "previred",
  route: "startPrevired",
  // This address belongs to no receiver: a tester sends the address of a receiver in its place.
  fields: { customerId, ipVerified: "192.0.2.7", callbackUrl: "https://receiver.example/clearing" },
  taken: [
    { field: "identityTransactionId", from: "identity", member: "serviceTransactionId" },
    { field: "documentValidationScanReference", from: "start", member: "scanReference" },
  ],
  expected: {},
});

const calledBack = (status: CallbackStatus, customerId: string, story: string): Persona => ({
  name: `callback-${status}`,
  story: `${story} Put your receiver in the place of \`callbackUrl\`.`,
  produces: [{ table: "callback", value: callbackStatuses[status] }],
  images: { ...verified.images, selfie: face("selfie") },
  calls: [...verified.calls, identity, previred(customerId)],
});

/** Personas of the older flow of pension clearing, by what its callback says. */
export const clearingPersonas: readonly Persona[] = [
  calledBack(
    "succeeded",
    "persona-{run}",
    "A passport and its holder are verified, and the callback says that the hash opens the certificate.",
  ),
  {
    ...calledBack(
      "failed",
      `${expiredPersona}{run}`,
      "The same, but the time of the hash ends with the call: the callback says failed.",
    ),
    steeredBy: `customerId begins with ${expiredPersona}`,
  },
];
