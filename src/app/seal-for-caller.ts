import type { Call } from "#contract/endpoint";
import type { PublishedKeys } from "#trust/tokens/seal";
import { sealForTenant } from "#trust/tokens/seal-for-tenant";
import type { TokenKind } from "#trust/tokens/token";

/**
 * Seals bytes as a token of the caller's tenant, to the newest key of the deployment; returns it in Base64.
 */
export const makeSealForCaller =
  (kind: TokenKind, publishedKeys: () => PublishedKeys) =>
  (payload: Uint8Array, { caller, receivedAt: now }: Pick<Call<unknown>, "caller" | "receivedAt">) =>
    sealForTenant(caller.tenantId, { keys: publishedKeys(), kind, payload, now });
