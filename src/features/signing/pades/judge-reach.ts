import type { Certificate } from "#trust/asn1/certificate";
import { oids } from "#trust/asn1/oids";
import { type CmsSignature, readSignedData } from "#trust/asn1/signed-data";
import { findChain, readCertificates } from "#trust/revocation/find-chain";

/**
 * Whether servers may be asked about a signature. `foreign`: a certificate of it leads to no known one, so
 * that it could name any address. `ended`: the certificate of a signer has expired, and its authority may
 * answer no more.
 */
export type Reach = "open" | "ended" | "foreign";

export type ReachRequest = {
  readonly contents: Uint8Array;
  /** Certificates in DER that the operator trusts. */
  readonly known: readonly Uint8Array[];
  /** Certificates in DER that the file holds. */
  readonly held: readonly Uint8Array[];
  /** Milliseconds since 1970. */
  readonly now: number;
};

type Leaf = { readonly leaf: Certificate | undefined; readonly pool: readonly Certificate[] };

/** The certificate of a signer and of each of its time-stamps, each with the certificates beside it. */
const leavesOf = (contents: Uint8Array, held: readonly Certificate[]): readonly Leaf[] => {
  const data = readSignedData(contents, { mayHavePadding: true });
  const pool = [...readCertificates(data.certificates), ...held];
  const stampsOf = ({ unsignedAttributes }: CmsSignature): readonly Leaf[] =>
    (unsignedAttributes.get(oids.timestampToken) ?? []).flatMap(({ bytes }) => leavesOf(bytes, held));
  return data.signers.flatMap((signer) => [{ leaf: signer.signerCertificate, pool }, ...stampsOf(signer)]);
};

/** Judges by the certificates at hand alone: nothing is asked. Throws DerError. */
export const judgeReach = async ({ contents, known, held, now }: ReachRequest): Promise<Reach> => {
  const trusted = readCertificates(known);
  const isKnown = ({ bytes }: Certificate): boolean =>
    trusted.some((one) => Buffer.compare(one.bytes, bytes) === 0);
  let hasEnded = false;
  for (const { leaf, pool } of leavesOf(contents, [...trusted, ...readCertificates(held)])) {
    if (leaf === undefined) return "foreign";
    const { certificates } = await findChain(leaf, pool, () => Promise.resolve(undefined));
    if (!certificates.some(isKnown)) return "foreign";
    hasEnded ||= certificates.some(({ validTo }) => validTo < now);
  }
  return hasEnded ? "ended" : "open";
};
