import { eventTopic, type operationFinishedStatuses } from "#contract/event";
import type { Persona, PersonaCall, Produced } from "../persona.ts";
import { face, livenessCall } from "./calls.ts";
import { passport } from "./documents.ts";

const finishCall = (operationId: string, status: string, reason: string): PersonaCall => ({
  name: "finish",
  route: "finishTracking",
  fields: { family: "OnBoarding", status, reason, extraData: "persona", operationId },
  expected: { trackingStatus: 201 },
});

const begun = (operationId: string): PersonaCall => ({
  ...livenessCall({ serviceLivenessResult: 3 }),
  fields: { tracking: { operationId } },
});

/** `status` of finishTracking, with the status of the event. */
const ends = [
  ["succeeded", "SUCCEEDED", "", "SUCCEEDED"],
  ["denied", "DENIED", "FACIAL_LIVENESS_NOT_PASSED", "DENIED"],
  ["cancelled", "CANCELLED", "SELPHI_TIMEOUT", "DENIED"],
  ["blacklisted", "BLACKLISTED", "BLACKLISTED_FACE_TEMPLATE", "BLACKLISTED"],
  ["error", "ERROR", "FACIAL_LIVENESS_ERROR", "ERROR"],
] as const satisfies readonly (readonly [
  string,
  string,
  string,
  (typeof operationFinishedStatuses)[number],
])[];

const endPersonas: readonly Persona[] = ends.map(([name, status, reason, finished]) => ({
  name: `operation-${name}`,
  story: `An operation that finishTracking ends with ${status}.`,
  produces: [
    { table: "event", value: "operation_finished" },
    { table: "finishedStatus", value: finished },
  ],
  images: { selfie: face("selfie") },
  calls: [begun("persona-{run}"), finishCall("persona-{run}", status, reason)],
}));

const expired: Persona = {
  name: "operation-expired",
  story: "An operation that expires at once, by its id: the next round of expiry ends it.",
  produces: [
    { table: "event", value: "operation_finished" },
    { table: "finishedStatus", value: "EXPIRED" },
  ],
  images: { selfie: face("selfie") },
  calls: [begun("persona-expired-{run}")],
  steeredBy: "the operation's id begins with persona-expired-",
};

const captured: Persona = {
  name: "operation-onboarding",
  story:
    "A passport is read, and a face is compared with it: an operation with every event but the validation's.",
  produces: Object.keys(eventTopic)
    .filter((name) => name !== "id_validated")
    .map((value): Produced => ({ table: "event", value })),
  images: {
    front: { drawing: passport("a genuine passport") },
    reference: face("portrait"),
    selfie: face("selfie"),
  },
  calls: [
    {
      name: "read",
      route: "extractDocumentDataWeb",
      fields: { countryCode: "PSP", tracking: { operationId: "persona-{run}" } },
      images: { tokenFrontDocument: "front" },
      expected: { serviceResultCode: 0 },
    },
    {
      name: "identity",
      route: "identity",
      fields: { method: "3", tracking: { operationId: "persona-{run}" } },
      images: { token1: "reference", bestImageToken: "selfie" },
      expected: { facialAuthenticationResult: 3, passiveLivenessResult: 3 },
    },
    finishCall("persona-{run}", "SUCCEEDED", ""),
  ],
};

const validatedEvent: Persona = {
  name: "operation-validated",
  story: "The validation of a passport in an operation: its decision is an event.",
  produces: [{ table: "event", value: "id_validated" }],
  images: { front: { drawing: passport("a genuine passport") } },
  calls: [
    {
      name: "start",
      route: "startDocumentValidation",
      fields: { country: "CHL", idType: "PASSPORT", tracking: { operationId: "persona-{run}" } },
      images: { documentFrontRawImage: "front" },
      expected: {},
    },
  ],
};

const delivered = (fault: "duplicate" | "reordered" | "late", story: string): Persona => ({
  name: `delivery-${fault}`,
  story,
  produces: [{ table: "delivery", value: fault }],
  images: { selfie: face("selfie") },
  calls: [begun(`persona-${fault}-{run}`), finishCall(`persona-${fault}-{run}`, "SUCCEEDED", "")],
  steeredBy: `the operation's id begins with persona-${fault}-`,
});

const deliveries: readonly Persona[] = [
  delivered("duplicate", "Each event is delivered twice, with the same id and bytes."),
  delivered(
    "reordered",
    "operation_started is delivered after the other events, where the destination is not ordered.",
  ),
  delivered("late", "Each event is delivered two seconds late."),
];

/** Personas of events, of the ends of operations, and of faults of their delivery. */
export const eventPersonas: readonly Persona[] = [
  ...endPersonas,
  expired,
  captured,
  validatedEvent,
  ...deliveries,
];
