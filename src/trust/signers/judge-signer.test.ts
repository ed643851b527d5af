import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { oids } from "#trust/asn1/oids";
import { extendedKeyUsage, extension, writeCertificate, writeName } from "#trust/asn1/write-certificate";
import { namedBit } from "#trust/asn1/write-der";
import { describeKey } from "./describe-key.ts";
import { type Issued, issueCertificate } from "./issue-certificate.ts";
import { judgeSigner } from "./judge-signer.ts";

const secondMs = 1000;
const from = Date.parse("2026-01-01T00:00:00Z");
const to = Date.parse("2028-01-01T00:00:00Z");
const dates = { from: new Date(from), to: new Date(to) };
const subject = "CN=Test root";

let root: Issued;
beforeAll(async () => {
  root = await issueCertificate({ profile: "root", subject, form: "p256", ...dates });
});

/** A public RSA key with a modulus of so many bits. Nothing is signed with it. */
const rsaKey = (bits: number): Uint8Array => {
  const modulus = (1n << BigInt(bits - 1)) | 1n;
  const hex = modulus.toString(16);
  const n = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex").toString("base64url");
  const key = createPublicKey({ key: { kty: "RSA", n, e: "AQAB" }, format: "jwk" });
  return key.export({ type: "spki", format: "der" });
};

const issueUnder = (issuer: Issued, span = dates) =>
  issueCertificate({
    ...span,
    profile: "signer",
    subject: "CN=Test signer",
    form: "p256",
    issuer,
  });

/** Numbers of the bits of a key's usage (RFC 5280, 4.2.1.3). */
const usages = { digitalSignature: 0, nonRepudiation: 1, keyEncipherment: 2, keyAgreement: 4, cRLSign: 6 };

/**
 * A certificate that signs itself, with this usage and these purposes of its key; undefined: it names none.
 */
const withUsage = (usage: keyof typeof usages | undefined, purposes?: readonly string[]): Uint8Array => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  return writeCertificate({
    subject: writeName("CN=Test"),
    issuer: writeName("CN=Test"),
    ...dates,
    publicKeyInfo: publicKey.export({ type: "spki", format: "der" }),
    key: privateKey,
    hash: "sha256",
    extensions: [
      ...(usage === undefined ? [] : [extension(oids.keyUsage, true, namedBit(usages[usage]))]),
      ...(purposes === undefined ? [] : [extendedKeyUsage(purposes)]),
    ],
  });
};

describe("describeKey", () => {
  it("accepts RSA keys of 2048 to 4096 bits, and none with a bit less or more", () => {
    const fits = (bits: number): boolean => !("fault" in describeKey({ publicKeyInfo: rsaKey(bits) }));
    expect([2047, 2048, 4096, 4097].map(fits)).toEqual([false, true, true, false]);
  });
});

describe("judgeSigner", () => {
  it("lets a signer sign in the whole time of its certificate, and at no other", async () => {
    const { certificate } = await issueUnder(root);
    const reasonAt = (at: number) => judgeSigner({ certificate, chain: [] }, at)?.reason;
    expect(reasonAt(from - 1)).toBe("not yet valid");
    expect(reasonAt(from)).toBeUndefined();
    expect(reasonAt(to)).toBeUndefined();
    expect(reasonAt(to + 1)).toBe("expired");
  });

  it("lets a signer sign in the whole time of its issuer, and at no other", async () => {
    const longer = { from: new Date(from - secondMs), to: new Date(to + secondMs) };
    const { certificate } = await issueUnder(root, longer);
    const judgeAt = (at: number) => judgeSigner({ certificate, chain: [root.certificate] }, at);
    expect(judgeAt(from - 1)?.reason).toBe("not yet valid");
    expect(judgeAt(from)).toBeUndefined();
    expect(judgeAt(to)).toBeUndefined();
    expect(judgeAt(to + 1)).toMatchObject({
      reason: "expired",
      words: expect.stringContaining("its issuer"),
    });
  });

  it.each([
    ["digitalSignature", "digitalSignature", undefined],
    ["nonRepudiation", "nonRepudiation", undefined],
    ["no usage at all", undefined, undefined],
    ["keyEncipherment", "keyEncipherment", "wrong use"],
    ["keyAgreement", "keyAgreement", "wrong use"],
    ["cRLSign", "cRLSign", "wrong use"],
  ] as const)("judges a certificate for %s by its key usage", (_, usage, reason) => {
    const certificate = withUsage(usage);
    expect(judgeSigner({ certificate, chain: [] }, from)?.reason).toBe(reason);
  });

  it.each([
    ["serverAuth alone", ["1.3.6.1.5.5.7.3.1"], "wrong use"],
    ["timeStamping alone", ["1.3.6.1.5.5.7.3.8"], "wrong use"],
    ["serverAuth and emailProtection", ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.4"], undefined],
    ["documentSigning", ["1.3.6.1.5.5.7.3.36"], undefined],
  ])("judges a certificate for %s by its extended key usage", (_, purposes, reason) => {
    const certificate = withUsage("digitalSignature", purposes);
    expect(judgeSigner({ certificate, chain: [] }, from)?.reason).toBe(reason);
  });

  it("refuses a certificate of an authority, and a chain of another one", async () => {
    expect(judgeSigner({ certificate: root.certificate, chain: [] }, from)?.reason).toBe("wrong use");
    const { certificate } = await issueUnder(root);
    const other = await issueCertificate({ profile: "root", subject, form: "p256", ...dates });
    expect(judgeSigner({ certificate, chain: [other.certificate] }, from)?.reason).toBe("broken chain");
  });
});
