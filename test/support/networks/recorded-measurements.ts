import { existsSync, readFileSync } from "node:fs";

/**
 * Measurements of drawn images that the real readers and engines made, kept in a file. Tests judge them; of
 * ten one is made again each day, and all are where a source changed since the recording.
 */
export type Recording<Measurement = unknown> = {
  /**
   * SHA-256 over the files that the measurements follow from (`hashOfSources`), at the time of the recording.
   */
  readonly sources: string;
  readonly measurements: ReadonlyMap<string, Measurement>;
};

/** Figures differ between processors from here on, and more digits would make the records large. */
const digits = 7;

/** A record has no bytes of images, only how many there were; the bytes of a template are in Base64. */
const byteCount = "bytesLeftOut";
const base64 = "templateInBase64";

const writeBytes = (key: string, bytes: Uint8Array): object =>
  key === "template" ? { [base64]: Buffer.from(bytes).toString("base64") } : { [byteCount]: bytes.length };

/** A measurement as a record holds it; undefined as null. Throws where JSON cannot hold it. */
export const textOf = (measurement: unknown): string =>
  JSON.stringify(measurement ?? null, function (this: object, key: string, value: unknown) {
    const one: unknown = Reflect.get(this, key);
    if (one instanceof Uint8Array) return writeBytes(key, one);
    if (ArrayBuffer.isView(one) || one instanceof Map || one instanceof Set || one instanceof Date) {
      throw new Error(`${key} cannot be recorded: it is no plain value`);
    }
    if (typeof one === "number" && !Number.isFinite(one)) throw new Error(`${key} is ${one}`);
    return typeof one === "number" ? Number(one.toPrecision(digits)) : value;
  });

/** The measurement of a text; in place of the bytes of an image stand as many zeros. */
export const measurementOf = (text: string) =>
  JSON.parse(text, (_, value) => {
    if (typeof value?.[base64] === "string") return new Uint8Array(Buffer.from(value[base64], "base64"));
    return typeof value?.[byteCount] === "number" ? new Uint8Array(value[byteCount]) : value;
  }) ?? undefined;

/** The record of a file; an empty one where there is no file. */
export const readRecording = <Measurement = unknown>(file: URL): Recording<Measurement> => {
  if (!existsSync(file)) return { sources: "", measurements: new Map() };
  const recorded: { sources: string; measurements: Record<string, Measurement> } = measurementOf(
    readFileSync(file, "utf8"),
  );
  return { sources: recorded.sources, measurements: new Map(Object.entries(recorded.measurements)) };
};

/** One measurement in a line, so that a change shows which one it was. */
export const writeRecording = ({ sources, measurements }: Recording): string => {
  const rows = [...measurements].map(([name, one]) => `${JSON.stringify(name)}: ${textOf(one)}`);
  return `{\n"sources": "${sources}",\n"measurements": {\n${rows.join(",\n")}\n}\n}\n`;
};

/** Of so many recorded measurements one is made again each day, all of them within as many days. */
const share = 10;
const dayMs = 86_400_000;

type When = {
  /** The hash of the sources as they are now. */
  readonly sources: string;
  readonly today?: Date;
  /** Moves the days, so that not every record begins on one. */
  readonly first?: number;
};

/**
 * The names that are measured again today: a tenth, another one each day. All of them where the sources are
 * others than at the recording.
 */
export const measuredAgain = (
  recording: Recording,
  { sources, today = new Date(), first = 0 }: When,
): ReadonlySet<string> => {
  const names = [...recording.measurements.keys()];
  if (recording.sources !== sources) return new Set(names);
  const day = Math.floor(today.getTime() / dayMs) + first;
  return new Set(names.filter((_, at) => at % share === day % share));
};

/** Figures of two processors are as near as this, relative to the larger or to 1. */
const nearness = 0.02;

/**
 * Whether two plain values are the same but for the last digits of their figures, of which templates consist.
 */
export const areNear = (a: unknown, b: unknown): boolean => {
  if (typeof a === "number" && typeof b === "number") {
    return Math.abs(a - b) <= nearness * Math.max(1, Math.abs(a), Math.abs(b));
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const [ours, theirs] = [Object.entries(a), Object.entries(b)];
  const isNear = ([key, one]: readonly [string, unknown]) =>
    key === base64 || areNear(one, Reflect.get(b, key));
  return ours.length === theirs.length && ours.every(isNear);
};

/** Whether the records of two measurements are the same but for the last digits of their figures. */
export const hasSame = (a: unknown, b: unknown): boolean =>
  areNear(JSON.parse(textOf(a)), JSON.parse(textOf(b)));

/**
 * The place of a record: the SHA-256 of each image, and what was asked of them. An absent part is as one that
 * is `false`.
 */
export const recordKey = (hashes: readonly (string | undefined)[], asked: object): string => {
  const parts = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [JSON.stringify([name, value])],
  );
  return JSON.stringify([hashes, parts.toSorted()]);
};
