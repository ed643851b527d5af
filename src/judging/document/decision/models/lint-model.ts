import { parse } from "yaml";
import { mayDecline } from "../../values/provenance.ts";
import { type DocumentModel, findShapeProblems, isDocumentModel } from "./document-model.ts";
import { fileNameOf, findRuleProblems, idOf } from "./model-rules.ts";

/** The result of a check of a model's file. A file with `problems` is not used; `notes` are information. */
export type LintedModel = {
  readonly model?: DocumentModel;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
};

/** Greatest length of a file: the longest model of the catalogue has 7 kB. */
const textLengthMax = 100_000;

/**
 * Parses a model from YAML (or JSON, which is YAML) and returns all its problems. Checks the file's name too
 * and, where `isTaken` is given, that no shipped model has the id. The service makes the same checks at its
 * start. Pure and total.
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
    return { problems: [`/: is not YAML: ${problem}`], notes: [] };
  }
  if (!isEntries(value)) {
    return { problems: [`/: ${emptyProblem(value)}`], notes: [] };
  }
  const problems = [
    ...(isDocumentModel(value) ? [] : findShapeProblems(value)),
    ...findRuleProblems(value),
    ...findNameProblems(idOf(value), fileName),
    ...findTakenProblems(idOf(value), isTaken),
  ];
  return isDocumentModel(value) && problems.length === 0
    ? { model: value, problems, notes: notes.flatMap((note) => note(value)) }
    : { problems, notes: [] };
};

const isEntries = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const emptyProblem = (value: unknown): string => {
  const found = value === null || value === undefined ? "is empty" : "holds no entries such as `id: …`";
  return `${found}: docs/guides/extend/document-models.md has a whole model to begin with`;
};

/** A file is named by its id: the service reads no model under another name. */
const findNameProblems = (id: string | undefined, fileName: string | undefined): readonly string[] =>
  fileName === undefined || id === undefined || fileName === fileNameOf(id)
    ? []
    : [`/id: the file is called ${fileName}, not ${fileNameOf(id)}, its id in lower case`];

/** Two models of one card would make it ambiguous. */
const findTakenProblems = (
  id: string | undefined,
  isTaken: ((id: string) => boolean) | undefined,
): readonly string[] =>
  id !== undefined && isTaken?.(id) === true
    ? [`/id: a model that ships is called ${id}: give yours an id of its own`]
    : [];

/** Parses YAML without aliases: a few bytes of nested aliases expand to gigabytes. */
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
          `/checks/${i} (${check.of.join(", ")}): exact, but not confirmed enough for a decline: a difference goes to review`,
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
