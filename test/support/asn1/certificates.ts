/** Certificates for tests, written by hand: any extension, any time, any fault. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { tags } from "#trust/asn1/der";
import { type HashName, oids } from "#trust/asn1/oids";
import {
  bitString,
  boolean,
  certificateTime,
  der,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
  setOf,
  smallInteger,
  utf8String,
} from "#trust/asn1/write-der";
import { type CmsSigner, signatureAlgorithm } from "#trust/asn1/write-signed-data";

export type TestKeys = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

export const makeKeys = (kind: "P-256" | "P-384" | "rsa" = "P-256"): TestKeys =>
  kind === "rsa"
    ? generateKeyPairSync("rsa", { modulusLength: 2048 })
    : generateKeyPairSync("ec", { namedCurve: kind });

export const nameOf = (commonName: string): Uint8Array =>
  sequence(setOf(sequence(oid("2.5.4.3"), utf8String(commonName))));

/** An extension with its value in DER. */
export const extension = (id: string, value: Uint8Array, isCritical = false): Uint8Array =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octetString(value));

export const authorityExtension = extension(oids.basicConstraints, sequence(boolean(true)), true);

export const purposesExtension = (purposes: readonly string[], isCritical = false): Uint8Array =>
  extension(oids.extendedKeyUsage, sequence(...purposes.map(oid)), isCritical);

/** keyUsage with these bits (RFC 5280, 4.2.1.3). */
export const usageExtension = (...bits: readonly number[]): Uint8Array => {
  const byte = bits.reduce((sum, bit) => sum | (0x80 >> bit), 0);
  return extension(oids.keyUsage, der(tags.bitString, Uint8Array.of(7 - Math.max(...bits), byte)), true);
};

const address = (url: string): Uint8Array => implicit(6, der(tags.ia5String, Buffer.from(url)));

export const accessExtension = (ocsp: string, issuer: string): Uint8Array =>
  extension(
    oids.authorityInformation,
    sequence(
      sequence(oid(oids.ocsp), address(ocsp)),
      sequence(oid(oids.issuerCertificates), address(issuer)),
    ),
  );

export const crlExtension = (url: string): Uint8Array =>
  extension(oids.crlDistributionPoints, sequence(sequence(explicit(0, explicit(0, address(url))))));

export type TestCertificate = {
  readonly name: string;
  readonly keys: TestKeys;
  readonly bytes: Uint8Array;
};

export type TestCertificateRequest = {
  readonly name: string;
  readonly keys?: TestKeys;
  /** Absent: it signs itself. */
  readonly issuer?: Pick<TestCertificate, "name" | "keys">;
  readonly extensions?: readonly Uint8Array[];
  readonly from?: Date;
  readonly to?: Date;
};

const [longAgo, farAhead] = [new Date("2020-01-01T00:00:00Z"), new Date("2090-01-01T00:00:00Z")];

export const makeCertificate = ({
  name,
  keys = makeKeys(),
  issuer = { name, keys },
  extensions = [],
  from = longAgo,
  to = farAhead,
}: TestCertificateRequest): TestCertificate => {
  const algorithm = signatureAlgorithm({
    keyKind: issuer.keys.privateKey.asymmetricKeyType === "rsa" ? "rsa" : "ec",
    hash: "sha256",
  });
  const toBeSigned = sequence(
    explicit(0, smallInteger(2)),
    integer(randomBytes(8)),
    algorithm,
    nameOf(issuer.name),
    sequence(certificateTime(from), certificateTime(to)),
    nameOf(name),
    keys.publicKey.export({ type: "spki", format: "der" }),
    ...(extensions.length === 0 ? [] : [explicit(3, sequence(...extensions))]),
  );
  const signature = sign("sha256", toBeSigned, issuer.keys.privateKey);
  return { name, keys, bytes: sequence(toBeSigned, algorithm, bitString(signature)) };
};

/** A signer of CMS over a certificate of the tests. */
export const signerOf = (
  { bytes, keys }: TestCertificate,
  chain: readonly TestCertificate[] = [],
  hash: HashName = "sha256",
): CmsSigner => ({
  certificate: bytes,
  chain: chain.map((one) => one.bytes),
  keyKind: keys.privateKey.asymmetricKeyType === "rsa" ? "rsa" : "ec",
  hash,
  sign: async (message) => sign(hash, message, keys.privateKey),
});

export const pemOf = (bytes: Uint8Array, label = "CERTIFICATE"): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes)
    .toString("base64")
    .replaceAll(/.{1,64}/g, "$&\n")}-----END ${label}-----\n`;
