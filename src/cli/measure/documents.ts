import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { FieldsReport, MeasuredFields } from "#evaluation/documents/measure-fields";
import type { DocumentsReport, MeasuredImage } from "#evaluation/documents/measure-reading";
import { percent } from "#evaluation/report/percent";
import { CommandError, parseOptions, UsageError } from "../command.ts";
import { checkImages, readListText } from "../list-file.ts";
import type { WorkProgress } from "../progress.ts";
import { checkFiguresFile, writeFigures } from "./figures-file.ts";

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

export type MeasureDocumentsDeps = {
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
  /** Writes one line of the result. */
  readonly out: (line: string) => void;
  readonly progress: WorkProgress;
};

type Options = { readonly index: string; readonly root: string; readonly json: string | undefined };

const optionsOf = (argv: readonly string[]): Options => {
  const { values } = parseOptions(argv, {
    index: { type: "string" },
    root: { type: "string" },
    json: { type: "string" },
  });
  if (values.index === undefined) {
    throw new UsageError("Name the list: --index FILE");
  }
  return { index: values.index, root: values.root ?? dirname(values.index), json: values.json };
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
  { read, progress }: Pick<MeasureDocumentsDeps, "read" | "progress">,
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
  { readPrinted, progress }: Pick<MeasureDocumentsDeps, "readPrinted" | "progress">,
): Promise<MeasuredFields> => {
  const lines = await readPrinted(await readFile(path)).catch((error: unknown) => {
    progress.note(`${path}: ${error instanceof Error ? error.message : "could not be read"}`);
    return [];
  });
  return { expected, lines };
};

const time = (value: number | null): string => (value === null ? "-" : `${value.toFixed(0)} ms`);

const describeFields = ({
  n,
  exact,
  exactBounds,
  characterAccuracy,
  byKind,
}: FieldsReport): readonly string[] =>
  n === 0
    ? ["printed fields      none transcribed"]
    : [
        `printed fields      ${exact} of ${n} exact, ${percent(exact / n)} (95 %: ${percent(exactBounds.low)} to ${percent(exactBounds.high)})`,
        `  by kind           ${Object.entries(byKind)
          .map(([kind, count]) => `${kind} ${count.exact} of ${count.n}`)
          .join(", ")}`,
        `  characters        ${characterAccuracy === null ? "-" : percent(characterAccuracy)}`,
      ];

const describe = ({ pictures: images, mrz, fields, ms }: DocumentsReport): readonly string[] => {
  const exact = mrz.exactDocumentsBounds;
  return [
    `images              ${images}, of these ${mrz.documents} with a transcribed MRZ`,
    `exact documents     ${mrz.exactDocuments} of ${mrz.documents} (95 %: ${percent(exact.low)} to ${percent(exact.high)})`,
    `exact lines         ${mrz.exactLines} of ${mrz.lines}`,
    `character accuracy  ${mrz.characterAccuracy === null ? "-" : percent(mrz.characterAccuracy)}`,
    `reported valid      ${mrz.accepted}`,
    `false reads         ${mrz.falseReads} of ${mrz.documents} (95 %: up to ${percent(mrz.falseReadsBounds.high)})`,
    ...describeFields(fields),
    `time an image      median ${time(ms.median)}, p95 ${time(ms.p95)}, least ${time(ms.min)}, decode included`,
  ];
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
  deps: Omit<MeasureDocumentsDeps, "out">,
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

/**
 * Runs `idem measure documents` and returns exit code 0. Throws UsageError for wrong usage, CommandError when
 * the list or one of its images cannot be read from disk.
 */
export const measureDocuments = async (
  argv: readonly string[],
  deps: MeasureDocumentsDeps,
): Promise<number> => {
  const options = optionsOf(argv);
  await checkFiguresFile("--json", options.json);
  const report = await measureList(await readDocumentsList(options.index, options.root), deps);
  for (const line of describe(report)) deps.out(line);
  await writeFigures(options.json, report);
  return 0;
};
