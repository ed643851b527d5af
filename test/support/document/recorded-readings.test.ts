import { describe, expect, it } from "vitest";
import type { DocumentReading } from "#judging/document/reading/reading";
import { drawnReadingsFile } from "./drawn-readings.ts";
import { dataOf, hashOfReaders, readAgain, readRecorded, writeRecorded } from "./recorded-readings.ts";

const recorded = readRecorded(drawnReadingsFile);
const names = [...recorded.readings.keys()];
const unchanged = { ...recorded, readers: hashOfReaders() };
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));

describe("recorded readings", () => {
  it("are the same after they were written and read", () => {
    expect(JSON.parse(writeRecorded(recorded))).toMatchObject({ readers: recorded.readers });
    const [first] = recorded.readings.values();
    expect(dataOf(first!)).toEqual(dataOf(structuredClone(first!)));
  });

  it("are of other data where an image or its MRZ is another", () => {
    const [first] = recorded.readings.values();
    const change = (front: Partial<DocumentReading["front"]>): DocumentReading => ({
      ...first!,
      front: { ...first!.front, ...front },
    });
    expect(dataOf(change({ sha256: "0" }))).not.toEqual(dataOf(first!));
    expect(dataOf(change({ faces: 7 }))).not.toEqual(dataOf(first!));
    expect(dataOf(change({ barcodes: [{ symbology: "QRCode", text: "A", reads: 2 }] }))).not.toEqual(
      dataOf(first!),
    );
  });

  it("are made again in tenths, each once in ten days", () => {
    const tenths = Array.from({ length: 10 }, (_, n) => [...readAgain(unchanged, day(n + 1))]);
    expect(tenths.flat().toSorted()).toEqual(names.toSorted());
    for (const tenth of tenths) {
      expect(tenth.length).toBeGreaterThanOrEqual(Math.floor(names.length / 10));
      expect(tenth.length).toBeLessThanOrEqual(Math.ceil(names.length / 10));
    }
  });

  it("are all made again where the readers are others", () => {
    expect([...readAgain({ ...recorded, readers: "0" }, day(1))]).toEqual(names);
  });
});
