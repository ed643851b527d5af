import { readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { DocumentsReport, MeasuredPicture } from "#document/measure";
import { parseOptions, UsageError } from "./command.ts";

/** An entry of the list. Pictures whose lines nobody transcribed are counted but not read. */
const Entry = Type.Object({
  path: Type.String({ minLength: 1 }),
  mrz_lines: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
});
const Index = Type.Array(Entry);

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

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

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
 * `idem measure documents`. Answers the exit code 0. Throws UsageError for wrong words; rejects when the list or one of
 * its pictures cannot be read from disk.
 */
export const measureDocuments = async (
  argv: readonly string[],
  deps: MeasureDocumentsDeps,
): Promise<number> => {
  const options = optionsOf(argv);
  const entries = Value.Parse(Index, JSON.parse(await readFile(options.index, "utf8")));
  const withTruth = entries.flatMap(({ path, mrz_lines: truth }) => (truth == null ? [] : [{ path, truth }]));
  const measured: MeasuredPicture[] = [];
  for (const [i, { path, truth }] of withTruth.entries()) {
    measured.push(await measurePicture(resolve(options.root, path), truth, deps));
    deps.progress(`${i + 1} of ${withTruth.length}`);
  }
  const report = deps.summarise(entries.length, measured);
  for (const line of describe(report)) deps.out(line);
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  return 0;
};
