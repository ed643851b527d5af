import { createPublicKey, type KeyObject } from "node:crypto";
import type { Certificate } from "#trust/asn1/certificate";
import type { HashName } from "#trust/revocation/ports";

/**
 * The kind of a key that can sign documents, and the hash that fits it; `fault` says in words why it cannot.
 */
export type DescribedKey =
  | { readonly keyKind: "rsa" | "ec"; readonly hash: HashName }
  | { readonly fault: string };

/**
 * Bits of RSA keys: SP 800-131A Revision 2, clause 3, refuses shorter ones. Longer ones take over 50 ms for a
 * signature.
 */
const rsaBits = { min: 2048, max: 4096 };

/** Describes the public key of a certificate. */
export const describeKey = ({ publicKeyInfo }: Pick<Certificate, "publicKeyInfo">): DescribedKey => {
  const key = openPublicKey(publicKeyInfo);
  if (key === undefined) return { fault: "its key is damaged, or of an unknown kind" };
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === "rsa") {
    const bits = details?.modulusLength ?? 0;
    return bits >= rsaBits.min && bits <= rsaBits.max
      ? { keyKind: "rsa", hash: "sha256" }
      : { fault: `its RSA key has ${bits} bits: ${rsaBits.min} to ${rsaBits.max} are accepted` };
  }
  if (type === "ec" && details?.namedCurve === "prime256v1") return { keyKind: "ec", hash: "sha256" };
  if (type === "ec" && details?.namedCurve === "secp384r1") return { keyKind: "ec", hash: "sha384" };
  const name = [type, details?.namedCurve].filter((part) => part !== undefined).join(" ");
  return { fault: `its key is ${name}: RSA, P-256 and P-384 are accepted` };
};

const openPublicKey = (publicKeyInfo: Uint8Array): KeyObject | undefined => {
  try {
    return createPublicKey({ key: Buffer.from(publicKeyInfo), format: "der", type: "spki" });
  } catch {
    // OpenSSL has no such key: the caller names the fault.
    return undefined;
  }
};
