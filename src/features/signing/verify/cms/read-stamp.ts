import { readBer } from "#trust/asn1/ber";
import { childrenWithTag, DerError, oidOf, readDer, smallIntegerOf, tags, timeOf } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { type CmsSignature, readSignedData, type SignedData } from "#trust/asn1/signed-data";
import { hashOf } from "#trust/asn1/verify-signature";
import { type CmsFault, checkSigner, type Digest, digestOf } from "./check-signer.ts";

/**
 * A time-stamp token as it was read and checked over the stamped bytes. Its authority is judged elsewhere.
 */
export type StampFacts = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly hash: string | undefined;
  readonly data: SignedData;
  readonly signer: CmsSignature | undefined;
  readonly faults: readonly CmsFault[];
};

/** Reads a token, and checks its imprint and its signature. Throws DerError for any other bytes. */
export const readStamp = (bytes: Uint8Array, digest: Digest): StampFacts => {
  const data = readSignedData(readBer(bytes).written);
  if (data.contentType !== oids.tstInfo || data.content === undefined)
    throw new DerError("The token stamps nothing");
  const [version, , imprint, , at] = childrenWithTag(readDer(data.content), tags.sequence);
  if (smallIntegerOf(version) !== 1) throw new DerError("The time-stamp has an unknown version");
  const [algorithm, stamped] = childrenWithTag(imprint, tags.sequence);
  const hash = hashOf(oidOf(childrenWithTag(algorithm, tags.sequence)[0]));
  const isStamped =
    hash !== undefined && stamped !== undefined && Buffer.compare(digest(hash), stamped.content) === 0;
  const [signer] = data.signers;
  const imprintFault: CmsFault = hash === undefined ? "algorithm_unknown" : "digest_differs";
  return {
    at: timeOf(at),
    hash,
    data,
    signer,
    faults: [
      ...(isStamped ? [] : [imprintFault]),
      ...checkSigner(data, digestOf(data.content), { mustNameCertificate: true }),
    ],
  };
};
