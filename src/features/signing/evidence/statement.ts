import { canonicalJson } from "#contract/canonical-json";
import type { Json } from "#contract/json";

/** The authentication that a signature rests on, as its record states it. */
export type Authentication = {
  readonly transaction: string;
  readonly endpoint: string;
  readonly at: string;
  /** `facialAuthenticationHash`: keyed, so that it links no two documents and reveals no image. */
  readonly hash: string;
  /** Result numbers of the call. */
  readonly result: Json;
  /** Similarity and false match rate of the comparison; null where the record holds none. */
  readonly similarity: number | null;
  readonly falseMatchRate: number | null;
  readonly policyVersion: string;
  /** Model name to SHA-256 (hex) of its weights. */
  readonly models: Readonly<Record<string, string>>;
};

/** Where the person signs, as the caller states it. */
export type Place = {
  readonly city: string;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  readonly position?: string;
  readonly ipAddress?: string;
};

/**
 * What the statement says of a signing before the document is opened. Plain values: it crosses to a thread.
 */
export type SigningFacts = {
  /** Transaction of the signing. */
  readonly transaction: string;
  /** Time of the signing, ISO 8601 in UTC. */
  readonly at: string;
  readonly signingType: string;
  /** E-mail address of the person. */
  readonly contact: string;
  readonly place: Place;
  readonly authentication: Authentication;
};

/** A file by its hash: SHA-256 (hex) and bytes. */
export type HashedDocument = { readonly sha256: string; readonly bytes: number };

/** The document of a signing: as the caller sent it, and as it was repaired where it was damaged. */
export type SignedInput = { readonly sent: HashedDocument; readonly repaired?: HashedDocument };

/** Name of the statement among the attachments of a signed document. */
export const statementName = "idem-statement.json";

/**
 * The signed statement of a document in canonical JSON (RFC 8785): who signed, when, where, by which
 * authentication with which figures, and which file (docs/formats/signing-statement.md).
 */
export const statementOf = (facts: SigningFacts, { sent, repaired }: SignedInput): string => {
  const { transaction, at, signingType, contact, place, authentication } = facts;
  const { city, country, position, ipAddress } = place;
  return canonicalJson({
    type: "idem.signing-statement",
    version: 1,
    signing: { transaction, at, signingType },
    contact,
    place: {
      city,
      country,
      ...(position !== undefined && { position }),
      ...(ipAddress !== undefined && { ipAddress }),
    },
    authentication: { ...authentication },
    document: { ...sent, ...(repaired && { repaired: { ...repaired } }) },
  });
};
