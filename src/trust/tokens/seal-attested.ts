import { attestationKeyOf, writeTrailer } from "./attestation.ts";
import { splitSealed, writeAttestedHeader } from "./envelope.ts";
import type { TokenKey } from "./keys.ts";
import { keyIdOf } from "./seal.ts";
import { sealBytesForTenant } from "./seal-for-tenant.ts";
import { markOf } from "./tenant-mark.ts";
import type { Attestation, TokenKind } from "./token.ts";

export type AttestedToken = {
  readonly kind: TokenKind;
  readonly payload: Uint8Array;
  readonly attestation: Attestation;
  readonly now: Date;
};

/**
 * Seals bytes that a capture session took, for its tenant alone, with the trailer that states how. Returns
 * the token's bytes.
 */
export const sealAttested = async (
  key: TokenKey,
  tenantId: string,
  { kind, payload, attestation, now }: AttestedToken,
): Promise<Uint8Array> => {
  const header = writeAttestedHeader({ kind, keyId: keyIdOf(key.kid), issuedAtMs: now.getTime() });
  const sealed = await sealBytesForTenant(tenantId, key, header, payload);
  const trailer = writeTrailer(attestationKeyOf(key), markOf(tenantId), splitSealed(sealed), attestation);
  return Buffer.concat([sealed, trailer]);
};
