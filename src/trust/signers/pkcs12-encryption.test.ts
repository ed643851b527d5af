import { expect, it } from "vitest";
import { readDer, tags } from "#trust/asn1/der";
import { der, integer, nullValue, octetString, oid, sequence } from "#trust/asn1/write-der";
import { fitsMac } from "./pkcs12-encryption.ts";

const sha256 = "2.16.840.1.101.3.4.2.1";

const macOf = (rounds: Uint8Array, hash = sha256, digest = new Uint8Array(32)) =>
  readDer(
    sequence(
      sequence(sequence(oid(hash), nullValue), octetString(digest)),
      octetString(new Uint8Array(8)),
      der(tags.integer, rounds),
    ),
  );

const judge = (mac: ReturnType<typeof macOf>) => () => fitsMac(Buffer.from("content"), mac, "secret");

it("accepts up to ten million rounds, and neither none nor one more", () => {
  const bounds = "The rounds of a password are out of bounds";
  expect(judge(macOf(Uint8Array.of(0)))).toThrow(bounds);
  expect(judge(macOf(Uint8Array.of(1)))()).toBe(false);
  // 10,000,000 and one more.
  expect(judge(macOf(Uint8Array.of(0x00, 0x98, 0x96, 0x80), "1.2.3"))).toThrow("hash function");
  expect(judge(macOf(Uint8Array.of(0x00, 0x98, 0x96, 0x81)))).toThrow(bounds);
  expect(judge(macOf(Uint8Array.of(1, 0, 0, 0, 0)))).toThrow(bounds);
});

it("refuses a hash function that no file should have, and a MAC of another length", () => {
  expect(judge(macOf(Uint8Array.of(1), "1.2.840.113549.2.5"))).toThrow("hash function");
  expect(judge(macOf(Uint8Array.of(1), sha256, new Uint8Array(31)))()).toBe(false);
  expect(() => fitsMac(new Uint8Array(0), undefined, "")).toThrow("tag none");
  expect(() => fitsMac(new Uint8Array(0), readDer(integer(Uint8Array.of(1))), "")).toThrow("tag 2");
});
