import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import {
  authorityExtension,
  makeCertificate,
  makeKeys,
  pemOf,
  purposesExtension,
  signerOf,
} from "#support/asn1/certificates";
import { hasOpenssl } from "#support/signing/openssl";
import { readCertificate } from "./certificate.ts";
import { childrenWithTag, DerError, insideOf, oidOf, readDer, tags } from "./der.ts";
import { hashNames, oids } from "./oids.ts";
import { type CmsSignature, readSignedData } from "./signed-data.ts";
import { isSignedBy } from "./verify-signature.ts";
import { der, explicit, nullValue, octetString, oid, sequence, setOf } from "./write-der.ts";
import { type CmsSigner, makeSignedData } from "./write-signed-data.ts";

const root = makeCertificate({ name: "Root", extensions: [authorityExtension] });
const makeSigner = (kind: "P-256" | "P-384" | "rsa", hash: CmsSigner["hash"]): CmsSigner => {
  const leaf = makeCertificate({
    name: "Signer",
    keys: makeKeys(kind),
    issuer: root,
    extensions: [purposesExtension([oids.emailProtection])],
  });
  return signerOf(leaf, [root], hash);
};
const signer = makeSigner("P-256", "sha256");
const message = Buffer.from("Firmé en Ñuñoa");
const digestFor = ({ hash }: CmsSigner) => createHash(hash).update(message).digest();
const signWith = async (one: CmsSigner) =>
  (await makeSignedData({ signer: one, digest: digestFor(one) })).encode();
const plain = await signWith(signer);
const onlySigner = (bytes: Uint8Array): CmsSignature => readSignedData(bytes).signers[0]!;

