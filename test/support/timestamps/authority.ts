import { constants, createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { childrenOf, contextTag, readDer, tags } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { der, integer, oid, sequence } from "#trust/asn1/write-der";
import { pemOf } from "../asn1/certificates.ts";

type Kind = "ecdsa" | "rsa" | "rsa-pss" | "ed25519";

type Keys = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

const makeKeys = (kind: Kind): Keys =>
  kind === "ecdsa"
    ? generateKeyPairSync("ec", { namedCurve: "P-256" })
    : kind === "ed25519"
      ? generateKeyPairSync("ed25519")
      : generateKeyPairSync("rsa", { modulusLength: 2048 });

const nothing = der(tags.null);
const text = (value: string): Uint8Array => der(tags.utf8String, Buffer.from(value));
const set = (...parts: readonly Uint8Array[]): Uint8Array => der(tags.set, ...parts);
const octets = (bytes: Uint8Array): Uint8Array => der(tags.octetString, bytes);
const nameOf = (name: string): Uint8Array => sequence(set(sequence(oid("2.5.4.3"), text(name))));
const timeOf = (time: Date): Uint8Array =>
  der(tags.generalizedTime, Buffer.from(`${time.toISOString().replaceAll(/[-:T]|\.\d+Z$/g, "")}Z`));

const pssParameters = sequence(
  der(contextTag(0), sequence(oid(oids.sha256), nothing)),
  der(contextTag(1), sequence(oid("1.2.840.113549.1.1.8"), sequence(oid(oids.sha256), nothing))),
  der(contextTag(2), integer(Uint8Array.of(32))),
);

const algorithmOf: Readonly<Record<Kind, Uint8Array>> = {
  ecdsa: sequence(oid("1.2.840.10045.4.3.2")),
  rsa: sequence(oid(oids.rsa), nothing),
  "rsa-pss": sequence(oid(oids.rsaPss), pssParameters),
  ed25519: sequence(oid(oids.ed25519)),
};

const signWith = (kind: Kind, key: KeyObject, bytes: Uint8Array): Uint8Array =>
  kind === "ed25519"
    ? sign(null, bytes, key)
    : kind === "rsa-pss"
      ? sign("sha256", bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
      : sign("sha256", bytes, key);

type Subject = {
  readonly name: string;
  readonly keys: Keys;
  readonly extensions: readonly Uint8Array[];
  readonly from: Date;
  readonly to: Date;
};

/** Always signed by an ECDSA key. */
const makeX509 = (subject: Subject, issuer: Pick<Subject, "name" | "keys">): Uint8Array => {
  const toBeSigned = sequence(
    der(contextTag(0), integer(Uint8Array.of(2))),
    integer(randomBytes(8)),
    algorithmOf.ecdsa,
    nameOf(issuer.name),
    sequence(timeOf(subject.from), timeOf(subject.to)),
    nameOf(subject.name),
    subject.keys.publicKey.export({ type: "spki", format: "der" }),
    der(contextTag(3), sequence(...subject.extensions)),
  );
  const signature = signWith("ecdsa", issuer.keys.privateKey, toBeSigned);
  return sequence(toBeSigned, algorithmOf.ecdsa, der(tags.bitString, Uint8Array.of(0), signature));
};

const isTrue = der(tags.boolean, Uint8Array.of(0xff));
const isAuthority = sequence(oid("2.5.29.19"), isTrue, octets(sequence(isTrue)));
const usage = (isCritical: boolean, purposes: readonly string[]): Uint8Array =>
  sequence(
    oid(oids.extendedKeyUsage),
    ...(isCritical ? [isTrue] : []),
    octets(sequence(...purposes.map(oid))),
  );

/** What an authority of the tests does differently from a sound one. */
export type Oddness = {
  readonly kind?: Kind;
  readonly purposes?: readonly string[];
  readonly isPurposeCritical?: boolean;
  /** The signing certificate is valid from and to these times. */
  readonly valid?: readonly [from: Date, to: Date];
  /** The issuer of the signing certificate is no authority. */
  readonly hasWeakIssuer?: boolean;
};

type Stamping = {
  readonly at?: Date;
  readonly nonce?: Uint8Array;
  readonly hashOid?: string;
  /** Changes the signed content after it was signed. */
  readonly swapContent?: (content: Uint8Array) => Uint8Array;
  /** Names another certificate in the signature. */
  readonly namesOther?: boolean;
  readonly omitCertificates?: boolean;
  readonly omitName?: boolean;
};

/** A TimeStampResp with this token. */
const grant = (token: Uint8Array): Uint8Array => sequence(sequence(integer(Uint8Array.of(0))), token);

type Certificates = {
  readonly kind: Kind;
  readonly signer: Subject;
  readonly middle: Subject;
  readonly signerBytes: Uint8Array;
  readonly middleBytes: Uint8Array;
};

/** Signs a TSTInfo over a hash with the signing certificate. */
const makeStamp = ({ kind, signer, middle, signerBytes, middleBytes }: Certificates) => {
  const serial = childrenOf(childrenOf(readDer(signerBytes))[0]!)[1]!.bytes;
  return (hash: Uint8Array, stamping: Stamping = {}): Uint8Array => {
    const { at = new Date(), nonce, hashOid = oids.sha256, swapContent = (content) => content } = stamping;
    const facts = sequence(
      integer(Uint8Array.of(1)),
      oid("1.2.3.4"),
      sequence(sequence(oid(hashOid), nothing), octets(hash)),
      integer(randomBytes(8)),
      timeOf(at),
      ...(nonce === undefined ? [] : [integer(nonce)]),
    );
    const named = stamping.namesOther === true ? middleBytes : signerBytes;
    const certificateHash = createHash("sha256").update(named).digest();
    const attribute = (type: string, value: Uint8Array): Uint8Array => sequence(oid(type), set(value));
    const attributes = Buffer.concat([
      attribute(oids.contentType, oid(oids.tstInfo)),
      attribute(oids.messageDigest, octets(createHash("sha256").update(facts).digest())),
      ...(stamping.omitName === true
        ? []
        : [attribute(oids.signingCertificateV2, sequence(sequence(sequence(octets(certificateHash)))))]),
    ]);
    const signerInfo = sequence(
      integer(Uint8Array.of(1)),
      sequence(nameOf(middle.name), serial),
      sequence(oid(oids.sha256), nothing),
      der(contextTag(0), attributes),
      algorithmOf[kind],
      octets(signWith(kind, signer.keys.privateKey, der(tags.set, attributes))),
    );
    const signedData = sequence(
      integer(Uint8Array.of(3)),
      set(sequence(oid(oids.sha256), nothing)),
      sequence(oid(oids.tstInfo), der(contextTag(0), octets(swapContent(facts)))),
      ...(stamping.omitCertificates === true ? [] : [der(contextTag(0), signerBytes, middleBytes)]),
      set(signerInfo),
    );
    return sequence(oid(oids.signedData), der(contextTag(0), signedData));
  };
};

/** A time-stamping authority with a root, an intermediate and a signing certificate of its own. */
export const makeTestAuthority = (oddness: Oddness = {}) => {
  const { kind = "ecdsa", purposes = [oids.timeStamping], isPurposeCritical = true } = oddness;
  const [from, to] = [new Date("2020-01-01T00:00:00Z"), new Date("2090-01-01T00:00:00Z")];
  const subject = (name: string, keys: Keys, extensions: readonly Uint8Array[]): Subject => ({
    name,
    keys,
    extensions,
    from,
    to,
  });
  const root = subject("Test root", makeKeys("ecdsa"), [isAuthority]);
  const middle = subject(
    "Test authority",
    makeKeys("ecdsa"),
    oddness.hasWeakIssuer === true ? [] : [isAuthority],
  );
  const signer = {
    ...subject("Test stamps", makeKeys(kind), [usage(isPurposeCritical, purposes)]),
    ...(oddness.valid && { from: oddness.valid[0], to: oddness.valid[1] }),
  };
  const rootBytes = makeX509(root, root);
  const middleBytes = makeX509(middle, root);
  const signerBytes = makeX509(signer, middle);
  const certificates = { kind, signer, middle, signerBytes, middleBytes };
  const stamp = makeStamp(certificates);

  return {
    rootPem: pemOf(rootBytes),
    signerPem: pemOf(signerBytes),
    stamp,
    grant,
    /** Answers a TimeStampReq as a sound authority does. */
    answer: (request: Uint8Array, stamping: Stamping = {}): Uint8Array => {
      const [, imprint, nonce] = childrenOf(readDer(request));
      const hash = childrenOf(imprint!)[1]!.content;
      return grant(stamp(hash, { nonce: nonce!.content, ...stamping }));
    },
    /** Refuses a request. */
    refuse: (words: string): Uint8Array =>
      sequence(sequence(integer(Uint8Array.of(2)), sequence(text(words)))),
  };
};
