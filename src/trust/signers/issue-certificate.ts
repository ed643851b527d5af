import "reflect-metadata";
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import {
  AuthorityInfoAccessExtension,
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { tags } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { der, nullValue } from "#trust/asn1/write-der";

/** A kind of key that signs documents: elliptic curves of NIST and RSA. */
export type KeyForm = "p256" | "p384" | "rsa2048" | "rsa3072" | "rsa4096";

/** The purpose of a certificate, which decides its extensions. */
export type CertificateProfile = "root" | "authority" | "signer" | "stamper" | "responder";

/** A certificate in DER and its private key. */
export type Issued = { readonly certificate: Uint8Array; readonly key: KeyObject };

export type CertificateOrder = {
  readonly profile: CertificateProfile;
  /** As text of RFC 4514, such as `CN=Example, O=Company`. */
  readonly subject: string;
  readonly form: KeyForm;
  readonly from: Date;
  readonly to: Date;
  /** Absent: the certificate signs itself. */
  readonly issuer?: Issued & { readonly subject: string };
  /** Places of the issuer: its OCSP responder, its CRL, its certificate. */
  readonly urls?: { readonly ocsp?: string; readonly crl?: string; readonly issuer?: string };
};

/** Key usages as the bits of RFC 5280, 4.2.1.3: the number of unused bits, then the byte. */
const usages = {
  certificatesAndLists: Uint8Array.of(1, 0x06),
  signatures: Uint8Array.of(7, 0x80),
  documents: Uint8Array.of(6, 0xc0),
};

const usage = (kind: keyof typeof usages): Extension =>
  new Extension(oids.keyUsage, true, Uint8Array.from(der(tags.bitString, usages[kind])));

const noAuthority = (): Extension => new BasicConstraintsExtension(false, undefined, true);

/**
 * The extensions of each purpose: RFC 5280, 4.2.1; a responder has ocsp-nocheck (RFC 6960, 4.2.2.2.1); a time-stamping authority
 * has its purpose alone and critical (RFC 3161, 2.3). Signers of documents: RFC 9336 and emailProtection, which viewers ask for.
 */
const extensionsOf: Readonly<Record<CertificateProfile, () => Extension[]>> = {
  root: () => [new BasicConstraintsExtension(true, undefined, true), usage("certificatesAndLists")],
  authority: () => [new BasicConstraintsExtension(true, 0, true), usage("certificatesAndLists")],
  signer: () => [
    noAuthority(),
    usage("documents"),
    new ExtendedKeyUsageExtension([oids.emailProtection, oids.documentSigning]),
  ],
  stamper: () => [
    noAuthority(),
    usage("signatures"),
    new ExtendedKeyUsageExtension([oids.timeStamping], true),
  ],
  responder: () => [
    noAuthority(),
    usage("signatures"),
    new ExtendedKeyUsageExtension([oids.ocspSigning]),
    new Extension(oids.ocspNoCheck, false, Uint8Array.from(nullValue)),
  ],
};

const placesOf = ({ ocsp, crl, issuer }: NonNullable<CertificateOrder["urls"]>): Extension[] => [
  ...(ocsp === undefined && issuer === undefined
    ? []
    : [
        new AuthorityInfoAccessExtension({
          ...(ocsp !== undefined && { ocsp: [ocsp] }),
          ...(issuer !== undefined && { caIssuers: [issuer] }),
        }),
      ]),
  ...(crl === undefined ? [] : [new CRLDistributionPointsExtension([crl])]),
];

const curveOf = (form: KeyForm): "P-256" | "P-384" | undefined =>
  form === "p256" ? "P-256" : form === "p384" ? "P-384" : undefined;

const algorithmOf = (form: KeyForm) => {
  const namedCurve = curveOf(form);
  return namedCurve === undefined
    ? ({ name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const)
    : ({ name: "ECDSA", namedCurve, hash: namedCurve === "P-384" ? "SHA-384" : "SHA-256" } as const);
};

const formOf = ({ asymmetricKeyDetails }: KeyObject): KeyForm => {
  const curve = asymmetricKeyDetails?.namedCurve;
  if (curve === "prime256v1") return "p256";
  return curve === "secp384r1" ? "p384" : "rsa2048";
};

const makeKeys = async (form: KeyForm): Promise<CryptoKeyPair> => {
  const keyUsages: KeyUsage[] = ["sign", "verify"];
  const namedCurve = curveOf(form);
  return namedCurve === undefined
    ? await crypto.subtle.generateKey(
        {
          name: "RSASSA-PKCS1-v1_5",
          hash: "SHA-256",
          modulusLength: Number(form.slice(3)),
          publicExponent: Uint8Array.of(1, 0, 1),
        },
        true,
        keyUsages,
      )
    : await crypto.subtle.generateKey({ name: "ECDSA", namedCurve }, true, keyUsages);
};

/** 127 random bits, positive and not zero (RFC 5280, 4.1.2.2). */
const makeSerial = (): string => {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes.toString("hex");
};

const openIssuer = async (key: KeyObject, algorithm: ReturnType<typeof algorithmOf>) => {
  const pkcs8 = Uint8Array.from(key.export({ type: "pkcs8", format: "der" }));
  const spki = Uint8Array.from(createPublicKey(key).export({ type: "spki", format: "der" }));
  const publicKey = await crypto.subtle.importKey("spki", spki, algorithm, true, ["verify"]);
  return {
    signingKey: await crypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]),
    issuerId: [await AuthorityKeyIdentifierExtension.create(publicKey)],
  };
};

/** Makes a key and its certificate. The development authority uses it, and the authorities of tests. */
export const issueCertificate = async (order: CertificateOrder): Promise<Issued> => {
  const keys = await makeKeys(order.form);
  const { issuer } = order;
  const signingForm = issuer === undefined ? order.form : formOf(issuer.key);
  const { signingKey, issuerId } =
    issuer === undefined
      ? { signingKey: keys.privateKey, issuerId: [] }
      : await openIssuer(issuer.key, algorithmOf(signingForm));
  const certificate = await X509CertificateGenerator.create({
    serialNumber: makeSerial(),
    subject: order.subject,
    issuer: issuer?.subject ?? order.subject,
    notBefore: order.from,
    notAfter: order.to,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithmOf(signingForm),
    extensions: [
      ...extensionsOf[order.profile](),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...issuerId,
      ...placesOf(order.urls ?? {}),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  return {
    certificate: new Uint8Array(certificate.rawData),
    key: createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" }),
  };
};
