import { type Extension, readExtensions } from "#trust/asn1/certificate";
import {
  bitStringOf,
  childrenWithTag,
  contextTag,
  type Der,
  DerError,
  eitherTimeOf,
  expectTag,
  iterateDer,
  readDer,
  tags,
} from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import type { SignedBytes } from "#trust/asn1/verify-signature";
import { der } from "#trust/asn1/write-der";

/**
 * A CRL (RFC 5280, 5.1). Made by {@link readCrl}; its signature is not verified. Times are milliseconds
 * since 1970.
 */
export type Crl = SignedBytes & {
  readonly bytes: Uint8Array;
  /** The Name of the issuer in DER. */
  readonly issuer: Uint8Array;
  readonly thisUpdate: number;
  readonly nextUpdate: number | undefined;
  /** The entries, read only as far as they are searched; undefined for an empty list. */
  readonly revoked: Der | undefined;
  readonly extensions: ReadonlyMap<string, Extension>;
};

/** A longer list is refused: some 400,000 entries. The longest of public authorities have some 10 MB. */
export const crlBytesMax = 16_777_216;

const isTime = ({ tag }: Der): boolean => tag === tags.utcTime || tag === tags.generalizedTime;

/** Reads a CRL. Throws DerError for any other bytes. */
export const readCrl = (bytes: Uint8Array): Crl => {
  if (bytes.length > crlBytesMax) throw new DerError("A CRL is too long");
  const [list, algorithm, signature] = childrenWithTag(readDer(bytes), tags.sequence);
  const all = childrenWithTag(list, tags.sequence);
  const [, issuer, thisUpdate, ...rest] = all[0]?.tag === tags.integer ? all.slice(1) : all;
  return {
    bytes,
    issuer: expectTag(issuer, tags.sequence).bytes,
    thisUpdate: eitherTimeOf(thisUpdate),
    nextUpdate: rest[0] !== undefined && isTime(rest[0]) ? eitherTimeOf(rest[0]) : undefined,
    revoked: rest.find(({ tag }) => tag === tags.sequence),
    extensions: readExtensions(rest.find(({ tag }) => tag === contextTag(0))),
    signedBytes: expectTag(list, tags.sequence).bytes,
    algorithm: expectTag(algorithm, tags.sequence),
    signature: bitStringOf(signature),
  };
};

/** An entry of a CRL. */
export type CrlEntry = { readonly at: number; readonly reason: number | undefined };

/** The entry of a serial number; undefined if the list has none. Throws DerError for damaged entries. */
export const findInCrl = ({ revoked }: Pick<Crl, "revoked">, serial: Uint8Array): CrlEntry | undefined => {
  // Most certificates are on no list: a search for the bytes of the number costs a hundredth of reading all
  // entries. As it is written: a number of another form, such as a negative one, must be found too.
  const wanted = der(tags.integer, serial);
  if (revoked === undefined || !viewOf(revoked.content).includes(viewOf(wanted))) return undefined;
  for (const entry of iterateDer(revoked)) {
    const [number, at, extensions] = childrenWithTag(entry, tags.sequence);
    if (Buffer.compare(expectTag(number, tags.integer).bytes, wanted) === 0) {
      return { at: eitherTimeOf(at), reason: reasonOf(extensions) };
    }
  }
  return undefined;
};

const reasonOf = (list: Der | undefined): number | undefined => {
  // The extensions of an entry lack the tag that the extensions of a list have.
  const wrapped = list && { tag: contextTag(0), content: list.bytes, bytes: list.bytes };
  const reason = readExtensions(wrapped).get(oids.crlReason);
  return reason && expectTag(readDer(reason.value), tags.enumerated).content[0];
};

/** The same bytes without a copy. */
const viewOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);
