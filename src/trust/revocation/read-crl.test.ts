import { describe, expect, it } from "vitest";
import { childrenWithTag, readDer, tags } from "#trust/asn1/der";
import { certificateTime, der, sequence } from "#trust/asn1/write-der";
import { writeCertificateId } from "./certificate-id.ts";
import { findInCrl } from "./read-crl.ts";

const serials = [
  ["positive", [0x1a, 1, 2, 3]],
  ["negative", [0x9a, 1, 2, 3]],
  ["not minimally encoded", [0, 0, 0x1a, 1]],
] as const;

describe("a serial number", () => {
  it.each(serials)("that is %s is found on a list, and named as it is written", (_, bytes) => {
    const serial = Uint8Array.from(bytes);
    const revoked = readDer(sequence(sequence(der(tags.integer, serial), certificateTime(new Date()))));
    expect(findInCrl({ revoked }, serial)).toMatchObject({ reason: undefined });
    expect(findInCrl({ revoked }, Uint8Array.of(0x1a, 1, 2, 4))).toBeUndefined();
    const issuer = { subject: sequence(), keyBits: new Uint8Array(4) };
    const [, , , named] = childrenWithTag(readDer(writeCertificateId({ serial }, issuer)), tags.sequence);
    expect(Buffer.from(named!.content).equals(serial)).toBe(true);
  });
});