const folder = mkdtempSync(join(tmpdir(), "idem-cms-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("signed data", () => {
  const kinds = [
    ["P-256", "sha256"],
    ["P-384", "sha384"],
    ["rsa", "sha256"],
    ["rsa", "sha512"],
  ] as const;

  it.each(kinds)("of %s and %s is read as written", async (kind, hash) => {
    const own = makeSigner(kind, hash);
    const bytes = await signWith(own);
    const [found] = readSignedData(bytes).signers;
    expect(Buffer.from(found!.signerCertificate!.bytes).equals(own.certificate)).toBe(true);
    expect(hashNames.get(found!.digestOid)).toBe(hash);
    expect(
      isSignedBy({ ...found!, signedBytes: found!.signedBytes! }, readCertificate(own.certificate)),
    ).toBe(true);
  });

  it.skipIf(!hasOpenssl).each(kinds)("of %s and %s is verified by OpenSSL as CAdES", async (kind, hash) => {
    writeFileSync(join(folder, "s.p7"), await signWith(makeSigner(kind, hash)));
    writeFileSync(join(folder, "content"), message);
    writeFileSync(join(folder, "root.pem"), pemOf(root.bytes));
    const said = execFileSync(
      "openssl",
      [
        "cms",
        "-verify",
        "-cades",
        "-inform",
        "DER",
        "-in",
        "s.p7",
        "-content",
        "content",
        "-binary",
        "-CAfile",
        "root.pem",
      ],
      { cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
    );
    expect(said.equals(message)).toBe(true);
  });

  it("has the attributes of PAdES: no signing time, the certificate by its hash, the algorithms", () => {
    const { signedAttributes, digestAlgorithm, algorithm } = onlySigner(plain);
    expect([...signedAttributes.keys()].toSorted()).toStrictEqual(
      [oids.contentType, oids.messageDigest, oids.signingCertificateV2, oids.algorithmProtection].toSorted(),
    );
    const certificates = insideOf(signedAttributes.get(oids.signingCertificateV2), tags.sequence);
    const [first] = childrenWithTag(insideOf(certificates, tags.sequence), tags.sequence);
    // SHA-256 is the default: its identifier is left out.
    expect(first?.tag).toBe(tags.octetString);
    const [hash, signature] = childrenWithTag(signedAttributes.get(oids.algorithmProtection), tags.sequence);
    expect(Buffer.from(hash!.bytes).equals(digestAlgorithm.bytes)).toBe(true);
    expect(Buffer.from(signature!.content).equals(algorithm.content)).toBe(true);
  });

  it("names another hash function than SHA-256 in the signing certificate", async () => {
    const { signedAttributes } = onlySigner(await signWith(makeSigner("P-384", "sha384")));
    const certificates = insideOf(signedAttributes.get(oids.signingCertificateV2), tags.sequence);
    const [first] = childrenWithTag(insideOf(certificates, tags.sequence), tags.sequence);
    expect(oidOf(childrenWithTag(first, tags.sequence)[0])).toBe(oids.sha384);
  });

  it("has NULL as parameters for RSA, and none for ECDSA", async () => {
    const parametersOf = async (kind: "P-256" | "rsa") =>
      childrenWithTag(onlySigner(await signWith(makeSigner(kind, "sha256"))).algorithm, tags.sequence)
        .slice(1)
        .map(({ tag }) => tag);
    expect(await parametersOf("rsa")).toStrictEqual([tags.null]);
    expect(await parametersOf("P-256")).toStrictEqual([]);
  });

  it("has its attributes in the order of DER, and a signing time where it is asked for", async () => {
    const made = await makeSignedData({
      signer,
      digest: digestFor(signer),
      signingTime: new Date("2026-11-23T12:00:00Z"),
      signedAttributes: [{ type: "1.2.3", value: nullValue }],
    });
    const [found] = readSignedData(made.encode()).signers;
    const attributes = childrenWithTag(readDer(found!.signedBytes!), tags.set).map((one) => one.bytes);
    expect(attributes).toStrictEqual(attributes.toSorted((a, b) => Buffer.compare(a, b)));
    expect(found!.signedAttributes.has(oids.signingTime)).toBe(true);
    expect(found!.signedAttributes.has("1.2.3")).toBe(true);
  });

  it("encloses content, other certificates and unsigned attributes where they are given", async () => {
    const content = Buffer.from("facts");
    const digest = createHash("sha256").update(content).digest();
    const made = await makeSignedData({
      signer,
      digest,
      contentType: oids.tstInfo,
      content,
      certificates: [],
    });
    const read = readSignedData(made.encode([{ type: oids.timestampToken, value: nullValue }]));
    expect(read).toMatchObject({ contentType: oids.tstInfo, certificates: [] });
    expect(Buffer.from(read.content!).equals(content)).toBe(true);
    expect(read.signers[0]!.signerCertificate).toBeUndefined();
    expect(read.signers[0]!.unsignedAttributes.get(oids.timestampToken)).toHaveLength(1);
    expect(Buffer.from(read.signers[0]!.signature).equals(made.signature)).toBe(true);
  });

  it("is read with zero bytes behind it only where padding may be", () => {
    const padded = Buffer.concat([plain, Buffer.alloc(100)]);
    expect(readSignedData(padded, { mayHavePadding: true }).signers).toHaveLength(1);
    expect(() => readSignedData(padded)).toThrow(DerError);
    expect(() =>
      readSignedData(Buffer.concat([plain, Uint8Array.of(0, 1)]), { mayHavePadding: true }),
    ).toThrow(DerError);
  });

  it("with too many signers is refused", () => {
    const [, inner] = childrenWithTag(readDer(plain), tags.sequence);
    const fields = childrenWithTag(insideOf(inner, 0xa0), tags.sequence);
    const [one] = childrenWithTag(fields.at(-1), tags.set);
    const withSigners = (count: number): Uint8Array =>
      sequence(
        oid(oids.signedData),
        explicit(
          0,
          sequence(
            ...fields.slice(0, -1).map((field) => field.bytes),
            der(tags.set, ...Array.from({ length: count }, () => one!.bytes)),
          ),
        ),
      );
    expect(readSignedData(withSigners(16)).signers).toHaveLength(16);
    expect(() => readSignedData(withSigners(17))).toThrow(DerError);
  });

  it("of another type is refused", () => {
    const other = sequence(oid(oids.data), explicit(0, octetString(setOf())));
    expect(() => readSignedData(other)).toThrow("no signed data");
  });

  it("with any change is read, or is a DerError", () => {
    const place = fc.record({ at: fc.nat(plain.length - 1), byte: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 4 }), fc.nat(plain.length), (places, cut) => {
        const changed = Buffer.from(plain);
        for (const { at, byte } of places) changed[at] = byte;
        for (const bytes of [changed, changed.subarray(0, cut)]) {
          try {
            readSignedData(bytes, { mayHavePadding: true });
          } catch (error) {
            expect(error).toBeInstanceOf(DerError);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });
});
