import { sealingInfo, writeTenantHeader } from "./envelope.ts";
import { keyIdOf, type Sealing } from "./seal.ts";
import { makeSuite, ownBuffer } from "./suite.ts";
import { markPayload } from "./tenant-mark.ts";

/**
 * Seals bytes for one tenant of this deployment: for another tenant the token is unreadable. For tokens that Idem
 * itself makes; a device knows no tenant. Returns the token in Base64.
 */
export const sealForTenant = async (
  tenantId: string,
  { keys, kind, payload, now }: Sealing,
): Promise<string> => {
  const [key] = keys.keys;
  if (key === undefined) {
    throw new Error("The deployment publishes no key to seal with");
  }
  const header = writeTenantHeader({ kind, keyId: keyIdOf(key.kid), issuedAtMs: now.getTime() });
  const suite = makeSuite();
  const { kty, crv, x, y } = key;
  const { enc, ct } = await suite.seal(
    {
      recipientPublicKey: await suite.kem.importKey("jwk", { kty, crv, x, y }, true),
      info: ownBuffer(sealingInfo),
    },
    ownBuffer(markPayload(tenantId, payload)),
    ownBuffer(header),
  );
  return Buffer.concat([header, new Uint8Array(enc), new Uint8Array(ct)]).toString("base64");
};
