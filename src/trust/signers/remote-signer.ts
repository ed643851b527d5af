import { createHash } from "node:crypto";
import { Type } from "typebox";
import { Failure } from "#contract/failure";
import { makeCheck } from "#contract/make-check";
import type { Egress } from "#machine/egress/egress";
import { makeSigner, type OpenedSigner } from "./make-signer.ts";
import { orderChain, readCertificatesFile } from "./read-pem.ts";
import { SignerError } from "./signer-error.ts";

export type RemoteSignerConfig = {
  readonly kind: "remote";
  readonly url: string;
  readonly authorization?: string | undefined;
  /** keyId of the protocol. */
  readonly key?: string | undefined;
  readonly certificatesFile: string;
};

/** The answer of the service (docs/guides/integrate/signing.md). */
const answerSchema = makeCheck(Type.Object({ signature: Type.String({ maxLength: 4_096 }) }));

/** An RSA-4096 signature has 700 characters of Base64. */
const answerBytesMax = 16_384;

/** A token of the service may ask a person or an HSM, but a call of the integrator waits meanwhile. */
const answerMsMax = 10_000;

const unusable = (reason: string, cause?: unknown): Failure =>
  new Failure("signer_unusable", { reason }, cause === undefined ? {} : { cause });

const parse = (bytes: Uint8Array): { readonly signature: string } | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return answerSchema.Check(value) ? value : undefined;
  } catch {
    // Another form: the caller names it.
    return undefined;
  }
};

/**
 * Opens a signer behind an HTTP service: it gets the hash and answers the signature; the document stays here.
 * Each answer is verified with the certificate. Nothing is sent twice, since a service may count signatures.
 * Throws SignerError.
 */
export const openRemoteSigner = async (
  { url, authorization, key, certificatesFile }: RemoteSignerConfig,
  egress: Egress,
): Promise<OpenedSigner> => {
  const [certificate, ...others] = await readCertificatesFile(certificatesFile);
  if (certificate === undefined) throw new SignerError("IDEM_SIGNER_CERTIFICATES holds no certificate.");
  const { host } = new URL(url);
  return makeSigner(certificate, orderChain(certificate, others), async (message, { hash }) => {
    const digest = createHash(hash).update(message).digest("base64");
    const body = Buffer.from(JSON.stringify({ hash, digest, ...(key !== undefined && { keyId: key }) }));
    const chunks: Uint8Array[] = [];
    try {
      const answer = await egress(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...(authorization !== undefined && { authorization }),
        },
        body,
        bytesMax: answerBytesMax,
        headMsMax: answerMsMax,
        silenceMsMax: answerMsMax,
        signal: AbortSignal.timeout(answerMsMax),
      });
      for await (const chunk of answer.body) chunks.push(chunk);
      if (answer.status !== 200) throw unusable(`${host} answers HTTP ${answer.status}`);
    } catch (error) {
      throw error instanceof Failure ? error : unusable(`${host} cannot be reached`, error);
    }
    const parsed = parse(Buffer.concat(chunks));
    if (parsed === undefined) throw unusable(`${host} answers in another form`);
    return new Uint8Array(Buffer.from(parsed.signature, "base64"));
  });
};
