import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { DocumentsReport, MeasuredPicture } from "#document/measure";
import type { FieldsReport, MeasuredFields } from "#document/measure-fields";
import { CommandError, parseOptions, UsageError } from "./command.ts";
import { checkFiguresFile, writeFigures } from "./figures-file.ts";
import { checkPictures, readListText } from "./list-file.ts";
import { percent } from "./percent.ts";

/** An entry of the list. Pictures whose lines or fields nobody transcribed (null, none or empty) are counted but not read. */
const Entry = Type.Object({
  path: Type.String({ minLength: 1 }),
  mrz_lines: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  expected_fields: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  gt_kind: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const index = Compile(Type.Array(Entry));
const shape = '[{"path": "a.jpg", "mrz_lines": ["P<UTO…", "L898902…"]}, …]';

export type MeasureDocumentsDeps = {
  /** Decodes and reads one picture; undefined when it has no zone. A failure counts as nothing read. */
  readonly read: (
    bytes: Uint8Array,
  ) => Promise<{ readonly lines: readonly string[]; readonly accepted: boolean } | undefined>;
  /** Reads the printed lines of one picture. A failure counts as nothing read. */
  readonly readPrinted: (bytes: Uint8Array) => Promise<readonly string[]>;
  readonly summarise: (
    pictures: number,
    measured: readonly MeasuredPicture[],
    fields: readonly MeasuredFields[],
  ) => DocumentsReport;
  /** One line of the result. */
  readonly out: (line: string) => void;
  /** One line about how far the work is. */
  readonly progress: (line: string) => void;
};

type Options = { readonly index: string; readonly root: string; readonly json: string | undefined };

const optionsOf = (argv: readonly string[]): Options => {
  const { values } = parseOptions(argv, {
    index: { type: "string" },
    root: { type: "string" },
    json: { type: "string" },
  });
  if (values.index === undefined) {
    throw new UsageError("Say which list to measure on: --index FILE");
  }
  return { index: values.index, root: values.root ?? dirname(values.index), json: values.json };
};

/** Entries of the list. Throws CommandError that names the entry and the field that are wrong. */
const readIndex = async (path: string) => {
  const text = await readListText(path);
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    throw new CommandError(`The list ${path} is no JSON. It takes an array: ${shape}`);
  }
  if (!index.Check(entries)) {
    const [first] = index.Errors(entries);
    const place = /^\/(\d+)\/?(.*)/.exec(first?.instancePath ?? "");
    const [, entry = "", field = ""] = place ?? [];
    const where = place === null ? "" : ` In entry ${Number(entry) + 1}${field && `, field ${field}`}:`;
    throw new CommandError(
      `The list ${path} has another shape.${where} ${first?.message ?? "wrong"}. It takes ${shape}`,
    );
  }
  return entries;
};

const measurePicture = async (
  path: string,
  truth: readonly string[],
  { read, progress }: Pick<MeasureDocumentsDeps, "read" | "progress">,
): Promise<MeasuredPicture> => {
  const bytes = await readFile(path);
  const start = performance.now();
  const reading = await read(bytes).catch((error: unknown) => {
    progress(`${path}: ${error instanceof Error ? error.message : "could not be read"}`);
    return undefined;
  });
  const ms = performance.now() - start;
  return { truth, lines: reading?.lines ?? [], accepted: reading?.accepted ?? false, ms };
};

/** What another program read is no truth to measure on. */
const isTranscribed = (kind: string | null | undefined): boolean => !/^vendor/i.test(kind ?? "");

/** Fields with a text; portraits, signatures and lists of names are not read as one line. */
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
    progress(`${path}: ${error instanceof Error ? error.message : "could not be read"}`);
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

const describe = ({ pictures, mrz, fields, ms }: DocumentsReport): readonly string[] => {
  const exact = mrz.exactDocumentsBounds;
  return [
    `pictures            ${pictures}, of these ${mrz.documents} with a transcribed zone`,
    `exact documents     ${mrz.exactDocuments} of ${mrz.documents} (95 %: ${percent(exact.low)} to ${percent(exact.high)})`,
    `exact lines         ${mrz.exactLines} of ${mrz.lines}`,
    `character accuracy  ${mrz.characterAccuracy === null ? "-" : percent(mrz.characterAccuracy)}`,
    `reported valid      ${mrz.accepted}`,
    `false reads         ${mrz.falseReads} of ${mrz.documents} (95 %: up to ${percent(mrz.falseReadsBounds.high)})`,
    ...describeFields(fields),
    `time a picture      median ${time(ms.median)}, p95 ${time(ms.p95)}, least ${time(ms.min)}, decode included`,
  ];
};

/** A list after its reading: what to read of which picture. */
export type DocumentsList = {
  readonly pictures: number;
  readonly root: string;
  readonly zones: readonly { readonly path: string; readonly truth: readonly string[] }[];
  readonly fields: readonly { readonly path: string; readonly expected: MeasuredFields["expected"] }[];
};

/** Reads a list and looks for each of its pictures. Throws CommandError that names what is wrong or missing. */
export const readDocumentsList = async (path: string, root = dirname(path)): Promise<DocumentsList> => {
  const entries = await readIndex(path);
  const zones = entries.flatMap(({ path: picture, mrz_lines: truth }, i) =>
    truth == null || truth.length === 0 ? [] : [{ path: picture, truth, where: `Entry ${i + 1} of ${path}` }],
  );
  const fields = entries.flatMap(({ path: picture, expected_fields: values, gt_kind: kind }, i) => {
    const expected = values == null || !isTranscribed(kind) ? [] : printedOf(values);
    return expected.length === 0 ? [] : [{ path: picture, expected, where: `Entry ${i + 1} of ${path}` }];
  });
  await checkPictures([...zones, ...fields], root);
  return { pictures: entries.length, root, zones, fields };
};

/** Reads every picture of a list and judges what was read. */
export const measureList = async (
  { pictures, root, zones, fields }: DocumentsList,
  deps: Omit<MeasureDocumentsDeps, "out">,
): Promise<DocumentsReport> => {
  const measured: MeasuredPicture[] = [];
  for (const [i, { path, truth }] of zones.entries()) {
    measured.push(await measurePicture(resolve(root, path), truth, deps));
    deps.progress(`${i + 1} of ${zones.length}`);
  }
  const printed: MeasuredFields[] = [];
  for (const [i, { path, expected }] of fields.entries()) {
    printed.push(await readFields(resolve(root, path), expected, deps));
    deps.progress(`fields: ${i + 1} of ${fields.length}`);
  }
  return deps.summarise(pictures, measured, printed);
};

/**
 * `idem measure documents`. Answers the exit code 0. Throws UsageError for wrong words, CommandError when the list or one
 * of its pictures cannot be read from disk.
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
