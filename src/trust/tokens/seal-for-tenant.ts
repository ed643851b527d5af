import { sealingInfo, writeTenantHeader } from "./envelope.ts";
import { keyIdOf, type PublishedKey, type Sealing } from "./seal.ts";
import { makeSuite, ownBuffer } from "./suite.ts";
import { markPayload } from "./tenant-mark.ts";

/**
 * Seals bytes for one tenant of this deployment: for another tenant the token is unreadable. For tokens that
 * Idem itself makes; a device knows no tenant. Returns the token in Base64.
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
  const bytes = await sealBytesForTenant(tenantId, key, header, payload);
  return Buffer.from(bytes).toString("base64");
};

/** The bytes of a token with this header, whose payload begins with the mark of the tenant. */
export const sealBytesForTenant = async (
  tenantId: string,
  { x, y }: Pick<PublishedKey, "x" | "y">,
  header: Uint8Array,
  payload: Uint8Array,
): Promise<Uint8Array> => {
  const suite = makeSuite();
  const { enc, ct } = await suite.seal(
    {
      recipientPublicKey: await suite.kem.importKey("jwk", { kty: "EC", crv: "P-256", x, y }, true),
      info: ownBuffer(sealingInfo),
    },
    ownBuffer(markPayload(tenantId, payload)),
    ownBuffer(header),
  );
  return Buffer.concat([header, new Uint8Array(enc), new Uint8Array(ct)]);
};
