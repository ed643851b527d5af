import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { trackingProcessed, trackingProcessedMessage } from "#contract/result-code";
import { finishTrackingRoute } from "#contract/tracking.routes";
import { familyOf } from "#contract/tracking-code";
import type { FinishTracking } from "../finish-tracking.ts";

/** POST /services/finishTracking */
export const finishTrackingEndpoint = (finishTracking: FinishTracking): Endpoint =>
  implement(finishTrackingRoute, async (call) => {
    const { family, status, reason } = call.request;
    const { transactionId } = await finishTracking(call, {
      state: status,
      family: familyOf(family),
      ...(reason !== undefined && reason !== "" && { reason }),
    });
    return {
      trackingStatus: trackingProcessed,
      trackingMessage: trackingProcessedMessage,
      timestamp: answeredAt(call).toISOString(),
      transactionId,
    };
  });
