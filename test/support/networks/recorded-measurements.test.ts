import { describe, expect, it } from "vitest";
import {
  areNear,
  hasSame,
  measuredAgain,
  measurementOf,
  recordKey,
  textOf,
  writeRecording,
} from "./recorded-measurements.ts";

const names = Array.from({ length: 23 }, (_, i) => `image ${i}`);
const recording = { sources: "ab", measurements: new Map(names.map((name) => [name, { faces: 1 }])) };
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));

describe("recorded measurements", () => {
  it("are made again in tenths, each once in ten days", () => {
    const tenths = Array.from({ length: 10 }, (_, n) => [
      ...measuredAgain(recording, { sources: "ab", today: day(n + 1) }),
    ]);
    expect(tenths.flat().toSorted()).toEqual(names.toSorted());
    for (const tenth of tenths) {
      expect(tenth.length).toBeGreaterThanOrEqual(Math.floor(names.length / 10));
      expect(tenth.length).toBeLessThanOrEqual(Math.ceil(names.length / 10));
    }
  });

  it("begin on the day of their record", () => {
    const [one, other] = [3, 4].map((first) =>
      measuredAgain(recording, { sources: "ab", today: day(1), first }),
    );
    expect([...one!].filter((name) => other!.has(name))).toEqual([]);
    expect(measuredAgain(recording, { sources: "ab", today: day(2), first: 3 })).toEqual(other);
  });

  it("are all made again where a source is another", () => {
    expect([...measuredAgain(recording, { sources: "cd", today: day(1) })]).toEqual(names);
  });

  it("stand in a line each", () => {
    const text = writeRecording(recording);
    expect(JSON.parse(text)).toMatchObject({ sources: "ab", measurements: { "image 3": { faces: 1 } } });
    expect(text.split("\n")).toHaveLength(names.length + 6);
  });
});

describe("a recorded measurement", () => {
  const after = (measurement: unknown): unknown => measurementOf(textOf(measurement));

  it("is the same after it was written and read, but for the last digits of its figures", () => {
    const plain = { a: [1, -0.25, 1e-9], b: "text", c: null, d: { e: true } };
    expect(after(plain)).toEqual(plain);
    expect(after({ a: 0.1234567891, b: undefined })).toEqual({ a: 0.1234568 });
    expect(after(undefined)).toBeUndefined();
  });

  it("has no pixels, but their number; a template stays", () => {
    const bytes = Uint8Array.of(1, 2, 3);
    expect(after({ portrait: { jpeg: bytes } })).toEqual({ portrait: { jpeg: new Uint8Array(3) } });
    expect(after({ template: bytes })).toEqual({ template: bytes });
  });

  it.each([
    ["a vector", { vector: new Float32Array(3) }],
    ["no number", { score: Number.NaN }],
    ["a map", { names: new Map() }],
    ["a time", { at: day(1) }],
  ])("is refused with %s, which would be another value when it is read", (_, measurement) => {
    expect(() => textOf(measurement)).toThrow(/cannot be recorded|NaN/);
  });
});

describe("two measurements", () => {
  it.each([
    [
      { score: 1.21, lines: ["A"] },
      { score: 1.213, lines: ["A"] },
    ],
    [{ template: Uint8Array.of(1) }, { template: Uint8Array.of(2) }],
    [undefined, undefined],
    [1000, 1015],
  ])("%j and %j are near", (a, b) => {
    expect(hasSame(a, b)).toBe(true);
  });

  it.each([
    [
      { score: 1.21, lines: ["A"] },
      { score: 1.21, lines: ["B"] },
    ],
    [{ lines: ["A"] }, { lines: ["A", "B"] }],
    [{ score: 1.21 }, { score: 1.3 }],
    [{ faces: 1 }, { faces: 2 }],
    [{ faces: 1 }, undefined],
    [{ faces: 1 }, {}],
    [{ jpeg: new Uint8Array(100) }, { jpeg: new Uint8Array(200) }],
  ])("%j and %j are not", (a, b) => {
    expect(hasSame(a, b)).toBe(false);
    expect(areNear(b, a)).toBe(false);
  });
});

describe("the place of a record", () => {
  it("is that of its images and of what was asked", () => {
    expect(recordKey(["0"], { attacks: true, upright: false })).toBe(recordKey(["0"], { attacks: true }));
    expect(recordKey(["0"], { type: "A", attacks: true })).toBe(
      recordKey(["0"], { attacks: true, type: "A" }),
    );
    expect(recordKey(["0"], { attacks: true })).not.toBe(recordKey(["1"], { attacks: true }));
    expect(recordKey(["0"], { attacks: true })).not.toBe(recordKey(["0"], {}));
    expect(recordKey(["0", "1"], {})).not.toBe(recordKey(["1", "0"], {}));
  });
});
