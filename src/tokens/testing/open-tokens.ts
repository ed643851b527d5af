import { createTokenKey, publishKeys } from "../keys.ts";
import { makeOpenToken } from "../open.ts";
import { sealToken } from "../seal.ts";
import type { TokenKind } from "../token.ts";

/** How long tokens are good for here; templates for ever. */
export const tokenAgeMs = 600_000;
export const tokenBytesMax = 8_000_000;

/** A deployment's tokens: sealing as a device does, opening as the service does. */
export const openTokens = async (createdAt = new Date()) => {
  const keys = { current: await createTokenKey(createdAt) };
  const openToken = await makeOpenToken(keys, {
    tokenBytesMax,
    aheadMsMax: 1000,
    ageMsMax: {
      "best-image": tokenAgeMs,
      "face-image": tokenAgeMs,
      template: null,
      ocr: tokenAgeMs,
      "document-image": tokenAgeMs,
      tracking: tokenAgeMs,
    },
  });
  const seal = (kind: TokenKind, payload: Uint8Array, now = new Date()): Promise<string> =>
    sealToken({ keys: publishKeys(keys), kind, payload, now });
  return { openToken, seal };
};
