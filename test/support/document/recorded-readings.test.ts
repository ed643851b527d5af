import { expect, it } from "vitest";
import type { SideReading } from "#judging/document/reading/reading";
import { readDrawnReadings } from "./drawn-readings.ts";
import { dataOf } from "./recorded-readings.ts";

const first = readDrawnReadings().get("a genuine passport");

it("readings are of other data where an image, its MRZ, its barcodes or its faces are others", () => {
  const change = (front: Partial<SideReading>) => ({ ...first!, front: { ...first!.front, ...front } });
  expect(dataOf(structuredClone(first))).toEqual(dataOf(first));
  expect(dataOf(change({ lines: [] }))).toEqual(dataOf(first));
  expect(dataOf(change({ sha256: "0" }))).not.toEqual(dataOf(first));
  expect(dataOf(change({ faces: 7 }))).not.toEqual(dataOf(first));
  expect(dataOf(change({ mrz: { ...first!.front.mrz!, lines: [] } }))).not.toEqual(dataOf(first));
  expect(dataOf(change({ barcodes: [{ symbology: "QRCode", text: "A", reads: 2 }] }))).not.toEqual(
    dataOf(first),
  );
});

it("a side is of the data that its document has of it", () => {
  expect(dataOf(first)).toEqual([dataOf(first!.front)]);
});

it("of another measurement all is its data", () => {
  expect(dataOf({ width: 3 })).toEqual({ width: 3 });
  expect(dataOf(undefined)).toBeUndefined();
});
