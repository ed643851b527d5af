import { dirname } from "node:path";
import type { FieldsReport } from "#evaluation/documents/measure-fields";
import type { DocumentsReport } from "#evaluation/documents/measure-reading";
import { percent } from "#evaluation/report/percent";
import { parseOptions, UsageError } from "../command.ts";
import { checkFiguresFile, writeFigures } from "../kit/figures-file.ts";
import { measureList, type ReadDocumentsDeps, readDocumentsList } from "../kit/measuring/documents-list.ts";

export type MeasureDocumentsDeps = ReadDocumentsDeps & {
  /** Writes one line of the result. */
  readonly out: (line: string) => void;
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
