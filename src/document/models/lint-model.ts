import { parse } from "yaml";
import type { PayloadLayout } from "../barcode/payload.ts";
import { isNumberName } from "../numbers/number-rules.ts";
import { type DocumentModel, findShapeProblems, isDocumentModel } from "./document-model.ts";
import { mayDecline } from "./sureness.ts";

/** A model's file, looked through. `problems` keep it from being used; `notes` are worth knowing. */
export type LintedModel = {
  readonly model?: DocumentModel;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
};

/** Longest file that is read: the longest model of the catalogue has 7 kB. */
const textLengthMax = 100_000;

/** Reads a model from YAML (or JSON, which is YAML) and says what is wrong with it. Pure and total. */
export const lintModel = (text: string): LintedModel => {
  if (text.length > textLengthMax) {
    return { problems: [`/: is longer than ${textLengthMax} characters`], notes: [] };
  }
  const { value, problem } = readYaml(text);
  if (problem !== undefined) {
    return { problems: [`/: is no YAML: ${problem}`], notes: [] };
  }
  if (!isDocumentModel(value)) {
    return { problems: findShapeProblems(value), notes: [] };
  }
  const problems = rules.flatMap((rule) => rule(value));
  return problems.length > 0
    ? { problems, notes: [] }
    : { model: value, problems, notes: notes.flatMap((note) => note(value)) };
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

type Rule = (model: DocumentModel) => readonly string[];

/** Kinds of values that are no national number. */
const plainFormats = ["name", "text", "date", "sex", "nationality", "code"] as const;

const isPlainFormat = (format: string): boolean => plainFormats.some((plain) => plain === format);

const isPattern = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
};

/** Fields that a zone tells (ICAO Doc 9303-4 to -6), and those that a barcode's parser may tell. */
const zoneFields = [
  "documentNumber",
  "serialNumber",
  "personalNumber",
  "lastName",
  "firstName",
  "dateOfBirth",
  "sex",
  "nationality",
  "dateOfExpiry",
];

const askId: Rule = ({ id, country }) =>
  country === "*" || id.startsWith(`${country}-`) ? [] : [`/id: does not begin with ${country}-`];

const isBackwards = (early?: string, late?: string): boolean =>
  early !== undefined && late !== undefined && early > late;

const askIssued: Rule = ({ issued }) => {
  const { from, to, acceptedUntil } = issued ?? {};
  return isBackwards(from, to) || isBackwards(from, acceptedUntil) || isBackwards(to, acceptedUntil)
    ? ["/issued: its days are not in order"]
    : [];
};

const askFields: Rule = ({ fields, sides }) =>
  fields.flatMap((field, i) => {
    const { name, side, labels, neighbours, format, shape } = field;
    const isNumber = isNumberName(format);
    const complaints = [
      [side === "back" && sides.back === "none", "stands on a back that the document has not"],
      [!isNumber && !isPlainFormat(format), `has the unknown format ${format}`],
      [format === "code" && shape === undefined, "is a code without a shape"],
      [format !== "code" && shape !== undefined, "has a shape, which only a code has"],
      [shape !== undefined && !isPattern(shape), "has a shape that is no regular expression"],
      [
        labels.length === 0 && neighbours === undefined && !isNumber,
        "has neither label nor neighbours, and only a national number is found without",
      ],
      [
        neighbours !== undefined && labels.length > 0,
        "has both labels and neighbours: neighbours are for what has no label",
      ],
    ] as const;
    return complaints.flatMap(([holds, what]) => (holds ? [`/fields/${i} (${name}): ${what}`] : []));
  });

/** Two fields under one label would take the same value, but for those that say which line of it is theirs. */
const askLabels: Rule = ({ fields }) =>
  fields.flatMap((field, i) => {
    const twin = fields
      .slice(0, i)
      .find(
        (other) =>
          other.side === field.side &&
          (other.row ?? 0) === (field.row ?? 0) &&
          other.format === field.format &&
          other.labels.some((label) => field.labels.includes(label)),
      );
    return twin === undefined
      ? []
      : [`/fields/${i} (${field.name}): has a label of ${twin.name} and the same row`];
  });

