import { readBer } from "#trust/asn1/ber";
import { DerError } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { type CmsSignature, readSignedData, type SignedData } from "#trust/asn1/signed-data";
import { hashOf, isStrong, readScheme } from "#trust/asn1/verify-signature";
import { type CmsFault, checkSigner, type Digest, digestOf } from "./check-signer.ts";
import { readStamp, type StampFacts } from "./read-stamp.ts";

/** Why a signature cannot be read at all. */
export type CmsUnread = "contents_empty" | "cms_unreadable" | "format_unknown";

/**
 * What the CMS of a signature holds, checked over the signed bytes of the file. Its chain is judged
 * elsewhere.
 */
export type CmsFacts = {
  readonly data: SignedData;
  readonly signer: CmsSignature | undefined;
  readonly faults: readonly CmsFault[];
  readonly isStrong: boolean;
  /** Whether the CMS holds the signed content, although the signature is separate from it. */
  readonly hasContent: boolean;
  /** Time-stamps over the signature value; unreadable ones count as none, and are named in `stampsUnread`. */
  readonly stamps: readonly StampFacts[];
  readonly stampsUnread: number;
  /** The stamped time, where the signature is itself a document time-stamp. */
  readonly stamp: StampFacts | undefined;
};

/** More time-stamps of one signature are not read. */
const stampsMax = 20;

/** Formats of signatures in PDF that are read (ISO 32000-2, table 255; ETSI EN 319 142-1, 6.3). */
const formats: ReadonlySet<string> = new Set([
  "adbe.pkcs7.detached",
  "adbe.pkcs7.sha1",
  "ETSI.CAdES.detached",
  "ETSI.RFC3161",
]);

/** Reads and checks the Contents of a signature over the hash of its signed bytes. */
export const readCms = (
  subFilter: string | undefined,
  contents: Uint8Array,
  digest: Digest,
): CmsFacts | CmsUnread => {
  if (contents.every((byte) => byte === 0)) return "contents_empty";
  if (subFilter === undefined || !formats.has(subFilter)) return "format_unknown";
  try {
    return subFilter === "ETSI.RFC3161"
      ? readTimestamp(contents, digest)
      : readSignature(subFilter, contents, digest);
  } catch (error) {
    if (error instanceof DerError) return "cms_unreadable";
    throw error;
  }
};

const readTimestamp = (contents: Uint8Array, digest: Digest): CmsFacts => {
  const stamp = readStamp(contents, digest);
  const { data, signer, faults, hash } = stamp;
  const isAccepted = hash !== undefined && hash !== "sha1" && isStrongSigner(signer);
  return {
    data,
    signer,
    faults,
    isStrong: isAccepted,
    hasContent: false,
    stamps: [],
    stampsUnread: 0,
    stamp,
  };
};

const readSignature = (subFilter: string, contents: Uint8Array, digest: Digest): CmsFacts => {
  const data = readSignedData(readBer(contents).written);
  const [signer] = data.signers;
  const isOld = subFilter === "adbe.pkcs7.sha1";
  const faults = isOld ? checkOld(data, digest) : checkSigner(data, digest);
  const tokens = (signer?.unsignedAttributes.get(oids.timestampToken) ?? []).slice(0, stampsMax);
  const stamps = tokens.flatMap(({ bytes }) =>
    tryStamp(bytes, digestOf(signer?.signature ?? new Uint8Array())),
  );
  return {
    data,
    signer,
    faults,
    isStrong: !isOld && isStrongSigner(signer),
    hasContent: !isOld && data.content !== undefined,
    stamps,
    stampsUnread: tokens.length - stamps.length,
    stamp: undefined,
  };
};

/** adbe.pkcs7.sha1: the content is the SHA-1 of the signed bytes (ISO 32000-1, 12.8.3.3.1). */
const checkOld = (data: SignedData, digest: Digest): readonly CmsFault[] => {
  const { content } = data;
  if (content === undefined || Buffer.compare(content, digest("sha1")) !== 0) return ["digest_differs"];
  return checkSigner(data, digestOf(content));
};

const tryStamp = (bytes: Uint8Array, digest: Digest): readonly StampFacts[] => {
  try {
    return [readStamp(bytes, digest)];
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
};

const isStrongSigner = (signer: CmsSignature | undefined): boolean => {
  if (signer === undefined) return false;
  const scheme = readScheme(signer.algorithm, signer.digestOid);
  return scheme !== undefined && isStrong(scheme) && hashOf(signer.digestOid) !== "sha1";
};
