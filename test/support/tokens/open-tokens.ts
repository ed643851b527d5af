import { createTokenKey, publishKeys } from "#trust/tokens/keys";
import { makeOpenToken, type TokenLimits } from "#trust/tokens/open";
import { sealToken } from "#trust/tokens/seal";
import { sealForTenant } from "#trust/tokens/seal-for-tenant";
import type { TokenKind } from "#trust/tokens/token";

/** Lifetime of tokens in tests; templates do not expire. */
export const tokenAgeMs = 600_000;
export const tokenBytesMax = 8_000_000;

/** Limits of the deployment of tests: every kind but templates ends after ten minutes. */
export const tokenLimits: TokenLimits = {
  tokenBytesMax,
  aheadMsMax: 1000,
  templateWithoutTenant: "accepted",
  openImages: "refused",
  ageMsMax: {
    "best-image": tokenAgeMs,
    "face-image": tokenAgeMs,
    template: null,
    ocr: tokenAgeMs,
    "document-image": tokenAgeMs,
    tracking: tokenAgeMs,
  },
};

/** A deployment's tokens: seals as a device does, opens as the service does. */
export const openTokens = async (createdAt = new Date()) => {
  const keys = { current: await createTokenKey(createdAt) };
  const openToken = await makeOpenToken(keys, tokenLimits);
  const seal = (kind: TokenKind, payload: Uint8Array, now = new Date()): Promise<string> =>
    sealToken({ keys: publishKeys(keys), kind, payload, now });
  /** Seals as the service does, for one tenant. */
  const sealFor = (tenantId: string, kind: TokenKind, payload: Uint8Array): Promise<string> =>
    sealForTenant(tenantId, { keys: publishKeys(keys), kind, payload, now: new Date() });
  return { openToken, seal, sealFor };
};
