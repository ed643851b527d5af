import { parse } from "yaml";
import { type DocumentModel, findShapeProblems, isDocumentModel } from "./document-model.ts";
import { fileNameOf, findRuleProblems, idOf } from "./model-rules.ts";
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
 * Reads a model from YAML (or JSON, which is YAML) and says all that is wrong with it, also with the name of its file and,
 * where `isTaken` is given, with an id that a model that ships has: a start looks at both as well. Pure and total.
 */
export const lintModel = (
  text: string,
  fileName?: string,
  isTaken?: (id: string) => boolean,
): LintedModel => {
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
    ...askName(idOf(value), fileName),
    ...askTaken(idOf(value), isTaken),
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
const askName = (id: string | undefined, fileName: string | undefined): readonly string[] =>
  fileName === undefined || id === undefined || fileName === fileNameOf(id)
    ? []
    : [`/id: the file is called ${fileName}, not ${fileNameOf(id)}, its id in lower case`];

/** Two descriptions of one card would name none. */
const askTaken = (
  id: string | undefined,
  isTaken: ((id: string) => boolean) | undefined,
): readonly string[] =>
  id !== undefined && isTaken?.(id) === true
    ? [`/id: a model that ships is called ${id}: give yours an id of its own`]
    : [];

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
