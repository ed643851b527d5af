import { expect, it } from "vitest";
import { hashOf } from "../imaging/hash-of.ts";
import { openRecord } from "../networks/open-record.ts";
import { readRecording } from "../networks/recorded-measurements.ts";
import { openFaceEngine } from "./images.ts";
import {
  measuredNames,
  measuredRecord,
  type RecordedMeasurement,
  recordedNameOf,
  sentImageOf,
} from "./measured-images.ts";

/** Images are drawn and measured with all networks in this one thread, beside other tests. */
const patientMs = 120_000;

const engine = openFaceEngine();
const measured = openRecord(measuredRecord);

it.each(measuredNames.map((name) => [recordedNameOf(name), name] as const))(
  "the http lane asks for %s, and answers with its measurement",
  async (name, { image, wanted }) => {
    const measure = async (): Promise<RecordedMeasurement> => {
      const bytes = await sentImageOf(engine, image);
      return { sha256: hashOf(bytes), wanted, measured: await engine.measure(bytes, wanted) };
    };
    expect((await measured(name, measure)).wanted).toEqual(wanted);
  },
  patientMs,
);

it("no other measurement is recorded", () => {
  const names = [...readRecording(measuredRecord.file).measurements.keys()];
  expect(names.toSorted()).toEqual(measuredNames.map(recordedNameOf).toSorted());
});
