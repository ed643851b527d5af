import fc from "fast-check";
import { expect, it } from "vitest";
import { openFaceEngine, pictureOf } from "../testing/pictures.ts";
import { framesMax, packFrames, unpackFrames } from "./frames.ts";

const frame = fc.uint8Array({ maxLength: 50 });

it("gives back what was packed, best image first", () => {
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: framesMax }), (frames) => {
      expect(unpackFrames(packFrames(frames)).map((one) => [...one])).toEqual(frames.map((one) => [...one]));
    }),
  );
});

it("takes any other bytes for one picture, and damaged containers for one that will not decode", () => {
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

it("are several frames only where a best-image token's bytes are measured; elsewhere they are no picture", async () => {
  const { measure } = openFaceEngine();
  const capture = packFrames(["franck_02159.jpg", "franck_04035.jpg"].map(pictureOf));
  expect(await measure(capture, { liveness: true })).toMatchObject({ kind: "unreadable" });
  expect(await measure(capture, { liveness: true, frames: true })).toMatchObject({ kind: "measured" });
});
