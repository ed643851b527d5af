import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { MeasuredFields } from "#evaluation/documents/measure-fields";
import type { DocumentsReport, MeasuredImage } from "#evaluation/documents/measure-reading";
import { CommandError } from "../../command.ts";
import { checkImages, readListText } from "../list-file.ts";
import type { WorkProgress } from "../progress.ts";

/**
 * An entry of the list. An image whose lines or fields have no transcription (null, none or empty) is counted
 * but not read.
 */
const Entry = Type.Object({
  path: Type.String({ minLength: 1 }),
  mrz_lines: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  expected_fields: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  gt_kind: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const index = makeCheck(Type.Array(Entry));
const shape = '[{"path": "a.jpg", "mrz_lines": ["P<UTO…", "L898902…"]}, …]';

export type ReadDocumentsDeps = {
  /** Decodes and reads one image; undefined when it has no MRZ. A failure counts as an empty reading. */
  readonly read: (
    bytes: Uint8Array,
  ) => Promise<{ readonly lines: readonly string[]; readonly accepted: boolean } | undefined>;
  /** Reads the printed lines of one image. A failure counts as an empty reading. */
  readonly readPrinted: (bytes: Uint8Array) => Promise<readonly string[]>;
  readonly summarise: (
    images: number,
    measured: readonly MeasuredImage[],
    fields: readonly MeasuredFields[],
  ) => DocumentsReport;
  readonly progress: WorkProgress;
};

/** Entries of the list. Throws CommandError that names the wrong entry and field. */
const readIndex = async (path: string) => {
  const text = await readListText(path);
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    throw new CommandError(`The list ${path} is not JSON. It takes an array: ${shape}`);
  }
  if (!index.Check(entries)) {
    const [first] = index.Errors(entries);
    const place = /^\/(\d+)\/?(.*)/.exec(first?.instancePath ?? "");
    const [, entry = "", field = ""] = place ?? [];
    const where = place === null ? "" : `, in entry ${Number(entry) + 1}${field && `, field ${field}`}`;
    throw new CommandError(
      `The list ${path} has another shape${where}: ${first?.message ?? "it is wrong"}. It takes ${shape}`,
    );
  }
  return entries;
};

const measureImage = async (
  path: string,
  truth: readonly string[],
  { read, progress }: Pick<ReadDocumentsDeps, "read" | "progress">,
): Promise<MeasuredImage> => {
  const bytes = await readFile(path);
  const start = performance.now();
  const reading = await read(bytes).catch((error: unknown) => {
    progress.note(`${path}: ${error instanceof Error ? error.message : "could not be read"}`);
    return undefined;
  });
  const ms = performance.now() - start;
  return { truth, lines: reading?.lines ?? [], accepted: reading?.accepted ?? false, ms };
};

/** The output of another program is not a ground truth. */
const isTranscribed = (kind: string | null | undefined): boolean => !/^vendor/i.test(kind ?? "");

/** Fields with a text; portraits, signatures and lists of names are not single printed lines. */
const printedOf = (fields: Readonly<Record<string, unknown>>): MeasuredFields["expected"] =>
  Object.entries(fields).flatMap(([field, value]) =>
    typeof value === "string" && value.trim() !== "" ? [{ field, value }] : [],
  );

const readFields = async (
  path: string,
  expected: MeasuredFields["expected"],
  { readPrinted, progress }: Pick<ReadDocumentsDeps, "readPrinted" | "progress">,
): Promise<MeasuredFields> => {
  const lines = await readPrinted(await readFile(path)).catch((error: unknown) => {
    progress.note(`${path}: ${error instanceof Error ? error.message : "could not be read"}`);
    return [];
  });
  return { expected, lines };
};

/** A validated list: the image files and their expected values. */
export type DocumentsList = {
  readonly images: number;
  readonly root: string;
  readonly mrzRegions: readonly { readonly path: string; readonly truth: readonly string[] }[];
  readonly fields: readonly { readonly path: string; readonly expected: MeasuredFields["expected"] }[];
};

/**
 * Reads a list and checks that each image exists. Throws CommandError that names the wrong or missing
 * entries.
 */
export const readDocumentsList = async (path: string, root = dirname(path)): Promise<DocumentsList> => {
  const entries = await readIndex(path);
  const mrzRegions = entries.flatMap(({ path: image, mrz_lines: truth }, i) =>
    truth == null || truth.length === 0 ? [] : [{ path: image, truth, where: `Entry ${i + 1} of ${path}` }],
  );
  const fields = entries.flatMap(({ path: image, expected_fields: values, gt_kind: kind }, i) => {
    const expected = values == null || !isTranscribed(kind) ? [] : printedOf(values);
    return expected.length === 0 ? [] : [{ path: image, expected, where: `Entry ${i + 1} of ${path}` }];
  });
  await checkImages([...mrzRegions, ...fields], root);
  return { images: entries.length, root, mrzRegions, fields };
};

/** Reads every image of a list and judges the readings. */
export const measureList = async (
  { images, root, mrzRegions, fields }: DocumentsList,
  deps: ReadDocumentsDeps,
): Promise<DocumentsReport> => {
  const measured: MeasuredImage[] = [];
  for (const [i, { path, truth }] of mrzRegions.entries()) {
    measured.push(await measureImage(resolve(root, path), truth, deps));
    deps.progress.show(i + 1, mrzRegions.length);
  }
  const printed: MeasuredFields[] = [];
  for (const [i, { path, expected }] of fields.entries()) {
    printed.push(await readFields(resolve(root, path), expected, deps));
    deps.progress.show(i + 1, fields.length);
  }
  return deps.summarise(images, measured, printed);
};
