/**
 * Composition of the verification of signatures: it works without a signer too, in threads of its own then.
 */

import { Failure } from "#contract/failure";
import { makeVerifySignature } from "#features/signing/documents/verify-signature";
import { verifySignatureEndpoint } from "#features/signing/http/verify-signature.endpoint";
import { readCertificate } from "#trust/asn1/certificate";
import type { SigningPorts } from "#trust/revocation/ports";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { openRoots, type SigningService } from "./signing.ts";
import { openSigningThreads, type SigningThreads } from "./signing-threads.ts";

/**
 * How much the largest file grows when it is signed here: a signature at B-LTA adds some 70 kB, and an image
 * comes with it.
 */
const grownBytesMax = 1_000_000;

type VerificationParts = Pick<Parts, "config" | "recordCall" | "clock" | "report">;

const refuse = (): Promise<never> =>
  Promise.reject(new Failure("signer_unusable", { reason: "the deployment has no signer" }));

/** Verification asks for nothing. */
const noPorts: SigningPorts = { sign: refuse, stamp: refuse, fetch: () => Promise.resolve(undefined) };

/** The threads of the signer, and the roots where its chains end; without one the configured roots. */
const openMeans = async ({ config, report }: VerificationParts, signing: SigningService | undefined) => {
  if (signing !== undefined) {
    const { verifyPdf, sources } = signing;
    return { verifyPdf, roots: sources.roots, own: undefined };
  }
  const own: SigningThreads = openSigningThreads({
    threads: config.signing.threads,
    ports: noPorts,
    onDeath: (cause) => report("signing", "A verifying thread died and was replaced", cause),
  });
  await own.ready;
  return { verifyPdf: own.verifyPdf, roots: await openRoots(config), own };
};

/**
 * `POST /services/verifySignature`. Throws where a root cannot be read: the file of the configuration is then
 * wrong.
 */
export const openVerification = async (
  parts: VerificationParts,
  signing: SigningService | undefined,
): Promise<Module> => {
  const { config, recordCall, clock } = parts;
  const { verifyPdf, roots, own } = await openMeans(parts, signing);
  for (const root of roots.stamps) readCertificate(root);
  const verifySignature = makeVerifySignature({
    verifyDocument: (file, signal) => verifyPdf(file, { roots, now: clock() }, signal),
    recordCall,
    bytesMax: config.signing.bytesMax + grownBytesMax,
  });
  return {
    name: "verification",
    endpoints: [verifySignatureEndpoint(verifySignature)],
    ...(own && { gauges: own.gauges, close: own.close }),
  };
};
