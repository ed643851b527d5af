import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeSecretTransform } from "./secret-transform.ts";

const unit = (values: readonly number[]): Float32Array => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
/** Directions of a sphere, seeded by the test run. */
const aVector = (length: number): Float32Array =>
  unit(
    Array.from({ length }, () => Array.from(randomBytes(12)).reduce((sum, byte) => sum + byte - 127.5, 0)),
  );
const secret = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const meanAndDeviation = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return { mean, deviation };
};

describe("the secret transform", () => {
  it("keeps lengths and angles, and its own secret reverses it, for vectors of any length", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1300 }), fc.integer({ min: 0, max: 255 }), (length, byte) => {
        const { apply, undo } = makeSecretTransform(secret(byte));
        const [a, b] = [aVector(length), aVector(length)];
        expect(dot(apply(a), apply(b))).toBeCloseTo(dot(a, b), 5);
        expect(dot(apply(a), apply(a))).toBeCloseTo(1, 5);
        undo(apply(a)).forEach((value, i) => {
          expect(Math.abs(value - a[i]!)).toBeLessThan(1e-6);
        });
      }),
      { numRuns: 40 },
    );
  });

  it("gives the same bits for the same secret on every machine", () => {
    const vector = unit(Array.from({ length: 128 }, (_, i) => ((i * 37) % 101) - 50));
    const bytes = Buffer.from(makeSecretTransform(secret(7)).apply(vector).buffer);
    expect(bytes.subarray(0, 8).toString("hex")).toMatchInlineSnapshot(`"3bb5bf3dd67cf93d"`);
    expect(Buffer.from(makeSecretTransform(secret(7)).apply(vector).buffer)).toEqual(bytes);
  });

  it.each([128, 1024])(
    "makes one face of %i values under two secrets as dissimilar as random vectors",
    (length) => {
      const face = aVector(length);
      const cosines = Array.from({ length: 400 }, () =>
        dot(
          makeSecretTransform(randomBytes(32)).apply(face),
          makeSecretTransform(randomBytes(32)).apply(face),
        ),
      );
      // Random directions of n dimensions have cosines of mean 0 and deviation 1/sqrt(n); 400 draws, five
      // sigma.
      const { mean, deviation } = meanAndDeviation(cosines);
      const expected = 1 / Math.sqrt(length);
      expect(Math.abs(mean)).toBeLessThan((5 * expected) / Math.sqrt(400));
      expect(Math.abs(deviation / expected - 1)).toBeLessThan(5 / Math.sqrt(800));
    },
  );

  it("spreads even a vector with a single non-zero value over all values", () => {
    const lonely = unit([1, ...Array.from({ length: 127 }, () => 0)]);
    const seen = makeSecretTransform(secret(3)).apply(lonely);
    expect(Math.max(...seen.map(Math.abs))).toBeLessThan(0.45);
  });
});
