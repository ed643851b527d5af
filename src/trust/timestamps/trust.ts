import { X509Certificate } from "node:crypto";
import { readCertificate } from "#trust/asn1/certificate";
import { allowsPurpose, areNamesAllowed } from "#trust/asn1/judge-constraints";
import { oids } from "#trust/asn1/oids";

/** The certificates of the roots that an operator trusts. Made by {@link readRoots}. */
export type Roots = readonly X509Certificate[];

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads a PEM file of certificates. Throws Error for a text without one, and for a damaged one. */
export const readRoots = (pem: string): Roots => {
  const blocks = pem.match(certificateBlock) ?? [];
  if (blocks.length === 0) {
    throw new Error("holds no certificate in PEM");
  }
  return blocks.map((block) => new X509Certificate(block));
};

/** A longer chain is refused. */
const chainMax = 6;

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, at: number): boolean =>
  validFromDate.getTime() <= at && at <= validToDate.getTime();

const isSame = (a: X509Certificate, b: X509Certificate): boolean => a.raw.equals(b.raw);

/**
 * Whether a certificate leads to a trusted root by certificates of authorities, all valid at that time
 * (milliseconds since 1970), within the constraints of names of these authorities, and with no extended key
 * usage of them that forbids time-stamps. Revocation is not checked.
 */
export const leadsToRoot = (
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  roots: Roots,
  at: number,
): boolean => {
  const chain = [leaf];
  let current = leaf;
  for (let length = 0; length < chainMax; length++) {
    if (!isValidAt(current, at)) return false;
    if (roots.some((root) => isSame(root, current))) return isFit(chain);
    const issuer = [...roots, ...others].find((one) => isIssuerOf(one, current));
    if (issuer === undefined) return false;
    chain.push(issuer);
    current = issuer;
  }
  return false;
};

const stampPurposes: ReadonlySet<string> = new Set([oids.timeStamping]);

const isFit = (all: readonly X509Certificate[]): boolean => {
  const chain = all.map(({ raw }) => readCertificate(raw));
  return areNamesAllowed(chain) && allowsPurpose(chain, stampPurposes);
};

const isIssuerOf = (issuer: X509Certificate, one: X509Certificate): boolean =>
  issuer.ca && !isSame(issuer, one) && one.checkIssued(issuer) && one.verify(issuer.publicKey);
