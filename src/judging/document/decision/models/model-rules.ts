import { Type } from "typebox";
import { isCalendarDate } from "#contract/calendar-date";
import { makeCheck } from "#contract/make-check";
import type { PayloadLayout } from "../../reading/barcode/payload.ts";
import { isNumberName, numberRules } from "../../values/numbers/number-rules.ts";
import { type DocumentModel, documentModelSchema, type ModelField } from "./document-model.ts";

/** A rule on some parts of a model that a shape cannot express: each problem with its place. */
type ModelRule<Key extends keyof DocumentModel> = (parts: Pick<DocumentModel, Key>) => readonly string[];

/**
 * Runs a rule where the parts that it needs have their shape: a fault in another part must not hide problems.
 */
const ruleOn = <Key extends keyof DocumentModel>(keys: readonly Key[], rule: ModelRule<Key>) => {
  const shape = makeCheck(Type.Pick(documentModelSchema, [...keys]));
  const hasParts = (value: unknown): value is Pick<DocumentModel, Key> => shape.Check(value);
  return (value: unknown): readonly string[] => (hasParts(value) ? rule(value) : []);
};

/** Formats of values other than national numbers. */
const plainFormats = ["name", "text", "date", "sex", "nationality", "code"] as const;

const formats = [...plainFormats, ...Object.keys(numberRules)].join(", ");

const isPlainFormat = (format: string): boolean => plainFormats.some((plain) => plain === format);

const isPattern = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
};

