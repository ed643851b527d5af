import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DocumentReading, SideReading } from "#judging/document/reading/reading";

/**
 * Readings of drawn documents, by the name of the drawing. They were made by the real readers and networks (`node
 * scripts/record-readings.ts`). The unit lane judges them; the engine lane draws and reads some of them again.
 */
export type RecordedReadings = {
  /** SHA-256 over the files that the readings follow from, at the time of the recording (`hashOfReaders`). */
  readonly readers: string;
  readonly readings: ReadonlyMap<string, DocumentReading>;
};

export const readRecorded = (file: URL): RecordedReadings => {
  const { readers, readings }: { readers: string; readings: Record<string, DocumentReading> } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  return {
    readers,
    readings: new Map(Object.entries(readings).map(([name, one]) => [name, withoutBytes(one)])),
  };
};

/** One reading in a line, so that a change shows which one it was. */
export const writeRecorded = ({ readers, readings }: RecordedReadings): string => {
  const rows = [...readings].map(
    ([name, reading]) => `${JSON.stringify(name)}: ${JSON.stringify(withoutBytes(reading))}`,
  );
  return `{\n"readers": "${readers}",\n"readings": {\n${rows.join(",\n")}\n}\n}\n`;
};

/** Whether two readings are of the same images, and of the same data. Figures may differ in their last digits between processors. */
export const dataOf = (reading: DocumentReading): unknown =>
  [reading.front, reading.back].map(
    (side) =>
      side && {
        sha256: side.sha256,
        mrz: side.mrz?.lines,
        barcodes: side.barcodes.map(({ text }) => text),
        faces: side.faces,
        rotations: side.rotations,
      },
  );

const sidesOf = (
  { front, back, ...rest }: DocumentReading,
  change: (side: SideReading) => SideReading,
): DocumentReading => ({ ...rest, front: change(front), ...(back && { back: change(back) }) });

const noBytes = new Uint8Array();

/** No decision looks at the pixels of a portrait or of an upright side. */
const withoutBytes = (reading: DocumentReading): DocumentReading =>
  sidesOf({ ...reading, ms: 0 }, ({ portrait, ...side }) => ({
    ...side,
    ...(portrait && { portrait: { ...portrait, jpeg: noBytes } }),
  }));

/** What a reading follows from: the drawings, the readers, their images and networks. */
const readerFiles = [
  "src/judging/document/reading",
  "test/support/document",
  "src/judging/face/engine",
  "src/machine/imaging",
  "src/machine/networks",
  "src/sandbox/personas",
  "src/sandbox/specimen",
  "models",
  "package-lock.json",
] as const;

const isOfReaders = (path: string): boolean =>
  !path.endsWith(".test.ts") && !path.endsWith(".md") && !path.endsWith(".generated.json");

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** SHA-256 over the files of these folders of the repository, without tests and pages, in the order of their paths; hex. */
export const hashOfFiles = (folders: readonly string[]): string => {
  const paths = folders.flatMap((folder) =>
    folder.includes(".")
      ? [folder]
      : readdirSync(root + folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && isOfReaders(entry.name))
          .map((entry) => `${entry.parentPath.slice(root.length)}/${entry.name}`),
  );
  const hash = createHash("sha256");
  for (const path of paths.toSorted()) {
    hash.update(`${path}\n`);
    hash.update(
      createHash("sha256")
        .update(readFileSync(root + path))
        .digest(),
    );
  }
  return hash.digest("hex");
};

/** SHA-256 over the files that a reading follows from, hex. */
export const hashOfReaders = (): string => hashOfFiles(readerFiles);

/** The place of a record: the SHA-256 of each image, and what was asked of them. An absent part is as one that is `false`. */
export const recordKey = (hashes: readonly (string | undefined)[], asked: object): string => {
  const parts = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [JSON.stringify([name, value])],
  );
  return JSON.stringify([hashes, parts.toSorted()]);
};

/** Of so many recorded readings one is made again each day, all of them within as many days. */
const share = 10;
const dayMs = 86_400_000;

/** A tenth of the names, another one each day. */
export const tenthOf = (names: readonly string[], today = new Date()): ReadonlySet<string> => {
  const day = Math.floor(today.getTime() / dayMs);
  return new Set(names.filter((_, at) => at % share === day % share));
};

/**
 * The names whose images the engine lane draws and reads again: a tenth, another one each day. All of them where the readers changed
 * since the recording.
 */
export const readAgain = (
  { readers, readings }: RecordedReadings,
  today = new Date(),
): ReadonlySet<string> => {
  const names = [...readings.keys()];
  return readers === hashOfReaders() ? tenthOf(names, today) : new Set(names);
};
