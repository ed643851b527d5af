import { createHash } from "node:crypto";
import { readCertificate } from "#trust/asn1/certificate";
import { integer, sequence } from "#trust/asn1/write-der";
import { isSame } from "#trust/revocation/certificate-id";
import type { SignerIdentity } from "#trust/revocation/ports";
import { makeSigner, type OpenedSigner } from "./make-signer.ts";
import { loadToken, type Pkcs11SignerConfig, type Token } from "./pkcs11-token.ts";
import { orderChain, readCertificatesFile } from "./read-pem.ts";
import { SignerError } from "./signer-error.ts";

/** DigestInfo of RFC 8017, 9.2, before the hash: the token signs it as it is. */
const digestInfo: Readonly<Record<SignerIdentity["hash"], Uint8Array>> = {
  sha256: Buffer.from("3031300d060960864801650304020105000420", "hex"),
  sha384: Buffer.from("3041300d060960864801650304020205000430", "hex"),
  sha512: Buffer.from("3051300d060960864801650304020305000440", "hex"),
};

/** A token answers r and s of equal length; signatures in CMS hold a SEQUENCE of them (RFC 3279, 2.2.3). */
const joinPair = (pair: Uint8Array): Uint8Array =>
  sequence(integer(pair.subarray(0, pair.length / 2)), integer(pair.subarray(pair.length / 2)));

const signWith =
  (token: Token) =>
  async (message: Uint8Array, { hash, keyKind }: SignerIdentity): Promise<Uint8Array> => {
    const digest = createHash(hash).update(message).digest();
    return keyKind === "rsa"
      ? await token.sign("rsa", Buffer.concat([digestInfo[hash], digest]))
      : joinPair(await token.sign("ec", digest));
  };

/**
 * The certificate with the key's identifier in the token, or of the file: the signature of a test message
 * decides.
 */
const findOwn = async (token: Token, fromFile: readonly Uint8Array[]): Promise<Uint8Array> => {
  const [own] = [...token.certificates, ...fromFile];
  if (own === undefined) {
    throw new SignerError(
      "The token holds no certificate of its key. Name one with IDEM_SIGNER_CERTIFICATES, the signer's own first.",
    );
  }
  return own;
};

/**
 * Opens a key of a PKCS#11 token. The key stays in the token. Throws SignerError with the fault and the next
 * step.
 */
export const openPkcs11Signer = async (config: Pkcs11SignerConfig): Promise<OpenedSigner> => {
  const fromFile = await readCertificatesFile(config.certificatesFile);
  const token = await loadToken(config);
  const own = await findOwn(token, fromFile);
  const others = [...token.otherCertificates, ...fromFile].filter((one) => !isSame(one, own));
  const signer = makeSigner(own, orderChain(own, others.filter(isReadable)), signWith(token));
  await signer.sign(Buffer.from("idem"));
  return signer;
};

const isReadable = (bytes: Uint8Array): boolean => {
  try {
    return readCertificate(bytes).bytes.length > 0;
  } catch {
    // An object of the token in another form is no issuer.
    return false;
  }
};
