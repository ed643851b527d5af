import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { DocumentsReport, MeasuredPicture } from "#document/measure";
import { CommandError, parseOptions, UsageError } from "./command.ts";
import { checkFiguresFile, writeFigures } from "./figures-file.ts";
import { checkPictures, readListText } from "./list-file.ts";
import { percent } from "./percent.ts";

/** An entry of the list. Pictures whose lines nobody transcribed (null, none or []) are counted but not read. */
const Entry = Type.Object({
  path: Type.String({ minLength: 1 }),
  mrz_lines: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
});
const index = Compile(Type.Array(Entry));
const shape = '[{"path": "a.jpg", "mrz_lines": ["P<UTO…", "L898902…"]}, …]';

export type MeasureDocumentsDeps = {
  /** Decodes and reads one picture; undefined when it has no zone. A failure counts as nothing read. */
  readonly read: (
    bytes: Uint8Array,
  ) => Promise<{ readonly lines: readonly string[]; readonly accepted: boolean } | undefined>;
  readonly summarise: (pictures: number, measured: readonly MeasuredPicture[]) => DocumentsReport;
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
  { read, progress }: MeasureDocumentsDeps,
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

const time = (value: number | null): string => (value === null ? "-" : `${value.toFixed(0)} ms`);

const describe = ({ pictures, mrz, ms }: DocumentsReport): readonly string[] => {
  const exact = mrz.exactDocumentsBounds;
  return [
    `pictures            ${pictures}, of these ${mrz.documents} with a transcribed zone`,
    `exact documents     ${mrz.exactDocuments} of ${mrz.documents} (95 %: ${percent(exact.low)} to ${percent(exact.high)})`,
    `exact lines         ${mrz.exactLines} of ${mrz.lines}`,
    `character accuracy  ${mrz.characterAccuracy === null ? "-" : percent(mrz.characterAccuracy)}`,
    `reported valid      ${mrz.accepted}`,
    `false reads         ${mrz.falseReads} of ${mrz.documents} (95 %: up to ${percent(mrz.falseReadsBounds.high)})`,
    `printed fields      not read yet`,
    `time a picture      median ${time(ms.median)}, p95 ${time(ms.p95)}, least ${time(ms.min)}, decode included`,
  ];
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
  const entries = await readIndex(options.index);
  const withTruth = entries.flatMap(({ path, mrz_lines: truth }, i) =>
    truth == null || truth.length === 0 ? [] : [{ path, truth, where: `Entry ${i + 1} of ${options.index}` }],
  );
  await checkPictures(withTruth, options.root);
  const measured: MeasuredPicture[] = [];
  for (const [i, { path, truth }] of withTruth.entries()) {
    measured.push(await measurePicture(resolve(options.root, path), truth, deps));
    deps.progress(`${i + 1} of ${withTruth.length}`);
  }
  const report = deps.summarise(entries.length, measured);
  for (const line of describe(report)) deps.out(line);
  await writeFigures(options.json, report);
  return 0;
};