/** Fields that an MRZ may have (ICAO Doc 9303-4 to -6). */
const mrzFields = [
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

const idRule: ModelRule<"id" | "country"> = ({ id, country }) =>
  country === "*" || id.startsWith(`${country}-`) ? [] : [`/id: does not begin with ${country}-`];

const isBackwards = (early?: string, late?: string): boolean =>
  early !== undefined && late !== undefined && early > late;

const issuedRule: ModelRule<"issued"> = ({ issued: { from, to, acceptedUntil } = {} }) => [
  ...Object.entries({ from, to, acceptedUntil }).flatMap(([name, day]) =>
    day === undefined || isCalendarDate(day) ? [] : [`/issued/${name}: ${day} is not a calendar date`],
  ),
  ...(isBackwards(from, to) || isBackwards(from, acceptedUntil) || isBackwards(to, acceptedUntil)
    ? ["/issued: its days are not in order"]
    : []),
];

type Place = NonNullable<ModelField["place"]>;

/** Tolerance for decimal shares, whose sum may exceed 1 by rounding. */
const roundingMax = 1e-9;

const isBeyond = ([x, y, width, height]: Place): boolean => Math.max(x + width, y + height) > 1 + roundingMax;

const beyond = "its place reaches beyond the side: x + width and y + height are at most 1";

const fieldProblems = (field: ModelField, i: number): readonly string[] => {
  const { name, labels, neighbours, format, shape, place } = field;
  const isNumber = isNumberName(format);
  const problems = [
    [!isNumber && !isPlainFormat(format), `has the unknown format ${format}; there are ${formats}`],
    [format === "code" && shape === undefined, "is a code without a shape"],
    [format !== "code" && shape !== undefined, "has a shape, which only a code has"],
    [shape !== undefined && !isPattern(shape), "has a shape that is not a regular expression"],
    [
      labels.length === 0 && neighbours === undefined && !isNumber,
      "has neither label nor neighbours, and only a national number is found without",
    ],
    [
      neighbours !== undefined && labels.length > 0,
      "has both labels and neighbours: neighbours are for what has no label",
    ],
    [place !== undefined && isBeyond(place), beyond],
  ] as const;
  return problems.flatMap(([holds, what]) => (holds ? [`/fields/${i} (${name}): ${what}`] : []));
};

const fieldShape = makeCheck(documentModelSchema.properties.fields.items);
const listShape = makeCheck(Type.Object({ fields: Type.Array(Type.Unknown()) }));

/** Checks each field alone: a fault in the shape of one must not hide the faults of another. */
const fieldsRule = (value: unknown): readonly string[] =>
  listShape.Check(value)
    ? value.fields.flatMap((field, i) => (fieldShape.Check(field) ? fieldProblems(field, i) : []))
    : [];

const sidesRule: ModelRule<"fields" | "sides"> = ({ fields, sides }) =>
  fields.flatMap(({ name, side }, i) =>
    side === "back" && sides.back === "none"
      ? [`/fields/${i} (${name}): is on a back that the document does not have`]
      : [],
  );

/** Two fields under one label would read the same value, unless each states its row. */
const labelsRule: ModelRule<"fields"> = ({ fields }) =>
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

/** Layouts with a parser. */
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

const barcodesRule: ModelRule<"barcodes"> = ({ barcodes }) =>
  barcodes.flatMap(({ layout, trust }, i) => {
    if (layout === undefined) {
      return [];
    }
    return [
      ...(Object.hasOwn(parsed, layout)
        ? []
        : [`/barcodes/${i}: no parser is called ${layout}; there are ${Object.keys(parsed).join(", ")}`]),
      ...(trust === "fingerprint" || trust === "opaque" ? [`/barcodes/${i}: ${trust} is never parsed`] : []),
    ];
  });

const checksRule: ModelRule<"checks" | "fields" | "mrz" | "barcodes"> = (model) =>
  model.checks.flatMap(({ of: values, rule }, i) => [
    ...values.flatMap((value) => {
      const missing = missingSource(model, value);
      return missing === undefined ? [] : [`/checks/${i}: ${value} ${missing}`];
    }),
    ...(rule !== "same" && values.length !== 2 ? [`/checks/${i}: ${rule} compares two values`] : []),
  ]);

const missingSource = (
  { fields, mrz, barcodes }: Pick<DocumentModel, "fields" | "mrz" | "barcodes">,
  value: string,
): string | undefined => {
  const [source = "", name = ""] = value.split(".");
  if (source === "mrz") {
    return mrz !== undefined && mrzFields.includes(name) ? undefined : "is in no MRZ of this model";
  }
  if (source === "barcode") {
    return barcodes.some(({ layout }) => layout !== undefined) ? undefined : "is in no parsed barcode";
  }
  return fields.some((field) => field.side === source && field.name === name)
    ? undefined
    : "is not a field of this model";
};

const signatureRule: ModelRule<"signature" | "sides"> = ({ signature, sides }) => {
  if (signature === undefined) {
    return [];
  }
  const { side, place, labels } = signature;
  return [
    ...(side === "back" && sides.back === "none"
      ? ["/signature: is on a back that the document does not have"]
      : []),
    ...(place === undefined && labels.length === 0 ? ["/signature: has neither place nor label"] : []),
    ...(place !== undefined && isBeyond(place) ? [`/signature: ${beyond}`] : []),
  ];
};

const identifyRule: ModelRule<"identify" | "mrz" | "barcodes"> = ({ identify, mrz, barcodes }) => {
  const { words, wordsMin, shapes = [] } = identify;
  const hasOther = mrz !== undefined || barcodes.some(({ layout }) => layout !== undefined);
  return [
    ...(words.length > 0 && wordsMin > words.length ? ["/identify/wordsMin: more than there are words"] : []),
    ...(words.length === 0 && !hasOther
      ? ["/identify: nothing distinguishes this document from others"]
      : []),
    ...shapes.flatMap(({ pattern }, i) =>
      isPattern(pattern) ? [] : [`/identify/shapes/${i}: is not a regular expression`],
    ),
  ];
};

const personNumberRule: ModelRule<"personNumber" | "fields" | "mrz"> = ({ personNumber, fields, mrz }) =>
  personNumber === undefined ||
  fields.some(({ name }) => name === personNumber) ||
  mrz?.number === personNumber
    ? []
    : [`/personNumber: no field is called ${personNumber}`];

const rules = [
  ruleOn(["id", "country"], idRule),
  ruleOn(["issued"], issuedRule),
  fieldsRule,
  ruleOn(["fields", "sides"], sidesRule),
  ruleOn(["fields"], labelsRule),
  ruleOn(["barcodes"], barcodesRule),
  ruleOn(["checks", "fields", "mrz", "barcodes"], checksRule),
  ruleOn(["identify", "mrz", "barcodes"], identifyRule),
  ruleOn(["personNumber", "fields", "mrz"], personNumberRule),
  ruleOn(["signature", "sides"], signatureRule),
];

/** Problems of a model beyond its shape. Without the shape, the problems of the parts that have theirs. */
export const findRuleProblems = (value: unknown): readonly string[] => rules.flatMap((rule) => rule(value));

const readId = ruleOn(["id"], ({ id }) => [id]);

/** The id of a model; undefined where it has none, or one of another shape. */
export const idOf = (value: unknown): string | undefined => readId(value)[0];

/** The name that the file of a model must have. */
export const fileNameOf = (id: string): string => `${id.toLowerCase()}.yaml`;
