import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FaceMeasurement, FailedImage, MeasuredImage, Wanted } from "#judging/face/measurement";
import { hashOfFiles, tenthOf } from "../document/http/sent-record.ts";

/** A measurement of the real engine: of which image, and which parts of it were wanted. */
export type RecordedMeasurement = {
  /** SHA-256 of the image's bytes, hex. */
  readonly sha256: string;
  readonly wanted: Wanted;
  readonly measured: FaceMeasurement;
};

/**
 * Measurements of faces, by image and wanted parts. They were made by the real networks (`node scripts/record-readings.ts`). The http
 * lane answers calls with them; the engine lane measures some of them again.
 */
export type RecordedMeasurements = {
  /** SHA-256 over the files that the measurements follow from, at the time of the recording (`hashOfMeasuring`). */
  readonly measuring: string;
  readonly measurements: ReadonlyMap<string, RecordedMeasurement>;
};

export const measurementsFile = new URL("face-measurements.generated.json", import.meta.url);

/** What a measurement follows from: the engine, its images and its networks. An image of other bytes has no record. */
const measuringFiles = [
  "src/judging/face/attributes",
  "src/judging/face/engine",
  "src/judging/face/liveness/cues",
  "src/judging/face/matching",
  "src/judging/face/motion",
  "src/machine/imaging",
  "src/machine/networks",
  "models",
  "package-lock.json",
] as const;

/** SHA-256 over the files that a measurement follows from, hex. */
export const hashOfMeasuring = (): string => hashOfFiles(measuringFiles);

export const hashOfImage = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A template is Base64 in the file; other parts are numbers and short texts. */
type WrittenImage = Omit<MeasuredImage, "template"> & { readonly template?: string };
type Written = Omit<RecordedMeasurement, "measured"> & { readonly measured: WrittenImage | FailedImage };

const writtenOf = ({ measured, ...record }: RecordedMeasurement): Written => {
  if (measured.kind !== "measured") return { ...record, measured };
  const { template, ...image } = measured;
  const base64 = template && { template: Buffer.from(template).toString("base64") };
  return { ...record, measured: { ...image, ...base64 } };
};

const recordOf = ({ measured, ...record }: Written): RecordedMeasurement => {
  if (measured.kind !== "measured") return { ...record, measured };
  const { template, ...image } = measured;
  const bytes = template !== undefined && { template: Uint8Array.from(Buffer.from(template, "base64")) };
  return { ...record, measured: { ...image, ...bytes } };
};

/** One measurement in a line, so that a change shows which one it was. */
export const writeMeasurements = ({ measuring, measurements }: RecordedMeasurements): string => {
  const rows = [...measurements].map(
    ([name, record]) => `${JSON.stringify(name)}: ${JSON.stringify(writtenOf(record))}`,
  );
  return `{\n"measuring": "${measuring}",\n"measurements": {\n${rows.join(",\n")}\n}\n}\n`;
};

export const readMeasurements = (file: URL): RecordedMeasurements => {
  const { measuring, measurements }: { measuring: string; measurements: Record<string, Written> } =
    JSON.parse(readFileSync(file, "utf8"));
  return {
    measuring,
    measurements: new Map(Object.entries(measurements).map(([name, one]) => [name, recordOf(one)])),
  };
};

/**
 * The names whose images the engine lane measures again: a tenth, another one each day. All of them where the engine changed since the
 * recording.
 */
export const measureAgain = (
  { measuring, measurements }: RecordedMeasurements,
  today = new Date(),
): ReadonlySet<string> => {
  const names = [...measurements.keys()];
  return measuring === hashOfMeasuring() ? tenthOf(names, today) : new Set(names);
};
