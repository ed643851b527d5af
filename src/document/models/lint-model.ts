import { parse } from "yaml";
import { type DocumentModel, findShapeProblems, isDocumentModel } from "./document-model.ts";
import { fileNameOf, findRuleProblems } from "./model-rules.ts";
import { mayDecline } from "./sureness.ts";

/** A model's file, looked through. `problems` keep it from being used; `notes` are worth knowing. */
export type LintedModel = {
  readonly model?: DocumentModel;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
};

/** Longest file that is read: the longest model of the catalogue has 7 kB. */
const textLengthMax = 100_000;

/**
 * Reads a model from YAML (or JSON, which is YAML) and says all that is wrong with it, also with the name of its file, which
 * a start looks at as well. Pure and total.
 */
export const lintModel = (text: string, fileName?: string): LintedModel => {
  if (text.length > textLengthMax) {
    return { problems: [`/: is longer than ${textLengthMax} characters`], notes: [] };
  }
  const { value, problem } = readYaml(text);
  if (problem !== undefined) {
    return { problems: [`/: is no YAML: ${problem}`], notes: [] };
  }
  if (!isEntries(value)) {
    return { problems: [`/: ${nothingOf(value)}`], notes: [] };
  }
  const problems = [
    ...(isDocumentModel(value) ? [] : findShapeProblems(value)),
    ...findRuleProblems(value),
    ...askFileName(value, fileName),
  ];
  return isDocumentModel(value) && problems.length === 0
    ? { model: value, problems, notes: notes.flatMap((note) => note(value)) }
    : { problems, notes: [] };
};

const isEntries = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const nothingOf = (value: unknown): string => {
  const found = value === null || value === undefined ? "is empty" : "holds no entries such as `id: …`";
  return `${found}: docs/guides/document-models.md has a whole model to begin with`;
};

/** A file is found by its id: the start reads no model under another name. */
const askFileName = (value: unknown, fileName: string | undefined): readonly string[] => {
  const wanted = fileNameOf(value);
  return fileName === undefined || wanted === undefined || fileName === wanted
    ? []
    : [`/id: the file is called ${fileName}, not ${wanted}, its id in lower case`];
};

/** Aliases are refused: a few bytes of them can name each other into gigabytes. */
const readYaml = (text: string): { readonly value?: unknown; readonly problem?: string } => {
  try {
    const value: unknown = parse(text, { maxAliasCount: 0, logLevel: "error" });
    return { value };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
};

type Note = (model: DocumentModel) => readonly string[];

const noteChecks: Note = ({ checks }) =>
  checks.flatMap((check, i) =>
    check.strength === "exact" && !mayDecline(check)
      ? [
          `/checks/${i} (${check.of.join(", ")}): exact, but not sure enough to turn anybody away: a person looks`,
        ]
      : [],
  );

const noteUnsure: Note = ({ fields }) => {
  const unsure = fields.filter((field) => field.sure === "?").map(({ name }) => name);
  return unsure.length === 0
    ? []
    : [`/fields: unconfirmed, so never missed: ${[...new Set(unsure)].join(", ")}`];
};

const notes: readonly Note[] = [noteChecks, noteUnsure];
