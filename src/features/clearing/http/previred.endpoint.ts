import { startPreviredRoute } from "#contract/clearing.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import type { StartCallback } from "../callbacks/start-callback.ts";

/** The older flow: answers a hash, and calls back later. */
export const startPreviredEndpoint = (startCallback: StartCallback): Endpoint =>
  implement(startPreviredRoute, async (call) => {
    const { identityTransactionId, documentValidationScanReference, ...stated } = call.request;
    const { hash } = await startCallback(call, {
      ...stated,
      transactionId: identityTransactionId,
      scanReference: documentValidationScanReference,
    });
    const timestamp = Math.floor(call.receivedAt.getTime() / 1000);
    return { timestamp, transactionId: call.transactionId, hash };
  });
