import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { authorityExtension, makeCertificate, signerOf } from "#support/asn1/certificates";
import { readBer } from "./ber.ts";
import { DerError } from "./der.ts";
import { oids } from "./oids.ts";
import { readSignedData } from "./signed-data.ts";
import { octetString, sequence, smallInteger } from "./write-der.ts";
import { makeSignedData } from "./write-signed-data.ts";

const signer = signerOf(makeCertificate({ name: "Root", extensions: [authorityExtension] }));
const content = Buffer.from("some content of the signature");
const { encode } = await makeSignedData({
  signer,
  digest: new Uint8Array(32),
  contentType: oids.tstInfo,
  content,
});
const written = Buffer.from(encode());

const end = Buffer.of(0, 0);
/** The value with an indefinite length. */
const indefinite = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([Buffer.of(tag, 0x80), ...parts, end]);

describe("BER", () => {
  it("that is DER already keeps its bytes", () => {
    expect(Buffer.from(readBer(written).written).equals(written)).toBe(true);
    expect(readBer(Buffer.concat([written, Buffer.alloc(9)])).end).toBe(written.length);
  });

  it("gets definite lengths and whole octet strings", () => {
    const divided = indefinite(0x24, octetString(Buffer.of(1, 2)), octetString(Buffer.of(3)));
    const value = indefinite(0x30, smallInteger(7), divided);
    const wanted = sequence(smallInteger(7), octetString(Buffer.of(1, 2, 3)));
    expect(Buffer.from(readBer(value).written)).toStrictEqual(Buffer.from(wanted));
    expect(readBer(Buffer.concat([value, end])).end).toBe(value.length);
  });

  it("within a definite length is rewritten, also where its size stays the same", () => {
    const octets = octetString(Buffer.alloc(300, 5));
    const value = Buffer.from(sequence(indefinite(0x30, octets)));
    const wanted = sequence(sequence(octets));
    expect(wanted).toHaveLength(value.length);
    expect(Buffer.from(readBer(value).written)).toStrictEqual(Buffer.from(wanted));
  });

  it("around signed data gives the same signed data, with the same signed bytes", () => {
    const body = written.subarray(4);
    const outer = Buffer.concat([Buffer.of(0x30, 0x80), body, end]);
    const [one, other] = [readSignedData(written), readSignedData(outer, { mayBeBer: true })];
    expect(Buffer.from(other.signers[0]!.signedBytes!).equals(one.signers[0]!.signedBytes!)).toBe(true);
    expect(Buffer.from(other.content!).equals(content)).toBe(true);
    expect(() => readSignedData(outer)).toThrow(DerError);
    const padded = Buffer.concat([outer, Buffer.alloc(20)]);
    expect(readSignedData(padded, { mayBeBer: true, mayHavePadding: true }).signers).toHaveLength(1);
    expect(() => readSignedData(padded, { mayBeBer: true })).toThrow(DerError);
  });

  it.each([
    ["an indefinite length without an end", Buffer.of(0x30, 0x80, 2, 1, 1)],
    ["an indefinite length of a plain value", Buffer.of(0x04, 0x80, 0, 0)],
    ["a part of another type", Buffer.of(0x24, 3, 2, 1, 1)],
  ])("with %s is refused", (_, bytes) => {
    expect(() => readBer(bytes)).toThrow(DerError);
  });

  it("has at most 41 levels", () => {
    const nested = (levels: number): Uint8Array =>
      levels === 1 ? smallInteger(1) : indefinite(0x30, nested(levels - 1));
    expect(readBer(nested(41)).end).toBeGreaterThan(0);
    expect(() => readBer(nested(42))).toThrow("too deep");
  });

  it("of any bytes is read, or is a DerError", () => {
    const start = fc.constantFrom([0x30, 0x80], [0x24, 0x80], [0x30, 0x82, 1, 0], []);
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 300 }), (head, rest) => {
        try {
          readBer(Uint8Array.from([...head, ...rest]));
        } catch (error) {
          expect(error).toBeInstanceOf(DerError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
