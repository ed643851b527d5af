import { Failure } from "#contract/failure";
import { asInput } from "#contract/input";
import { knownReference } from "#contract/reference";
import { unpackFrames } from "./engine/frames.ts";
import { recordFaceCall } from "./record.ts";
import type { FaceCall, FaceService } from "./service.ts";

export type Detokenize = (
  call: FaceCall,
  bestImageToken: Uint8Array,
  transactionId: string,
) => Promise<Uint8Array>;

/**
 * Returns the image of a best-image token (the best of several frames), for the transaction of the same
 * tenant and environment that used the token. It answers not_found in every other case, so that a caller
 * cannot tell the cases apart. The
 * token's age is judged at the time of that transaction: the token can be opened as long as the transaction
 * is kept and the key that sealed it is held. Every opening is a transaction of its own, written before the
 * image is returned. It names the opened transaction and no token, so it cannot open anything itself.
 */
export const makeDetokenize =
  (service: FaceService): Detokenize =>
  async (call, bestImageToken, transactionId) => {
    const { caller } = call;
    const transaction = await service.store.findTransaction(caller.tenantId, knownReference(transactionId));
    if (transaction === undefined || transaction.environment !== caller.environment) {
      throw new Failure("not_found");
    }
    const token = await asInput("bestImage", () =>
      service.openToken(bestImageToken, "best-image", { caller, receivedAt: transaction.at }),
    ).catch(notUsedThen);
    if (token === undefined || !transaction.tokenHashes.includes(token.hash)) {
      throw new Failure("not_found");
    }
    await recordFaceCall(service, call, {
      endpoint: "detokenize",
      result: { opened: transaction.id },
      measurements: {},
      measured: [],
      tokens: [],
    });
    return unpackFrames(token.payload)[0];
  };

/** A token that was invalid at the transaction's time is not the token of that transaction. */
const notUsedThen = (error: unknown): undefined => {
  if (error instanceof Failure && error.code === "token_expired") {
    return undefined;
  }
  throw error;
};
