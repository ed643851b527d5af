import { Type } from "typebox";
import { route } from "./endpoint.ts";
import { transactionFields } from "./envelope.ts";
import { trackingProcessed, trackingProcessedMessage } from "./result-code.ts";
import { trackingFamilies, trackingReasons, trackingStatuses } from "./tracking-code.ts";
import { choice, trackingToken } from "./wire.ts";

/** POST /services/finishTracking */
export const finishTrackingRoute = route({
  name: "finishTracking",
  method: "POST",
  path: "/services/finishTracking",
  scope: "tracking",
  tag: "Tracking",
  summary: "Closes the tracking of an operation",
  request: Type.Object({
    family: choice(trackingFamilies, "Kind of the operation."),
    status: choice(trackingStatuses, "How it ended."),
    reason: choice(trackingReasons, "Reason of the status; the empty text for a success.", {
      examples: ["FACIAL_LIVENESS_NOT_PASSED"],
    }),
    extraData: trackingToken("Tracking token of the capture SDK."),
  }),
  response: Type.Object({
    trackingStatus: Type.Integer({
      description: "201: processed without exception.",
      examples: [trackingProcessed],
    }),
    trackingMessage: Type.String({ examples: [trackingProcessedMessage] }),
    ...transactionFields,
  }),
  failures: ["token_unreadable", "token_wrong_kind", "token_expired", "not_found"],
});
