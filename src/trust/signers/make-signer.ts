import { type KeyObject, sign } from "node:crypto";
import { Failure } from "#contract/failure";
import { readCertificate } from "#trust/asn1/certificate";
import { commonNameOf, describeName } from "#trust/asn1/names";
import { isSignatureOf } from "#trust/asn1/verify-signature";
import type { Signer, SignerIdentity, SignMessage } from "#trust/revocation/ports";
import { describeKey } from "./describe-key.ts";
import { judgeSigner, type SignerFault } from "./judge-signer.ts";
import { SignerError } from "./signer-error.ts";

/** A signer, and the judgement whether it may sign now. Made by `openSigner` (open-signer.ts). */
export type OpenedSigner = Signer & {
  /**
   * The fault at a time (milliseconds since 1970); undefined for a signer that may sign. Revocation is judged
   * elsewhere.
   */
  readonly judge: (at: number) => SignerFault | undefined;
  /** Last millisecond since 1970 of the validity of its certificate. */
  readonly validTo: number;
  /** The subject of its certificate in one line. */
  readonly subject: string;
};

/**
 * Makes a signer of a certificate (DER), its issuers and a function that signs. Each signature is verified
 * with the certificate before it is used: a wrong key, token or service signs nothing. Throws SignerError for
 * a certificate that cannot sign.
 *
 * @example
 * ```ts
 * import { createPrivateKey } from "node:crypto";
 * import { readFile } from "node:fs/promises";
 * import { makeSigner, signWithKey } from "#trust/signers/make-signer";
 *
 * const key = createPrivateKey(await readFile("signer-key.pem"));
 * const signer = makeSigner(await readFile("signer.der"), [await readFile("issuer.der")], signWithKey(key));
 * console.log(signer.subject, await signer.sign(Buffer.from("message")));
 * ```
 */
export const makeSigner = (
  certificate: Uint8Array,
  chain: readonly Uint8Array[],
  signMessage: (message: Uint8Array, identity: SignerIdentity) => Promise<Uint8Array>,
): OpenedSigner => {
  const read = readCertificate(certificate);
  const key = describeKey(read);
  if ("fault" in key)
    throw new SignerError(`The certificate of ${describeName(read.subject)}: ${key.fault}.`);
  const identity: SignerIdentity = { name: commonNameOf(read.subject), certificate, chain, ...key };
  const scheme = { kind: key.keyKind === "ec" ? "ecdsa" : "rsa", hash: key.hash } as const;
  const signVerified: SignMessage = async (message) => {
    const signature = await signMessage(message, identity);
    if (!isSignatureOf(scheme, read.publicKeyInfo, message, signature)) {
      throw new Failure("signer_unusable", { reason: "its key does not fit its certificate" });
    }
    return signature;
  };
  return {
    ...identity,
    sign: signVerified,
    judge: (at) => judgeSigner(identity, at),
    validTo: read.validTo,
    subject: describeName(read.subject),
  };
};

/** Signs with a private key of this process, outside of the main thread: RSA-4096 takes some 10 ms. */
export const signWithKey =
  (key: KeyObject) =>
  (message: Uint8Array, { hash }: Pick<SignerIdentity, "hash">): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      sign(hash, message, key, (error, signature) => (error === null ? resolve(signature) : reject(error)));
    });
