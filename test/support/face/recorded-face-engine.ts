import { expect } from "vitest";
import { unpackFrames } from "#judging/face/engine/frames";
import { openImage } from "#judging/face/engine/measure-face";
import type { FaceMeasurement, MeasureFace, Wanted } from "#judging/face/measurement";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { hashOf } from "../imaging/hash-of.ts";
import { readRecording, recordKey } from "../networks/recorded-measurements.ts";
import type { openFaceEngine } from "./images.ts";
import { measuredRecord, type RecordedMeasurement } from "./measured-images.ts";

/** The wanted parts of these bytes: one image is measured the same as the only frame of a capture. */
const wantedOf = (bytes: Uint8Array, { frames, ...wanted }: Wanted): Wanted =>
  frames && unpackFrames(bytes).length > 1 ? { ...wanted, frames } : wanted;

/** A copy, as an answer of an inference thread is one. */
const copyOf = ({ measured }: RecordedMeasurement): FaceMeasurement => structuredClone(measured);

let recorded: ReadonlyMap<string, RecordedMeasurement> | undefined;

const readRecorded = (): ReadonlyMap<string, RecordedMeasurement> => {
  const { measurements } = readRecording<RecordedMeasurement>(measuredRecord.file);
  return new Map([...measurements.values()].map((one) => [recordKey([one.sha256], one.wanted), one]));
};

/**
 * An engine that answers with what the real one measured before (`node scripts/record-readings.ts`). The
 * decoder is the real one: bytes that are no image are answered by it. A test fails that sends an image
 * without a record.
 */
export const recordedFaceEngine = (): ReturnType<typeof openFaceEngine> => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  recorded ??= readRecorded();
  const known = recorded;
  const measure: MeasureFace = async (bytes, wanted) => {
    const parts = wantedOf(bytes, wanted);
    const record = known.get(recordKey([hashOf(bytes)], parts));
    if (record !== undefined) return copyOf(record);
    const opened = await openImage(imaging, parts.frames ? unpackFrames(bytes)[0] : bytes);
    if ("kind" in opened) return opened;
    const missing = `${JSON.stringify(parts)} of this image is not recorded: name it in test/support/face/measured-images.ts and run node scripts/record-readings.ts`;
    // An engine that fails is an answer of the service: the test fails by itself.
    expect.soft(undefined, missing).toBeDefined();
    throw new Error(missing);
  };
  return { imaging, measure };
};
