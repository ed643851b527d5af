import { describe, expect, it } from "vitest";
import { differences } from "./measurement-differences.ts";
import {
  hashOfMeasuring,
  measureAgain,
  measurementsFile,
  readMeasurements,
  writeMeasurements,
} from "./recorded-measurements.ts";

const recorded = readMeasurements(measurementsFile);
const names = [...recorded.measurements.keys()];
const unchanged = { ...recorded, measuring: hashOfMeasuring() };
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));
const described = [...recorded.measurements.values()].flatMap(({ measured }) =>
  measured.kind === "measured" && measured.face && measured.template
    ? [{ ...measured, face: measured.face, template: measured.template }]
    : [],
);

describe("recorded measurements", () => {
  it("are the same after they were written and read", () => {
    expect(writeMeasurements(recorded)).toBe(writeMeasurements(readMeasurements(measurementsFile)));
  });

  it("have templates of faces, each with its length", () => {
    expect(described.length).toBeGreaterThan(10);
    expect(new Set(described.map(({ template }) => template.length)).size).toBe(1);
  });

  it("differ where a face, its template or its box is another", () => {
    const [one, other] = [described[0]!, described.at(-1)!];
    expect(differences(one, structuredClone(one))).toEqual([]);
    expect(differences(one, { ...one, template: other.template })).not.toEqual([]);
    const box = { ...one.face.box, x: one.face.box.x + 1 };
    expect(differences(one, { ...one, face: { ...one.face, box } })).toEqual(["measured.face.box.x"]);
    const { face: _, ...without } = one;
    expect(differences(one, without)).toContain("measured.face.box.x");
  });

  it("are made again in tenths, each once in ten days, and all of them where the engine changed", () => {
    const tenths = Array.from({ length: 10 }, (_, n) => [...measureAgain(unchanged, day(n + 1))]);
    expect(tenths.flat().toSorted()).toEqual(names.toSorted());
    expect([...measureAgain({ ...recorded, measuring: "0" }, day(1))]).toEqual(names);
  });
});
