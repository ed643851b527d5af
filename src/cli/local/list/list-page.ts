/** What a list of answers shows: counts, error rates, and the images of each error. */
import type { LocalChecks } from "#app/local-checks";
import { type Rate, rateOf } from "#contract/statistics/rate";
import { paragraph, type Section, table, writePage } from "#evaluation/report/page";
import { verdictRate } from "#evaluation/report/percent";
import type { Check, Truth } from "../check.ts";
import { figures, type Shown, settingsSections, thumbnailOf } from "../page.ts";
import type { AnsweredRow, Row } from "./rows.ts";

type Answers = ReadonlyMap<number, AnsweredRow>;

/** Errors whose images a page shows; more would make a file that no browser opens. */
const shownMax = 100;
const longSideMax = 240;

const count = (words: readonly string[]): readonly (readonly [string, number])[] =>
  [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]);

/** A row of the truth with its answer. */
type Pair = { readonly row: Row; readonly answer: AnsweredRow };

const pairsOf = (rows: readonly Row[], answers: Answers): readonly Pair[] =>
  rows.flatMap((row) => {
    const answer = answers.get(row.line);
    return answer === undefined ? [] : [{ row, answer }];
  });

type Errors = { readonly name: string; readonly rate: Rate; readonly wrong: readonly Pair[] };

/** The errors of one kind, of the rows with that truth that were judged. */
const errorsOf = (pairs: readonly Pair[], truth: "positive" | "negative", name: string): Errors => {
  const judged = pairs.filter(
    ({ row, answer }) =>
      row.truth === truth && (answer.verdict === "positive" || answer.verdict === "negative"),
  );
  const wrong = judged.filter(({ answer }) => answer.verdict !== truth);
  return { name, rate: rateOf(wrong.length, judged.length), wrong };
};

const allErrors = (pairs: readonly Pair[], truth: Truth | undefined): readonly Errors[] =>
  truth === undefined || !pairs.some(({ row }) => row.truth !== undefined)
    ? []
    : [
        errorsOf(pairs, "negative", truth.wronglyPositive),
        errorsOf(pairs, "positive", truth.wronglyNegative),
      ];

const unjudgedRate = (pairs: readonly Pair[]): Rate =>
  rateOf(pairs.filter(({ answer }) => answer.verdict === "unjudged").length, pairs.length);

/** The summary, one text per line. */
export const describeList = ({ truth }: Check, rows: readonly Row[], answers: Answers): readonly string[] => {
  const pairs = pairsOf(rows, answers);
  const problems = pairs.filter(({ answer }) => answer.problem !== "");
  const asked = pairs.filter(({ answer }) => answer.problem === "");
  const errors = allErrors(asked, truth);
  const width = Math.max(18, ...errors.map(({ name }) => name.length)) + 2;
  const named = (name: string, value: string): string => `${name.padEnd(width)}${value}`;
  return [
    named("rows", `${rows.length}, of them ${problems.length} that could not be asked`),
    ...count(asked.map(({ answer }) => answer.result)).map(([word, n]) => named(`  ${word}`, `${n}`)),
    named("not judged", verdictRate(unjudgedRate(asked))),
    ...errors.map(({ name, rate }) => named(name, verdictRate(rate))),
    ...problems.map(({ answer }) => `line ${answer.line}: ${answer.problem}`),
  ];
};

export type ListPage = {
  readonly check: Check;
  readonly rows: readonly Row[];
  readonly answered: Answers;
  readonly settings: LocalChecks["settings"];
  /** Undefined for an image that cannot be read any more. */
  readonly readImage: (path: string) => Promise<Uint8Array | undefined>;
};

const showError = async ({ check, readImage }: ListPage, { row, answer }: Pair): Promise<string> => {
  const shown: Shown[] = [];
  for (const name of [...check.images, ...check.optionalImages]) {
    const path = row.cells[name] ?? "";
    if (path === "") continue;
    const bytes = await readImage(path);
    shown.push({ caption: `${name}: ${path}`, address: bytes && (await thumbnailOf(bytes, longSideMax)) });
  }
  const figuresText = check.columns.flatMap((name) => {
    const value = answer.cells[name] ?? "";
    return value === "" || name.startsWith("read_") ? [] : [`${name} ${value}`];
  });
  return [paragraph(`Line ${row.line}: ${[answer.result, ...figuresText].join(", ")}`), figures(shown)].join(
    "\n",
  );
};

const errorSection = async (page: ListPage, { name, rate, wrong }: Errors): Promise<Section> => {
  const parts: string[] = [paragraph(verdictRate(rate))];
  for (const pair of wrong.slice(0, shownMax)) parts.push(await showError(page, pair));
  if (wrong.length > shownMax) parts.push(paragraph(`The first ${shownMax} of ${wrong.length} are shown.`));
  return { heading: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, body: parts.join("\n") };
};

/** The page of a list. */
export const writeListPage = async (page: ListPage): Promise<string> => {
  const { check, rows, answered, settings } = page;
  const pairs = pairsOf(rows, answered);
  const asked = pairs.filter(({ answer }) => answer.problem === "");
  const problems = pairs.filter(({ answer }) => answer.problem !== "");
  const errors: Section[] = [];
  for (const one of allErrors(asked, check.truth)) errors.push(await errorSection(page, one));
  return writePage(
    `idem ${check.name}: ${rows.length} rows`,
    `idem ${settings.version}, ${new Date().toISOString()}`,
    [
      {
        heading: "Answers",
        body: [
          table(
            ["Result", "Rows"],
            [
              ...count(asked.map(({ answer }) => answer.result)).map(([word, n]) => [word, String(n)]),
              ["could not be asked", String(problems.length)],
            ],
          ),
          paragraph(
            `Not judged: ${verdictRate(unjudgedRate(asked))}. Bounds are exact (Clopper and Pearson). Rates of errors are of judged rows.`,
          ),
        ].join("\n"),
      },
      ...errors,
      ...(problems.length === 0
        ? []
        : [
            {
              heading: "Rows that could not be asked",
              body: table(
                ["Line", "Problem"],
                problems.map(({ answer }) => [String(answer.line), answer.problem]),
              ),
            },
          ]),
      ...settingsSections(settings),
    ],
  );
};
