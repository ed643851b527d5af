import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import { assetTypes, customerIdLengthMax, eventTopic } from "./event.ts";
import { endExample, momentText, rangeFaults } from "./moment.ts";
import { expiryReason, operationStates, operatorReason, trackingStatuses } from "./tracking-code.ts";
import { choice, nullableText, responseTime, text, time } from "./wire.ts";

const tag = "Tracking";
const base = "/operator/operations";
const beyond = "Beyond the interface, for a console of the operator.";

const timestamp = responseTime;
const exampleId = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** In the path. Not `operationId`, which would join the operator's own call to the operation. */
const operation = text(
  "The operation, as in the `source` of its events, or the `operationId` of its calls.",
  {
    "x-name": "OperationReference",
    maxLength: 128,
    examples: [exampleId],
  },
);
const operationId = text("The operation, as in the `source` of its events.", { examples: [exampleId] });
const state = choice(operationStates, "open, or how the operation ended (api/operation-states.md).", {
  "x-name": "OperationState",
});

const nullableTime = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
    description,
    examples: ["2026-11-21T09:45:00.000Z"],
  });

const operationFields = {
  operationId,
  state,
  openedAt: time("When its first call was received."),
  expiresAt: nullableTime("While it is open: when it expires without a further call. Else null."),
  endedAt: nullableTime("When it ended; null while it is open."),
  reason: nullableText(
    undefined,
    `Reason of its end: one of finishTracking, or ${expiryReason}; null without one.`,
    operatorReason,
  ),
  family: nullableText(undefined, "Family that its calls named.", "OnBoarding"),
  customerId: Type.String({
    description:
      "The person, as in the events: the name that the first call gave, else the operation's id; longer ones as a UUID.",
    minLength: 1,
    maxLength: customerIdLengthMax,
    "x-personal": "identity",
    examples: ["customer-7"],
  }),
};

/** GET /operator/operations */
export const listOperationsRoute = route({
  name: "listOperations",
  method: "GET",
  path: base,
  scope: "tracking",
  tag,
  cost: 2,
  summary: "Lists the operations of the key's tenant and environment, the newest first",
  description: `${beyond} Up to 50 a page.`,
  request: Type.Object({
    state: Type.Optional(choice(operationStates, "Only operations in this state.")),
    from: Type.Optional(momentText("Only operations opened at this time or later.")),
    to: Type.Optional(momentText("Only operations opened before this time.", endExample)),
    customer: Type.Optional(
      Type.String({
        description:
          "Only operations of this person: the name that a call gave, or its `customerId`. An operation without a named person " +
          "is found by its id alone.",
        maxLength: 1000,
        "x-personal": "identity",
        examples: ["customer-7"],
      }),
    ),
    after: Type.Optional(
      Type.String({ description: "`next` of the previous page.", maxLength: 160, examples: [""] }),
    ),
  }),
  response: Type.Object({
    timestamp,
    operations: Type.Array(Type.Object(operationFields)),
    next: nullableText(undefined, "Sent as `after` for the next page; null at the end.", null),
  }),
  failures: [],
  rules: rangeFaults,
});

const json = (description: string, example: unknown) =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description, examples: [example] });

/** GET /operator/operations/{operation} */
export const showOperationRoute = route({
  name: "showOperation",
  method: "GET",
  path: `${base}/{operation}`,
  scope: "tracking",
  tag,
  cost: 2,
  summary: "Shows the timeline of an operation",
  description: `${beyond} Each list has up to 500 entries, the oldest first; \`isWhole\` is false where one was cut.`,
  request: Type.Object({ operation }),
  response: Type.Object({
    timestamp,
    ...operationFields,
    steps: Type.Array(
      Type.Object({
        transactionId: text("Transaction of the call or decision.", {
          examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
        }),
        endpoint: text("What was called, or what decided.", { examples: ["identity"] }),
        at: time("When it was received."),
        result: json("Its result numbers; null once the transaction is removed.", { facial: 3, liveness: 3 }),
      }),
    ),
    events: Type.Array(
      Type.Object({
        id: text("Id of the event, the same in every delivery.", {
          examples: ["7b0c1f9e-5c1e-4a52-9a53-0b6f1d5a7c11"],
        }),
        sequence: Type.Integer({
          description: "Place in the operation, from 1 without gaps.",
          examples: [2],
        }),
        name: Type.Enum(Object.keys(eventTopic), {
          type: "string",
          description: "Name of the event.",
          examples: ["selfie_captured"],
        }),
        time: time("When it came true."),
        data: json("Its data without links; null where it cannot be opened any more.", {}),
      }),
    ),
    assets: Type.Array(
      Type.Object({
        id: text("Id of the image.", { examples: ["9a53c1f9-5c1e-4a52-9a53-0b6f1d5a7c11"] }),
        type: choice(assetTypes, "What it shows.", { examples: ["selfie"] }),
        createdAt: time("When it was kept."),
        revokedAt: nullableTime("When it was revoked; null without that."),
        url: nullableText(
          "face",
          "A fresh link to the image; null once it is revoked, and where its row was changed past the service.",
          null,
        ),
      }),
    ),
    isWhole: Type.Boolean({
      description: "Whether all steps, events and images are listed.",
      examples: [true],
    }),
  }),
  failures: ["not_found"],
});

/** POST /operator/operations/{operation}/end */
export const endOperationRoute = route({
  name: "endOperation",
  method: "POST",
  path: `${base}/{operation}/end`,
  scope: "tracking",
  tag,
  summary: "Ends an open operation by hand",
  description: `${beyond} Its reason is ${operatorReason}. The same end again changes nothing.`,
  request: Type.Object({
    operation,
    status: choice(trackingStatuses, "How it ends.", { examples: ["DENIED"] }),
  }),
  response: Type.Object({
    timestamp,
    transactionId: text("Transaction that ended it.", { examples: ["2db602ee-3564-4304-af95-92a52eaae12d"] }),
    operationId,
    state,
  }),
  failures: ["not_found", "operation_finished"],
});

/** POST /operator/operations/{operation}/assets/{asset}/revoke */
export const revokeAssetRoute = route({
  name: "revokeAsset",
  method: "POST",
  path: `${base}/{operation}/assets/{asset}/revoke`,
  scope: "tracking",
  tag,
  summary: "Revokes the links to an image of an operation",
  description: `${beyond} No link serves the image from now on, also none of a later event. The image goes with its retention.`,
  request: Type.Object({
    operation,
    asset: text("The image.", { maxLength: 36, examples: ["9a53c1f9-5c1e-4a52-9a53-0b6f1d5a7c11"] }),
  }),
  response: Type.Object({
    timestamp,
    operationId,
    asset: text("The image.", { examples: ["9a53c1f9-5c1e-4a52-9a53-0b6f1d5a7c11"] }),
  }),
  failures: ["not_found"],
});

/** In the order of the docs page. */
export const operationRoutes: readonly Route[] = [
  listOperationsRoute,
  showOperationRoute,
  endOperationRoute,
  revokeAssetRoute,
];
