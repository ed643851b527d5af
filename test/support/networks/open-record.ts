import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { hashOfSources } from "./measuring-sources.ts";
import {
  hasSame,
  measuredAgain,
  measurementOf,
  type Recording,
  readRecording,
  textOf,
  writeRecording,
} from "./recorded-measurements.ts";

const isRecording = process.env["RECORD"] === "1";

/**
 * Gives the recorded measurement of a name, or makes it where it is due. A name is measured once in a worker.
 */
export type Measured = {
  <T>(name: string, measure: () => Promise<T>): Promise<T>;
  /**
   * Whether the measurement of a name is made in this run. Else it comes from the record, which nothing is
   * compared with.
   */
  readonly isDue: (name: string) => boolean;
};

/** Where a record stands, and what it follows from. */
export type RecordPlace = {
  readonly file: URL;
  /** URLs of the modules that draw and measure. */
  readonly modules: readonly string[];
  /**
   * Whether a measurement is as its record states it; by default all of it but the last digits (`hasSame`).
   */
  readonly isSame?: (recorded: unknown, made: unknown) => boolean;
};

/** The record of a test file, which draws and measures itself. */
export const besideTest = (owner: string): RecordPlace => ({
  file: pathToFileURL(fileURLToPath(owner).replace(/\.test\.ts$/, ".generated.json")),
  modules: [owner],
});

/** Adds a measurement to the record of these sources; a record of others ends. */
const addTo = (file: URL, sources: string, name: string, measurement: unknown): void => {
  const recorded = readRecording(file);
  const others = recorded.sources === sources ? [...recorded.measurements] : [];
  const all = new Map(others).set(name, measurement);
  const measurements = new Map([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, writeRecording({ sources, measurements }));
};

/**
 * The names that are due: a tenth each day, all with LONG_TESTS=1 or where a source changed. While a record
 * is written only the latter, so that a record of the same sources stays as it is.
 */
const dueIn = (recording: Recording, sources: string, file: URL): ReadonlySet<string> => {
  if (process.env["LONG_TESTS"] === "1") return new Set(recording.measurements.keys());
  if (isRecording && recording.sources === sources) return new Set();
  const first = Buffer.from(basename(file.pathname)).reduce((sum, letter) => sum + letter, 0);
  return measuredAgain(recording, { sources, first });
};

/**
 * Opens the record of a test file, which stands beside it, or of other modules. `measure` draws and measures,
 * and judges nothing: a changed judge changes no record. With RECORD=1 what is not recorded, or was recorded
 * of other sources, is measured and written; else a measurement without a record fails, and one that differs
 * from its record.
 */
export const openRecord = (owner: string | RecordPlace): Measured => {
  const { file, modules, isSame = hasSame } = typeof owner === "string" ? besideTest(owner) : owner;
  const sources = hashOfSources(modules);
  const recording = readRecording(file);
  const due = dueIn(recording, sources, file);
  const texts = new Map<string, Promise<string>>();

  const make = async (name: string, measure: () => Promise<unknown>): Promise<string> => {
    const text = textOf(await measure());
    const [made, recorded] = [measurementOf(text), recording.measurements.get(name)];
    if (isRecording) addTo(file, sources, name, made);
    else if (!recording.measurements.has(name) || !isSame(recorded, made)) {
      throw new Error(`"${name}" is not as in ${fileURLToPath(file)}: node scripts/record-readings.ts`);
    }
    return text;
  };

  const isDue = (name: string): boolean => !recording.measurements.has(name) || due.has(name);
  const measured = async <T>(name: string, measure: () => Promise<T>): Promise<T> => {
    const text =
      texts.get(name) ??
      (isDue(name) ? make(name, measure) : Promise.resolve(textOf(recording.measurements.get(name))));
    texts.set(name, text);
    return measurementOf(await text);
  };
  return Object.assign(measured, { isDue });
};
