import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCapture, writeCapture } from "./ocr-container.ts";

const image = fc.uint8Array({ minLength: 1, maxLength: 300 });
const country = fc.stringMatching(/^[A-Z]{3}$/);

describe("the capture container", () => {
  it("returns what was written", () => {
    fc.assert(
      fc.property(image, fc.option(image), fc.option(country), (front, back, countryCode) => {
        const capture = {
          front,
          ...(back === null ? {} : { back }),
          ...(countryCode === null ? {} : { countryCode }),
        };
        expect(readCapture(writeCapture(capture))).toEqual(capture);
      }),
    );
  });

  it("reads the container that docs/formats/ocr-token.md describes, byte for byte", () => {
    const header = '{"countryCode":"CHL","pictures":[{"side":"front","bytes":2},{"side":"back","bytes":1}]}';
    const length = Buffer.alloc(4);
    length.writeUInt32BE(header.length);
    const written = Buffer.concat([
      Buffer.from("IOCR\x01"),
      length,
      Buffer.from(header),
      Buffer.from([7, 8, 9]),
    ]);
    const capture = { countryCode: "CHL", front: new Uint8Array([7, 8]), back: new Uint8Array([9]) };
    expect(readCapture(written)).toEqual(capture);
    expect(Buffer.from(writeCapture(capture))).toEqual(written);
  });

  it("refuses every truncated and every extended container with token_unreadable", () => {
    const whole = writeCapture({
      front: new Uint8Array([1, 2, 3]),
      back: new Uint8Array([4]),
      countryCode: "CHL",
    });
    for (let length = 0; length < whole.length; length++) {
      expect(() => readCapture(whole.subarray(0, length))).toThrow(
        expect.objectContaining({ code: "token_unreadable" }),
      );
    }
    const longer = Buffer.concat([whole, Buffer.from([0])]);
    expect(() => readCapture(longer)).toThrow(expect.objectContaining({ code: "token_unreadable" }));
  });

  it("fails in no other way on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (tail) => {
        const bytes = Buffer.concat([Buffer.from("IOCR\x01\0\0\0\x02{}"), tail]);
        expect(() => readCapture(bytes)).toThrow(expect.objectContaining({ code: "token_unreadable" }));
      }),
    );
  });
});
