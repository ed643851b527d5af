import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bitStringOf,
  booleanOf,
  childrenOf,
  childrenWithTag,
  type Der,
  DerError,
  eitherTimeOf,
  hasBit,
  insideOf,
  oidOf,
  readDer,
  readPaddedDer,
  tags,
  timeOf,
  withTag,
} from "./der.ts";
import {
  bitString,
  boolean,
  certificateTime,
  der,
  explicit,
  generalizedTime,
  implicit,
  integer,
  namedBit,
  octetString,
  oid,
  sequence,
  setOf,
  smallInteger,
} from "./write-der.ts";

const bytes = fc.uint8Array({ maxLength: 300 });
const dotted = fc
  .tuple(fc.nat(2), fc.nat(39), fc.array(fc.nat(2 ** 31 - 1), { maxLength: 8 }))
  .map(([top, second, rest]) => [top, second, ...rest].join("."));

/** Reads every value of a structure. */
const walk = (value: Der, depth = 0): void => {
  if (depth < 40 && (value.tag & 0x20) !== 0) for (const child of childrenOf(value)) walk(child, depth + 1);
};

const errorOf = (run: () => unknown): unknown => {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe("DER", () => {
  it("is read as it was written, of every length", () => {
    fc.assert(
      fc.property(bytes, (content) => {
        expect(Buffer.from(readDer(octetString(content)).content)).toStrictEqual(Buffer.from(content));
        expect(Buffer.from(bitStringOf(readDer(bitString(content))))).toStrictEqual(Buffer.from(content));
      }),
    );
    for (const length of [127, 128, 255, 256, 65_535, 65_536, 1 << 24]) {
      const written = octetString(new Uint8Array(length));
      expect(readDer(written).content).toHaveLength(length);
    }
  });

  it("holds object identifiers of every size", () => {
    fc.assert(fc.property(dotted, (text) => oidOf(readDer(oid(text))) === text));
    expect(errorOf(() => oidOf(readDer(der(tags.oid))))).toBeInstanceOf(DerError);
    expect(errorOf(() => oidOf(readDer(der(tags.oid, Uint8Array.of(0x2a, 0x81)))))).toBeInstanceOf(DerError);
    expect(errorOf(() => oidOf(readDer(der(tags.oid, new Uint8Array(20).fill(0xff)))))).toBeInstanceOf(
      DerError,
    );
  });

  it("holds whole numbers without a sign and without needless bytes", () => {
    expect([...integer(Uint8Array.of(0, 0, 0x80))]).toStrictEqual([2, 2, 0, 0x80]);
    expect([...smallInteger(0)]).toStrictEqual([2, 1, 0]);
    expect([...smallInteger(300)]).toStrictEqual([2, 2, 1, 44]);
  });

  it("holds points in time to the second and the millisecond", () => {
    const whole = fc.date({ min: new Date("1950-01-01"), max: new Date("2199-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(whole, (at) => {
        const second = Math.floor(at.getTime() / 1000) * 1000;
        expect(timeOf(readDer(generalizedTime(at, true)))).toBe(at.getTime());
        expect(timeOf(readDer(generalizedTime(at)))).toBe(second);
        expect(eitherTimeOf(readDer(certificateTime(at)))).toBe(second);
      }),
    );
    expect(readDer(certificateTime(new Date("2049-12-31T23:59:59Z"))).tag).toBe(tags.utcTime);
    expect(readDer(certificateTime(new Date("2050-01-01T00:00:00Z"))).tag).toBe(tags.generalizedTime);
  });

  it("has the members of a SET OF in the order of their bytes", () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 12 }), (members) => {
        const written = childrenWithTag(readDer(setOf(...members.map(octetString))), tags.set);
        const sorted = [...written].toSorted((a, b) => Buffer.compare(a.bytes, b.bytes));
        expect(written.map((one) => one.bytes)).toStrictEqual(sorted.map((one) => one.bytes));
        expect(written).toHaveLength(members.length);
      }),
    );
  });

  it("reads what stands under explicit and implicit tags", () => {
    const value = sequence(smallInteger(5));
    expect(Buffer.from(insideOf(readDer(explicit(1, value)), 0xa1).bytes)).toStrictEqual(Buffer.from(value));
    expect(Buffer.from(withTag(readDer(implicit(3, value)), tags.sequence).bytes)).toStrictEqual(
      Buffer.from(value),
    );
    expect(readDer(implicit(3, value)).tag).toBe(0xa3);
    expect(readDer(implicit(3, octetString(value))).tag).toBe(0x83);
    expect(() => insideOf(readDer(explicit(1, value, value)), 0xa1)).toThrow(DerError);
  });

  it("reads bits and booleans", () => {
    const value = readDer(namedBit(10));
    expect([0, 9, 10, 11, 99].map((bit) => hasBit(value, bit))).toStrictEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    expect([true, false].map((one) => booleanOf(readDer(boolean(one))))).toStrictEqual([true, false]);
    expect(() => bitStringOf(value)).toThrow(DerError);
  });

  it("allows zero bytes alone behind a padded value", () => {
    const value = octetString(Uint8Array.of(1));
    expect(readPaddedDer(Buffer.concat([value, Buffer.alloc(9)])).content).toHaveLength(1);
    expect(() => readPaddedDer(Buffer.concat([value, Uint8Array.of(0, 1)]))).toThrow(DerError);
    expect(() => readDer(Buffer.concat([value, Buffer.alloc(1)]))).toThrow(DerError);
  });

  it("has a bound for the elements of one value", () => {
    const list = (count: number): Der =>
      readDer(sequence(...Array.from({ length: count }, () => smallInteger(1))));
    expect(childrenOf(list(1000))).toHaveLength(1000);
    expect(() => childrenOf(list(1001))).toThrow("too many elements");
    expect(childrenOf(list(1001), 1001)).toHaveLength(1001);
    expect(() => childrenOf(list(3), 2)).toThrow("too many elements");
  });

  it.each([
    ["an indefinite length", [0x30, 0x80, 0, 0]],
    ["a length of five bytes", [0x04, 0x85, 0, 0, 0, 0, 1, 0]],
    ["a length beyond the end", [0x04, 0x84, 0xff, 0xff, 0xff, 0xff]],
    ["a tag of several bytes", [0x1f, 0x81, 0x01, 0]],
    ["no length", [0x30]],
    ["nothing", []],
  ])("with %s is refused", (_, wrong) => {
    expect(() => readDer(Uint8Array.from(wrong))).toThrow(DerError);
  });

  it("of any bytes is read, or is a DerError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (any) => {
        const error = errorOf(() => walk(readDer(any)));
        expect(error === undefined || error instanceof DerError).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
