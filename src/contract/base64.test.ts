import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64, decodeBase64Fields } from "./base64.ts";
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
  it("gives back any bytes, in every spelling that encoders use", () => {
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

  it("refuses what is damaged at any place, never answering other bytes", () => {
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

  it("says of an empty field that there is no image data", () => {
    expect(refusal(() => decode(""))).toEqual({ errors: ["field: is empty"], code: 1400 });
  });

  it("refuses what is longer than the limit before it is decoded, and takes what is just as long", () => {
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

  it("sets no limit of its own where none is given", () => {
    expect(decodeBase64("field", "A".repeat(4_000_000))).toHaveLength(3_000_000);
  });

  it("gives back the bytes by name", () => {
    const { a, b } = decodeBase64Fields({ a: { value: "AAAA", bytesMax }, b: { value: "AQ", bytesMax } });
    expect([a.length, b[0]]).toEqual([3, 1]);
  });
});
