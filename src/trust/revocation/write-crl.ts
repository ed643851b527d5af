import { sign } from "node:crypto";
import { tags } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import {
  bitString,
  certificateTime,
  der,
  explicit,
  implicit,
  octetString,
  oid,
  sequence,
  smallInteger,
} from "#trust/asn1/write-der";
import { signatureAlgorithm } from "#trust/asn1/write-signed-data";
import type { AuthorityKey } from "./respond-ocsp.ts";

export type CrlOptions = {
  readonly issuer: AuthorityKey;
  readonly number: number;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  readonly revoked?: readonly { readonly serial: Uint8Array; readonly at: Date }[];
  /** More extensions in DER. */
  readonly extensions?: readonly Uint8Array[];
};

/** Writes a CRL (RFC 5280, 5): version 2 with the identifier of the issuer's key and a number. */
export const writeCrl = (options: CrlOptions): Uint8Array => {
  const { issuer, revoked = [], extensions = [] } = options;
  const algorithm = signatureAlgorithm(issuer);
  const { subjectKeyId, subject } = issuer.certificate;
  const list = sequence(
    smallInteger(1),
    algorithm,
    subject,
    certificateTime(options.thisUpdate),
    certificateTime(options.nextUpdate),
    ...(revoked.length === 0
      ? []
      : [
          sequence(
            ...revoked.map(({ serial, at }) => sequence(der(tags.integer, serial), certificateTime(at))),
          ),
        ]),
    explicit(
      0,
      sequence(
        ...(subjectKeyId === undefined
          ? []
          : [
              sequence(
                oid(oids.authorityKeyIdentifier),
                octetString(sequence(implicit(0, der(tags.octetString, subjectKeyId)))),
              ),
            ]),
        sequence(oid(oids.crlNumber), octetString(smallInteger(options.number))),
        ...extensions,
      ),
    ),
  );
  return sequence(list, algorithm, bitString(sign(issuer.hash, list, issuer.key)));
};
