import type { Certificate } from "#trust/asn1/certificate";
import { oids } from "#trust/asn1/oids";

/**
 * Purposes of signers: RFC 9336, RFC 5280, 4.2.1.12, and those of Adobe and Microsoft from before RFC 9336.
 */
export const documentPurposes: ReadonlySet<string> = new Set([
  oids.documentSigning,
  oids.emailProtection,
  oids.anyPurpose,
  "1.2.840.113583.1.1.5",
  "1.3.6.1.4.1.311.10.3.12",
]);

/**
 * Whether a key may sign documents (ETSI EN 319 412-2, 4.3.2): by its usage, and by its purposes where it has
 * some.
 */
export const isForDocuments = ({ keyUsage, purposes }: Pick<Certificate, "keyUsage" | "purposes">): boolean =>
  (keyUsage === undefined || keyUsage.has("digitalSignature") || keyUsage.has("nonRepudiation")) &&
  (purposes === undefined || purposes.some((one) => documentPurposes.has(one)));
