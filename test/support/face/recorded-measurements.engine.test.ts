import { expect, it } from "vitest";
import { openFaceEngine } from "./images.ts";
import { measuredNames, recordedNameOf, sentImageOf } from "./measured-images.ts";
import { differences } from "./measurement-differences.ts";
import { hashOfImage, measureAgain, measurementsFile, readMeasurements } from "./recorded-measurements.ts";

/** Images are drawn and measured with all networks in this one thread, beside other tests. */
const patientMs = 120_000;

const engine = openFaceEngine();
const recorded = readMeasurements(measurementsFile);
const chosen = measureAgain(recorded);
const again = measuredNames.filter((name) => chosen.has(recordedNameOf(name)));

it.each(again.map((name) => [recordedNameOf(name), name] as const))(
  "the recorded measurement is that of %s",
  async (name, { image, wanted }) => {
    const bytes = await sentImageOf(engine, image);
    const { sha256, measured } = recorded.measurements.get(name)!;
    expect(sha256, "node scripts/record-readings.ts").toBe(hashOfImage(bytes));
    const found = differences(measured, await engine.measure(bytes, wanted));
    expect(found, "node scripts/record-readings.ts").toEqual([]);
  },
  patientMs,
);

it("each image has its recorded measurements", () => {
  expect([...recorded.measurements.keys()]).toEqual(measuredNames.map(recordedNameOf));
});
