import type { Certificate } from "#trust/asn1/certificate";
import type { CmsSignature, SignedData } from "#trust/asn1/signed-data";
import { isSignedBy, type SignedBytes } from "#trust/asn1/verify-signature";
import type { IsSignedBy } from "#trust/revocation/find-chain";
import type { Steps } from "../../pdf/steps.ts";
import { type Evidence, readEnclosed } from "./collect-evidence.ts";

/**
 * What one verification computes once, and counts: a hostile file names the same data for each of its
 * signatures.
 */
export type Effort = {
  readonly steps: Steps;
  /** As `isSignedBy`, once for each pair. Throws TooManySteps. */
  readonly isSigned: IsSignedBy;
  /** As `readEnclosed`, once for each CMS. */
  readonly enclosed: (data: SignedData, signer: CmsSignature | undefined) => Evidence;
};

/** A signature over a curve of 256 bits takes .1 ms to verify, one over a curve of 512 bits 1 ms. */
const verificationSteps = 40_000;

/** Bytes of the longest usual key: RSA with 4096 bits. The time grows with the square of longer ones. */
const keyBytesUsual = 600;

/** Counts by these steps. */
export const makeEffort = (steps: Steps): Effort => {
  const signed = new WeakMap<SignedBytes, WeakMap<object, boolean>>();
  const read = new WeakMap<SignedData, Evidence>();
  const verify = (one: SignedBytes, by: Pick<Certificate, "publicKeyInfo">): boolean => {
    steps.takeNative(one.signedBytes.length);
    steps.take(verificationSteps * Math.max(1, by.publicKeyInfo.length / keyBytesUsual) ** 2);
    return isSignedBy(one, by);
  };
  return {
    steps,
    isSigned: (one, by) => {
      const known = signed.get(one) ?? new WeakMap<object, boolean>();
      signed.set(one, known);
      const result = known.get(by) ?? verify(one, by);
      known.set(by, result);
      return result;
    },
    enclosed: (data, signer) => {
      const evidence = read.get(data) ?? readEnclosed(data, signer);
      read.set(data, evidence);
      return evidence;
    },
  };
};
