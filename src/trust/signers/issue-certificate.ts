import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { readCertificate } from "#trust/asn1/certificate";
import { type HashName, oids } from "#trust/asn1/oids";
import {
  authorityInformation,
  authorityKeyIdentifier,
  basicConstraints,
  crlDistributionPoint,
  extendedKeyUsage,
  extension,
  keyUsage,
  subjectKeyIdentifier,
  writeCertificate,
  writeName,
} from "#trust/asn1/write-certificate";
import { nullValue } from "#trust/asn1/write-der";

/** A kind of key that signs documents: elliptic curves of NIST and RSA. */
export type KeyForm = "p256" | "p384" | "rsa2048" | "rsa3072" | "rsa4096";

/** The purpose of a certificate, which decides its extensions. */
export type CertificateProfile = "root" | "authority" | "signer" | "stamper" | "responder";

/** A certificate in DER and its private key. */
export type Issued = { readonly certificate: Uint8Array; readonly key: KeyObject };

export type CertificateOrder = {
  readonly profile: CertificateProfile;
  /** Such as `CN=Example, O=Company`. */
  readonly subject: string;
  readonly form: KeyForm;
  readonly from: Date;
  readonly to: Date;
  /** If absent, the certificate signs itself. */
  readonly issuer?: Issued;
  /** Places of the issuer: its OCSP responder, its CRL, its certificate. */
  readonly urls?: { readonly ocsp?: string; readonly crl?: string; readonly issuer?: string };
};

/** Key usages as the bits of RFC 5280, 4.2.1.3: the number of unused bits, then the byte. */
const usages = {
  certificatesAndLists: Uint8Array.of(1, 0x06),
  signatures: Uint8Array.of(7, 0x80),
  documents: Uint8Array.of(6, 0xc0),
};

const usage = (kind: keyof typeof usages): Uint8Array => keyUsage(usages[kind]);

const noAuthority = (): Uint8Array => basicConstraints(false);

/**
 * The extensions of each purpose: RFC 5280, 4.2.1; a responder has ocsp-nocheck (RFC 6960, 4.2.2.2.1); a
 * time-stamping authority has its purpose alone and critical (RFC 3161, 2.3). Signers of documents: RFC 9336
 * and emailProtection, which viewers ask for.
 */
const extensionsOf: Readonly<Record<CertificateProfile, () => readonly Uint8Array[]>> = {
  root: () => [basicConstraints(true), usage("certificatesAndLists")],
  authority: () => [basicConstraints(true, 0), usage("certificatesAndLists")],
  signer: () => [
    noAuthority(),
    usage("documents"),
    extendedKeyUsage([oids.emailProtection, oids.documentSigning]),
  ],
  stamper: () => [noAuthority(), usage("signatures"), extendedKeyUsage([oids.timeStamping], true)],
  responder: () => [
    noAuthority(),
    usage("signatures"),
    extendedKeyUsage([oids.ocspSigning]),
    extension(oids.ocspNoCheck, false, nullValue),
  ],
};

const placesOf = ({ ocsp, crl, issuer }: NonNullable<CertificateOrder["urls"]>): readonly Uint8Array[] => [
  ...(ocsp === undefined && issuer === undefined
    ? []
    : [
        authorityInformation({
          ...(ocsp !== undefined && { ocsp }),
          ...(issuer !== undefined && { issuer }),
        }),
      ]),
  ...(crl === undefined ? [] : [crlDistributionPoint(crl)]),
];

/** P-384 signs over SHA-384, every other key over SHA-256. */
const hashOf = ({ asymmetricKeyDetails }: KeyObject): HashName =>
  asymmetricKeyDetails?.namedCurve === "secp384r1" ? "sha384" : "sha256";

const generate = promisify(generateKeyPair);

const makeKeys = async (form: KeyForm) => {
  if (form === "p256" || form === "p384") {
    return await generate("ec", { namedCurve: form === "p256" ? "prime256v1" : "secp384r1" });
  }
  return await generate("rsa", { modulusLength: Number(form.slice(3)) });
};

/** Makes a key and its certificate. The development authority uses it, and the authorities of tests. */
export const issueCertificate = async (order: CertificateOrder): Promise<Issued> => {
  const { profile, subject, from, to, issuer, urls = {} } = order;
  const { publicKey, privateKey } = await makeKeys(order.form);
  const key = issuer?.key ?? privateKey;
  const name = writeName(subject);
  const publicKeyInfo = publicKey.export({ type: "spki", format: "der" });
  const certificate = writeCertificate({
    subject: name,
    issuer: issuer === undefined ? name : readCertificate(issuer.certificate).subject,
    from,
    to,
    publicKeyInfo,
    key,
    hash: hashOf(key),
    extensions: [
      ...extensionsOf[profile](),
      subjectKeyIdentifier(publicKeyInfo),
      ...(issuer === undefined ? [] : [authorityKeyIdentifier(issuer.key)]),
      ...placesOf(urls),
    ],
  });
  return { certificate: new Uint8Array(certificate), key: privateKey };
};