/** Layouts that a parser exists for. */
const parsed = {
  aamva: true,
  "arg.dni.1": true,
  "arg.dni.2": true,
  "chl.qr": true,
  "col.cedula": true,
  "cri.cedula": true,
  "pan.qr": true,
  "per.code39": true,
} as const satisfies Record<PayloadLayout, true>;

const askBarcodes: Rule = ({ barcodes }) =>
  barcodes.flatMap(({ layout, trust }, i) => {
    if (layout === undefined) {
      return [];
    }
    return [
      ...(Object.hasOwn(parsed, layout) ? [] : [`/barcodes/${i}: no parser is called ${layout}`]),
      ...(trust === "fingerprint" || trust === "opaque" ? [`/barcodes/${i}: ${trust} is never parsed`] : []),
    ];
  });

const askChecks: Rule = (model) =>
  model.checks.flatMap(({ of: values, rule }, i) => [
    ...values.flatMap((value) => {
      const missing = missingSource(model, value);
      return missing === undefined ? [] : [`/checks/${i}: ${value} ${missing}`];
    }),
    ...(rule !== "same" && values.length !== 2 ? [`/checks/${i}: ${rule} compares two values`] : []),
  ]);

const missingSource = ({ fields, mrz, barcodes }: DocumentModel, value: string): string | undefined => {
  const [source = "", name = ""] = value.split(".");
  if (source === "mrz") {
    return mrz !== undefined && zoneFields.includes(name) ? undefined : "stands in no zone of this model";
  }
  if (source === "barcode") {
    return barcodes.some(({ layout }) => layout !== undefined)
      ? undefined
      : "stands in no barcode that is parsed";
  }
  return fields.some((field) => field.side === source && field.name === name)
    ? undefined
    : "is no field of this model";
};

const askSignature: Rule = ({ signature, sides }) => {
  if (signature === undefined) {
    return [];
  }
  const { side, place, labels } = signature;
  return [
    ...(side === "back" && sides.back === "none"
      ? ["/signature: stands on a back that the document has not"]
      : []),
    ...(place === undefined && labels.length === 0 ? ["/signature: has neither place nor label"] : []),
  ];
};

const askIdentify: Rule = ({ identify, mrz, barcodes }) => {
  const { words, wordsMin, shapes = [] } = identify;
  const hasOther = mrz !== undefined || barcodes.some(({ layout }) => layout !== undefined);
  return [
    ...(words.length > 0 && wordsMin > words.length ? ["/identify/wordsMin: more than there are words"] : []),
    ...(words.length === 0 && !hasOther ? ["/identify: nothing tells this document from others"] : []),
    ...shapes.flatMap(({ pattern }, i) =>
      isPattern(pattern) ? [] : [`/identify/shapes/${i}: is no regular expression`],
    ),
  ];
};

const askPersonNumber: Rule = ({ personNumber, fields, mrz }) =>
  personNumber === undefined ||
  fields.some(({ name }) => name === personNumber) ||
  mrz?.number === personNumber
    ? []
    : [`/personNumber: no field is called ${personNumber}`];

const rules: readonly Rule[] = [
  askId,
  askIssued,
  askFields,
  askLabels,
  askBarcodes,
  askChecks,
  askIdentify,
  askPersonNumber,
  askSignature,
];

const noteChecks: Rule = ({ checks }) =>
  checks.flatMap((check, i) =>
    check.strength === "exact" && !mayDecline(check)
      ? [
          `/checks/${i} (${check.of.join(", ")}): exact, but not sure enough to turn anybody away: a person looks`,
        ]
      : [],
  );

const noteUnsure: Rule = ({ fields }) => {
  const unsure = fields.filter((field) => field.sure === "?").map(({ name }) => name);
  return unsure.length === 0
    ? []
    : [`/fields: unconfirmed, so never missed: ${[...new Set(unsure)].join(", ")}`];
};

const notes: readonly Rule[] = [noteChecks, noteUnsure];
