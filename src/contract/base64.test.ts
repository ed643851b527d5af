import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Base64Text,
  decodeBase64,
  decodeBase64Fields,
  EncodedBytes,
  readBase64,
  readPlainBase64,
} from "./base64.ts";
import { Failure } from "./failure.ts";

const bytesMax = 1_000_000;
const decode = (value: string) => decodeBase64("field", value, { bytesMax });
const refusal = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error.facts;
  }
  return undefined;
};

describe("decodeBase64", () => {
  it("returns any bytes, in every spelling that encoders use", () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(bytes, (data) => {
        const text = Buffer.from(data).toString("base64");
        const spellings = [
          text,
          text.replace(/=+$/, ""),
          Buffer.from(data).toString("base64url"),
          `data:image/jpeg;base64,${text}`,
          `data:image/png;charset=utf-8;base64,${text}`,
          `DATA:IMAGE/JPEG;BASE64,${text}`,
          text.replaceAll(/(.{76})/g, "$1\r\n"),
          `${text}\n`,
        ];
        for (const spelling of spellings) expect(decode(spelling)).toEqual(Buffer.from(data));
      }),
    );
  });

  it("refuses a text damaged at any place, and never returns other bytes", () => {
    const bytes = fc.uint8Array({ minLength: 6, maxLength: 200 });
    const foreign = fc.constantFrom("!", " ", "\t", "%", "\u0000", "é", "Ａ", "=", ".", "\ufeff", "&");
    fc.assert(
      fc.property(bytes, foreign, fc.nat(), (data, character, place) => {
        const text = Buffer.from(data).toString("base64").replace(/=+$/, "");
        const at = place % text.length;
        expect(refusal(() => decode(text.slice(0, at) + character + text.slice(at)))?.["code"]).toBe(1401);
      }),
    );
  });

  it.each([
    "====",
    "=",
    "A",
    "AAAAA",
    "AAA==",
    "AAAA=",
    "AAAA====",
    "iVBORw0KGgp=",
    "data:text/html;base64,AAAA",
    "data:image/png,AAAA",
    "\n",
  ])("refuses %j with 1401", (value) => {
    expect(refusal(() => decode(value))).toEqual({ errors: ["field: is not valid Base64"], code: 1401 });
  });

  it("reports an empty field as missing image data", () => {
    expect(refusal(() => decode(""))).toEqual({ errors: ["field: is empty"], code: 1400 });
  });

  it("refuses a text above the limit before decoding, and accepts a text at the limit", () => {
    expect(decodeBase64("field", "AAAA", { bytesMax: 3 })).toHaveLength(3);
    expect(() => decodeBase64("field", "AAAAAA", { bytesMax: 3 })).toThrow(
      expect.objectContaining({
        code: "image_too_large",
        facts: { errors: ["field: has more than 3 bytes"], field: "field", bytesMax: 3 },
      }),
    );
  });

  it("is linear: 13 MB of any kind are decoded or refused in seconds, not minutes", () => {
    const limits = { bytesMax: 2e7 };
    const kinds = [
      "A".repeat(13_333_332),
      "\n".repeat(13_000_000),
      `${"A".repeat(13_000_000)}!`,
      "=".repeat(13_000_000),
    ];
    for (const kind of kinds) {
      const started = performance.now();
      refusal(() => decodeBase64("field", kind, limits));
      expect(performance.now() - started).toBeLessThan(5_000);
    }
  });
});

describe("a text that is decoded where it lies", () => {
  const asLies = (text: string) => readPlainBase64(Buffer.from(text, "latin1"));

  it("has the same bytes, or is left to the other reader", () => {
    const base64 = fc.uint8Array({ maxLength: 40 }).map((data) => Buffer.from(data).toString("base64"));
    const changed = fc
      .tuple(base64, fc.nat(60), fc.constantFrom("=", "\n", "é", " ", "-", "A", ""))
      .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1));
    fc.assert(
      fc.property(fc.oneof(base64, changed), (text) => {
        const decoding = asLies(text);
        if (decoding !== undefined) expect({ ...decoding }).toEqual({ ...readBase64(text) });
      }),
      { numRuns: 2000 },
    );
    for (const text of ["AAAA", "AAA=", "AA==", "AAA", "AA"]) expect(asLies(text)).toEqual(readBase64(text));
    for (const text of ["", "A", "AA=", "AAB=", "AAAA=AAA", "AA\nAA"])
      expect(asLies(text)?.bytes).toBeUndefined();
  });

  it("may have any length around a chunk", () => {
    for (const size of [786_431, 786_432, 786_433, 1_600_000]) {
      const data = Buffer.alloc(size, "Idem");
      expect(asLies(data.toString("base64"))?.bytes).toEqual(data);
    }
  });
});

describe("decodeBase64Fields", () => {
  it("names every wrong field at once", () => {
    const facts = refusal(() =>
      decodeBase64Fields({
        front: { value: "", bytesMax },
        back: { value: "?", bytesMax },
        face: { value: "AAAA", bytesMax },
      }),
    );
    expect(facts).toEqual({ errors: ["front: is empty", "back: is not valid Base64"], code: 1400 });
  });

  it("sets no limit by default", () => {
    expect(decodeBase64("field", "A".repeat(4_000_000))).toHaveLength(3_000_000);
  });

  it("returns the bytes by name", () => {
    const { a, b } = decodeBase64Fields({ a: { value: "AAAA", bytesMax }, b: { value: "AQ", bytesMax } });
    expect([a.length, b[0]]).toEqual([3, 1]);
  });
});

describe("a text that was decoded with its body", () => {
  const outcome = (value: Base64Text, limits: { readonly bytesMax?: number }) => {
    try {
      return decodeBase64("field", value, limits).toString("hex");
    } catch (error) {
      return error instanceof Failure ? { code: error.code, ...error.facts } : error;
    }
  };

  it("has the same result as the text, for any text and limit", () => {
    const spelled = fc
      .tuple(
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom("", "=", "==", "\n", "!", "data:image/png;base64,"),
      )
      .chain(([data, extra]) => {
        const text = Buffer.from(data).toString("base64");
        return fc.constantFrom(text, text + extra, extra + text, text.replaceAll("=", ""), text.slice(1));
      });
    const texts = fc.oneof(spelled, fc.string({ minLength: 1, unit: "binary" }));
    fc.assert(
      fc.property(texts, fc.option(fc.nat(60), { nil: undefined }), (text, limit) => {
        fc.pre(text !== "");
        const limits = limit === undefined ? {} : { bytesMax: limit };
        const decoded = new EncodedBytes(text, readBase64(text));
        expect(outcome(decoded, limits)).toEqual(outcome(text, limits));
      }),
    );
  });

  it("owns the buffer of its bytes, which a thread hands over", () => {
    const { bytes } = readBase64("QUJD");
    expect([bytes?.byteOffset, bytes?.buffer.byteLength]).toEqual([0, 3]);
  });
});
