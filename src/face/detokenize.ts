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
 * The picture of a best-image token, of several frames the best, for the very transaction of the same tenant and world that used it; otherwise
 * not_found, the same whether the transaction is missing, another tenant's, of the other world, or used another
 * token. Age is judged at the transaction's own time: a token that was good then can be opened as long as the
 * transaction is kept and the key that sealed it is held. Every opening is a transaction of its own, written before
 * the picture leaves; it names the transaction that was opened and no token, so that it opens nothing itself.
 */
export const makeDetokenize =
  (service: FaceService): Detokenize =>
  async (call, bestImageToken, transactionId) => {
    const { caller } = call;
    const transaction = await service.store.findTransaction(caller.tenantId, knownReference(transactionId));
    if (transaction === undefined || transaction.world !== caller.world) {
      throw new Failure("not_found");
    }
    const token = await asInput("bestImage", () =>
      service.openToken(bestImageToken, "best-image", transaction.at),
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

/** A token that was not good at the transaction's time is not the one that it used. */
const notUsedThen = (error: unknown): undefined => {
  if (error instanceof Failure && error.code === "token_expired") {
    return undefined;
  }
  throw error;
};
