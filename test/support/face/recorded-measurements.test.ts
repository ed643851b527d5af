import { describe, expect, it } from "vitest";
import { readRecording, writeRecording } from "../networks/recorded-measurements.ts";
import { measuredRecord, type RecordedMeasurement } from "./measured-images.ts";
import { differences } from "./measurement-differences.ts";

const recorded = readRecording<RecordedMeasurement>(measuredRecord.file);
const described = [...recorded.measurements.values()].flatMap(({ measured }) =>
  measured.kind === "measured" && measured.face && measured.template
    ? [{ ...measured, face: measured.face, template: measured.template }]
    : [],
);

describe("recorded measurements of faces", () => {
  it("are the same after they were written and read", () => {
    expect(writeRecording(recorded)).toBe(writeRecording(readRecording(measuredRecord.file)));
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
    const record = { sha256: "0", wanted: {}, measured: one };
    expect(measuredRecord.isSame?.(record, structuredClone(record))).toBe(true);
    expect(measuredRecord.isSame?.(record, { ...record, sha256: "1" })).toBe(false);
    expect(measuredRecord.isSame?.(record, { ...record, measured: other })).toBe(false);
  });
});
