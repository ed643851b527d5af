import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import { readCertificate } from "#trust/asn1/certificate";
import { tags } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { basicConstraints, writeCertificate, writeName } from "#trust/asn1/write-certificate";
import { der, oid, sequence, setOf } from "#trust/asn1/write-der";
import { issueCertificate } from "./issue-certificate.ts";

const dates = { from: new Date("2026-01-01T00:00:00Z"), to: new Date("2050-01-01T00:00:00Z") };

it("names the issuer as the issuer's own certificate does, byte for byte", async () => {
  // Authorities of release 0.1.0 have a PrintableString, where a UTF8String is written now.
  const name = sequence(
    setOf(sequence(oid("2.5.4.3"), der(tags.printableString, Buffer.from("DEVELOPMENT root")))),
  );
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const certificate = writeCertificate({
    ...dates,
    subject: name,
    issuer: name,
    publicKeyInfo: publicKey.export({ type: "spki", format: "der" }),
    extensions: [basicConstraints(true)],
    key: privateKey,
    hash: "sha256",
  });
  const order = { ...dates, profile: "signer", subject: "CN=One, O=Example, C=CL", form: "p256" } as const;
  const issued = await issueCertificate({ ...order, issuer: { certificate, key: privateKey } });
  expect(Buffer.from(readCertificate(issued.certificate).issuer).equals(Buffer.from(name))).toBe(true);
  const read = new X509Certificate(issued.certificate);
  expect(read.checkIssued(new X509Certificate(certificate))).toBe(true);
  expect(read.verify(publicKey)).toBe(true);
  expect([read.subject, read.validTo]).toEqual(["CN=One\nO=Example\nC=CL", "Jan  1 00:00:00 2050 GMT"]);
  expect(read.keyUsage).toEqual([oids.emailProtection, oids.documentSigning]);
});

it("refuses a name with an attribute that it does not know", () => {
  expect(() => writeName("CN=One, X=Two")).toThrow("No attribute of a name is called X");
});
