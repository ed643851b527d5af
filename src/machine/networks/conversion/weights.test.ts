import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeWeights } from "./weights.ts";

const weight = (dtype: "float16" | "uint8" | "uint16", scale?: number, min?: number) => ({
  name: "w",
  shape: [2],
  dtype: "float32" as const,
  quantization: { dtype, ...(scale === undefined ? {} : { scale }), ...(min === undefined ? {} : { min }) },
});

const decode = (...args: Parameters<typeof decodeWeights>): readonly number[] =>
  Array.from(decodeWeights(...args).get("w")?.data ?? []);

describe("decodeWeights", () => {
  it("reads half floats: zeros, subnormal, normal, largest, infinite", () => {
    const bits = Uint16Array.of(0x0000, 0x0001, 0x3c00, 0xc000, 0x7bff, 0x7c00);
    const entry = { ...weight("float16"), shape: [6] };
    expect(decode([entry], new Uint8Array(bits.buffer))).toEqual([0, 2 ** -24, 1, -2, 65_504, Infinity]);
  });

  it("maps codes to scale x code + min", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 2, maxLength: 2 }),
        fc.float({ noNaN: true, min: -4, max: 4 }),
        (codes, min) => {
          const expected = Array.from(codes, (code) => Math.fround(code * 0.5 + min));
          expect(decode([weight("uint8", 0.5, min)], codes)).toEqual(expected);
        },
      ),
    );
    expect(decode([weight("uint16", 2, 1)], Uint8Array.of(1, 0, 0, 1))).toEqual([3, 513]);
  });

  it("reads consecutive tensors with any alignment", () => {
    const floats = new Uint8Array(Float32Array.of(1.5, -2).buffer);
    const first = { ...weight("uint8", 1, 0), name: "first", shape: [1] };
    const second = { name: "w", shape: [2], dtype: "float32" as const };
    expect(decode([first, second], Uint8Array.of(7, ...floats))).toEqual([1.5, -2]);
  });

  it("refuses a file that ends too early", () => {
    expect(() => decodeWeights([weight("uint16")], new Uint8Array(3))).toThrow(/ends inside w/);
  });
});
