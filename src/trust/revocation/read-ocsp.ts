import { type Certificate, readCertificate, readExtensions } from "#trust/asn1/certificate";
import {
  bitStringOf,
  childrenOf,
  childrenWithTag,
  contextTag,
  type Der,
  DerError,
  expectTag,
  insideOf,
  oidOf,
  readDer,
  tags,
  timeOf,
} from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import type { SignedBytes } from "#trust/asn1/verify-signature";

/** What one answer states of one certificate (RFC 6960, 4.2.1). Times are milliseconds since 1970. */
export type OcspSingle = {
  /** CertID. */
  readonly id: Der;
  readonly status:
    | { readonly kind: "good" | "unknown" }
    | { readonly kind: "revoked"; readonly at: number; readonly reason: number | undefined };
  readonly thisUpdate: number;
  readonly nextUpdate: number | undefined;
};

/** A successful OCSP answer. Made by {@link readOcsp}; nothing in it is verified. */
export type OcspAnswer = SignedBytes & {
  readonly bytes: Uint8Array;
  /** `[1]` with the name, or `[2]` with the SHA-1 of the key of the responder. */
  readonly responderId: Der;
  readonly producedAt: number;
  readonly singles: readonly OcspSingle[];
  readonly certificates: readonly Certificate[];
};

/** A longer answer is refused: usual ones have 0.5 to 6 kB. */
export const ocspBytesMax = 65_536;
const singlesMax = 100;
const certificatesMax = 10;

/** Reads an OCSPResponse. Throws DerError for any other bytes, and for an answer without success. */
export const readOcsp = (bytes: Uint8Array): OcspAnswer => {
  if (bytes.length > ocspBytesMax) throw new DerError("An OCSP answer is too long");
  const [status, wrapped] = childrenWithTag(readDer(bytes), tags.sequence);
  const { content } = expectTag(status, tags.enumerated);
  if (content[0] !== 0) throw new DerError(`The OCSP responder refused with the status ${content[0]}`);
  const [type, inner] = childrenWithTag(insideOf(wrapped, contextTag(0)), tags.sequence);
  if (oidOf(type) !== oids.ocspBasic) throw new DerError("The OCSP answer has an unknown type");
  const basic = readDer(expectTag(inner, tags.octetString).content);
  const [data, algorithm, signature, certificates] = childrenWithTag(basic, tags.sequence);
  return {
    bytes,
    ...readData(expectTag(data, tags.sequence)),
    certificates: certificates === undefined ? [] : readCertificates(certificates),
    signedBytes: expectTag(data, tags.sequence).bytes,
    algorithm: expectTag(algorithm, tags.sequence),
    signature: bitStringOf(signature),
  };
};

const readCertificates = (wrapped: Der): readonly Certificate[] =>
  childrenOf(insideOf(wrapped, contextTag(0)), certificatesMax).map(({ bytes }) => readCertificate(bytes));

const readData = (data: Der) => {
  const all = childrenOf(data);
  const [responderId, producedAt, list, extensions] = all[0]?.tag === contextTag(0) ? all.slice(1) : all;
  if (responderId === undefined) throw new DerError("The OCSP answer names no responder");
  refuseCritical(extensions);
  return {
    responderId,
    producedAt: timeOf(producedAt),
    singles: childrenOf(expectTag(list, tags.sequence), singlesMax).map(readSingle),
  };
};

/** RFC 6960, 4.4: an extension that must be understood, and is not, makes the answer useless. */
const refuseCritical = (wrapped: Der | undefined): void => {
  for (const [id, { isCritical }] of readExtensions(wrapped)) {
    if (isCritical && id !== oids.ocspNonce) throw new DerError(`The extension ${id} is not understood`);
  }
};

const readSingle = (single: Der): OcspSingle => {
  const [id, status, thisUpdate, ...rest] = childrenWithTag(single, tags.sequence);
  const next = rest.find(({ tag }) => tag === contextTag(0));
  refuseCritical(rest.find(({ tag }) => tag === contextTag(1)));
  return {
    id: expectTag(id, tags.sequence),
    status: readStatus(status),
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: next && timeOf(insideOf(next, contextTag(0))),
  };
};

const readStatus = (status: Der | undefined): OcspSingle["status"] => {
  if (status?.tag === contextTag(0, false)) return { kind: "good" };
  if (status?.tag === contextTag(2, false)) return { kind: "unknown" };
  const [at, reason] = childrenWithTag(status, contextTag(1));
  const number = reason && expectTag(insideOf(reason, contextTag(0)), tags.enumerated).content[0];
  return { kind: "revoked", at: timeOf(at), reason: number };
};
