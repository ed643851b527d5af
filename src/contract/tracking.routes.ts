import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import { transactionFields } from "./envelope.ts";
import { missing, wrong } from "./request.ts";
import { trackingProcessed, trackingProcessedMessage } from "./result-code.ts";
import { trackingOf } from "./tracking.ts";
import { familyHeaderValues, trackingReasons, trackingStatuses } from "./tracking-code.ts";
import { choice, operationIdText, trackingToken } from "./wire.ts";

/**
 * Calls with images leave space for longer tokens than their schema states, and this call names the operation
 * by the same token.
 */
const finishTokenBytes = 524_288;

/** POST /services/finishTracking */
export const finishTrackingRoute = route({
  name: "finishTracking",
  method: "POST",
  path: "/services/finishTracking",
  scope: "tracking",
  tag: "Tracking",
  summary: "Closes the tracking of an operation",
  description:
    "Ends the operation, which takes no further call, and emits operation_finished. `operationId`, where it is sent, names the " +
    "operation. Else the tracking token does: by the id that it holds, or as the token of the operation's earlier calls. The " +
    "same end again gets the same answer; another end of an ended operation is refused (409).",
  request: Type.Object({
    family: choice(familyHeaderValues, "Kind of the operation. Onboarding is OnBoarding."),
    status: choice(trackingStatuses, "How it ended."),
    reason: Type.Optional(
      choice(trackingReasons, "Reason of the status; empty or absent for a success.", {
        examples: ["FACIAL_LIVENESS_NOT_PASSED"],
      }),
    ),
    extraData: trackingToken("Tracking token of the capture SDK; any text.", finishTokenBytes),
    operationId: Type.Optional(
      operationIdText("Additional field: the operation, as `tracking.operationId` of its calls."),
    ),
  }),
  response: Type.Object({
    trackingStatus: Type.Integer({
      description: "201: processed without exception.",
      examples: [trackingProcessed],
    }),
    trackingMessage: Type.String({ examples: [trackingProcessedMessage] }),
    ...transactionFields,
  }),
  rules: (fields) =>
    fields["extraData"] === "" && trackingOf(fields) === undefined
      ? [
          wrong("extraData", "is empty, and there is no operationId"),
          missing("operationId", "is required where extraData is empty"),
        ]
      : [],
  failures: ["operation_unknown"],
});

/** In the order of the docs page. */
export const trackingRoutes: readonly Route[] = [finishTrackingRoute];
