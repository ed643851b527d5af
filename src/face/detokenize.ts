import { Failure } from "#contract/failure";
import type { FaceCall, FaceService } from "./service.ts";

export type Detokenize = (
  call: FaceCall,
  bestImageToken: string,
  transactionId: string,
) => Promise<Uint8Array>;

/**
 * The picture of a best-image token, for the very transaction of the same tenant that used it; otherwise
 * not_found, the same whether the transaction is missing, another tenant's, or used another token. Age is judged
 * at the transaction's own time: a token that was good then can be opened as long as the transaction is kept and
 * the key that sealed it is held.
 */
export const makeDetokenize =
  ({ store, openToken }: Pick<FaceService, "store" | "openToken">): Detokenize =>
  async ({ caller }, bestImageToken, transactionId) => {
    const transaction = await store.findTransaction(caller.tenantId, transactionId);
    if (transaction === undefined) {
      throw new Failure("not_found");
    }
    const token = await openToken(bestImageToken, "best-image", transaction.at).catch(notUsedThen);
    if (token === undefined || !transaction.tokenHashes.includes(token.hash)) {
      throw new Failure("not_found");
    }
    return token.payload;
  };

/** A token that was not good at the transaction's time is not the one that it used. */
const notUsedThen = (error: unknown): undefined => {
  if (error instanceof Failure && error.code === "token_expired") {
    return undefined;
  }
  throw error;
};
