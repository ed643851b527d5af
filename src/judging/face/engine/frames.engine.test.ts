import fc from "fast-check";
import { expect, it } from "vitest";
import { imageOf, openFaceEngine } from "#support/face/images";
import { framesMax, packFrames, unpackFrames } from "./frames.ts";

const frame = fc.uint8Array({ maxLength: 50 });

it("returns the packed frames, best image first", () => {
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: framesMax }), (frames) => {
      expect(unpackFrames(packFrames(frames)).map((one) => [...one])).toEqual(frames.map((one) => [...one]));
    }),
  );
});

it("treats any other bytes as one image, and a damaged container as one that does not decode", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      fc.pre(bytes[0] !== 0x49);
      expect(unpackFrames(bytes)).toEqual([bytes]);
    }),
  );
  const packed = packFrames([new Uint8Array([1, 2, 3]), new Uint8Array([4])]);
  for (let length = 0; length < packed.length; length++) {
    expect(unpackFrames(packed.subarray(0, length))).toHaveLength(1);
  }
  expect(unpackFrames(new Uint8Array([...packed, 0]))).toHaveLength(1);
});

it("refuses to pack no frame or too many", () => {
  expect(() => packFrames([])).toThrow(RangeError);
  expect(() => packFrames(Array.from({ length: framesMax + 1 }, () => new Uint8Array(1)))).toThrow(
    RangeError,
  );
});

it("are several frames only for the bytes of a best-image token; otherwise they are not an image", async () => {
  const { measure } = openFaceEngine();
  const capture = packFrames(["franck_02159.jpg", "franck_04035.jpg"].map(imageOf));
  expect(await measure(capture, { liveness: true })).toMatchObject({ kind: "unreadable" });
  expect(await measure(capture, { liveness: true, frames: true })).toMatchObject({ kind: "measured" });
});
