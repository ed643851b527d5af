import { X509Certificate } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accessExtension,
  authorityExtension,
  crlExtension,
  extension,
  makeCertificate,
  makeKeys,
  purposesExtension,
  usageExtension,
} from "#support/asn1/certificates";
import { readCertificate } from "./certificate.ts";
import { DerError } from "./der.ts";
import { commonNameOf, describeName } from "./names.ts";
import { oids } from "./oids.ts";
import { isSignedBy } from "./verify-signature.ts";
import { nullValue, octetString } from "./write-der.ts";

const root = makeCertificate({ name: "Root Ñuñoa", extensions: [authorityExtension] });
const from = new Date("2026-01-01T00:00:00Z");
const to = new Date("2051-01-01T00:00:00Z");
const leaf = makeCertificate({
  name: "Leaf",
  issuer: root,
  from,
  to,
  extensions: [
    usageExtension(0, 1),
    purposesExtension([oids.ocspSigning], true),
    accessExtension("http://ocsp.example/a", "https://ca.example/ca.cer"),
    crlExtension("http://crl.example/ca.crl"),
    extension(oids.ocspNoCheck, nullValue),
    extension(oids.subjectKeyIdentifier, octetString(Uint8Array.of(1, 2, 3))),
  ],
});

describe("a certificate", () => {
  it("states its names, its validity, its uses and its addresses", () => {
    expect(readCertificate(leaf.bytes)).toMatchObject({
      validFrom: from.getTime(),
      validTo: to.getTime(),
      keyUsage: new Set(["digitalSignature", "nonRepudiation"]),
      purposes: [oids.ocspSigning],
      ocspUrls: ["http://ocsp.example/a"],
      issuerUrls: ["https://ca.example/ca.cer"],
      crlUrls: ["http://crl.example/ca.crl"],
      isAuthority: false,
      isSelfIssued: false,
      hasNoCheck: true,
      subjectKeyId: Buffer.of(1, 2, 3),
    });
    expect(readCertificate(leaf.bytes).extensions.get(oids.extendedKeyUsage)?.isCritical).toBe(true);
    expect(commonNameOf(readCertificate(leaf.bytes).issuer)).toBe("Root Ñuñoa");
    expect(describeName(readCertificate(leaf.bytes).subject)).toBe("CN=Leaf");
    expect(readCertificate(root.bytes)).toMatchObject({
      isAuthority: true,
      isSelfIssued: true,
      keyUsage: undefined,
      purposes: undefined,
      hasNoCheck: false,
    });
  });

  it("has the number and the key that OpenSSL reads", () => {
    const other = new X509Certificate(leaf.bytes);
    const read = readCertificate(leaf.bytes);
    expect(Buffer.from(read.serial).toString("hex").replace(/^00/, "").toUpperCase()).toBe(
      other.serialNumber,
    );
    expect(other.publicKey.export({ type: "spki", format: "der" }).equals(read.publicKeyInfo)).toBe(true);
  });

  it.each(["P-256", "P-384", "rsa"] as const)("is signed by its issuer's key alone (%s)", (kind) => {
    const issuer = makeCertificate({ name: "Issuer", keys: makeKeys(kind) });
    const other = makeCertificate({ name: "Issuer", keys: makeKeys(kind) });
    const read = readCertificate(makeCertificate({ name: "One", issuer }).bytes);
    expect(isSignedBy(read, readCertificate(issuer.bytes))).toBe(true);
    expect(isSignedBy(read, readCertificate(other.bytes))).toBe(false);
    expect(isSignedBy(read, readCertificate(root.bytes))).toBe(false);
  });

  it("gives web addresses alone", () => {
    const addresses = ["ldap://x.example", "http://x.example/\u0001", "http://", "HTTP://x.example/a"];
    const found = addresses.map(
      (url) => readCertificate(makeCertificate({ name: "a", extensions: [crlExtension(url)] }).bytes).crlUrls,
    );
    expect(found).toStrictEqual([[], [], [], ["HTTP://x.example/a"]]);
  });

  it("with the same extension twice is refused", () => {
    const twice = makeCertificate({ name: "a", extensions: [authorityExtension, authorityExtension] });
    expect(() => readCertificate(twice.bytes)).toThrow(DerError);
  });

  it("of more than 64 kB is refused", () => {
    const big = (size: number) =>
      makeCertificate({ name: "a", extensions: [extension("1.2.3", octetString(new Uint8Array(size)))] })
        .bytes;
    expect(readCertificate(big(65_000)).extensions.size).toBe(1);
    expect(() => readCertificate(big(65_536))).toThrow(DerError);
  });

  it("with any change is read, or is a DerError, and is signed no more", () => {
    const issuer = readCertificate(root.bytes);
    const place = fc.record({ at: fc.nat(leaf.bytes.length - 1), bit: fc.nat(7) });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 3 }), (places) => {
        const changed = Buffer.from(leaf.bytes);
        for (const { at, bit } of places) changed[at]! ^= 1 << bit;
        if (changed.equals(leaf.bytes)) return;
        try {
          const read = readCertificate(changed);
          describeName(read.subject);
          // Lengths may be written in other ways: then the signed bytes and the signature are those of
          // before.
          const same = Buffer.compare(read.signedBytes, readCertificate(leaf.bytes).signedBytes) === 0;
          expect(isSignedBy(read, issuer) && !same).toBe(false);
        } catch (error) {
          expect(error).toBeInstanceOf(DerError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
