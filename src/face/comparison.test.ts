import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, fuse, scoreOf, similarityOf } from "./comparison.ts";
import { packTemplate, templateBytes, unpackTemplate } from "./template.ts";

const models = { dlib: "11".repeat(32), faceres: "22".repeat(32) };
const unit = (size: number, seed: number): Float32Array => {
  const raw = Float32Array.from({ length: size }, (_, i) => Math.sin((i + 1) * (seed + 0.7)));
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
};
const packed = (seed: number, hashes = models) =>
  packTemplate(hashes, { dlib: unit(128, seed), faceres: unit(1024, seed + 3).map((value) => 2 * value) });
const unpacked = (bytes: Uint8Array) => {
  const template = unpackTemplate(bytes);
  if (template === undefined) throw new Error("the template was not read");
  return template;
};

describe("similarity", () => {
  it("rises with the score and stays within 0 and 1", () => {
    const score = fc.double({ min: -12, max: 18, noNaN: true });
    fc.assert(
      fc.property(score, score, (a, b) => {
        const [low, high] = [similarityOf(Math.min(a, b)), similarityOf(Math.max(a, b))];
        return low <= high && low >= 0 && high <= 1;
      }),
    );
  });

  it("can be turned back into its score", () => {
    fc.assert(
      fc.property(fc.double({ min: -2, max: 9, noNaN: true }), (score) => {
        expect(scoreOf(similarityOf(score))).toBeCloseTo(score, 5);
      }),
    );
  });

  it("rises with either cosine", () => {
    expect(fuse(0.95, 0.4)).toBeGreaterThan(fuse(0.9, 0.4));
    expect(fuse(0.95, 0.4)).toBeGreaterThan(fuse(0.95, 0.3));
  });
});

describe("compare", () => {
  it("finds a template most like itself, and does not mind the order", () => {
    const [a, b] = [unpacked(packed(1)), unpacked(packed(2))];
    const [self, other] = [compare(a, a), compare(a, b)];
    expect(self?.dlibCosine).toBeCloseTo(1, 5);
    expect(self!.similarity).toBeGreaterThan(other!.similarity);
    expect(compare(b, a)).toEqual(other);
  });

  it("never compares templates of different models", () => {
    const foreign = packed(1, { ...models, faceres: "33".repeat(32) });
    expect(compare(unpacked(packed(1)), unpacked(foreign))).toBeUndefined();
  });
});

describe("a template", () => {
  it("keeps its numbers through packing", () => {
    const template = unpacked(packed(5));
    expect(Array.from(template.dlib)).toEqual(Array.from(unit(128, 5)));
    expect(Math.hypot(...template.faceres)).toBeCloseTo(1, 5);
  });

  it("is refused when it is cut, lengthened, of another version or not made of unit vectors", () => {
    const bytes = packed(1);
    const changed = (at: number, value: number) => bytes.with(at, value);
    expect(bytes.length).toBe(templateBytes);
    expect(unpackTemplate(bytes.subarray(1))).toBeUndefined();
    expect(unpackTemplate(new Uint8Array([...bytes, 0]))).toBeUndefined();
    expect(unpackTemplate(changed(4, 2))).toBeUndefined();
    expect(unpackTemplate(changed(0, 0))).toBeUndefined();
    expect(unpackTemplate(bytes.slice().fill(0, 80))).toBeUndefined();
    expect(unpackTemplate(bytes.slice().fill(0xff, 80))).toBeUndefined();
  });
});
