import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { PayloadLayout } from "../barcode/payload.ts";
import { isCalendarDate } from "../dates.ts";
import { isNumberName, numberRules } from "../numbers/number-rules.ts";
import { type DocumentModel, documentModelSchema, type ModelField } from "./document-model.ts";

/** What a shape cannot say of some parts of a model: each problem with its place. */
type Ask<Key extends keyof DocumentModel> = (parts: Pick<DocumentModel, Key>) => readonly string[];

/** Asks as soon as the parts that the question needs have their shape, so that a fault elsewhere hides nothing. */
const ruleOn = <Key extends keyof DocumentModel>(keys: readonly Key[], ask: Ask<Key>) => {
  const shape = Compile(Type.Pick(documentModelSchema, [...keys]));
  const hasParts = (value: unknown): value is Pick<DocumentModel, Key> => shape.Check(value);
  return (value: unknown): readonly string[] => (hasParts(value) ? ask(value) : []);
};

/** Kinds of values that are no national number. */
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

const askId: Ask<"id" | "country"> = ({ id, country }) =>
  country === "*" || id.startsWith(`${country}-`) ? [] : [`/id: does not begin with ${country}-`];

const isBackwards = (early?: string, late?: string): boolean =>
  early !== undefined && late !== undefined && early > late;

const askIssued: Ask<"issued"> = ({ issued: { from, to, acceptedUntil } = {} }) => [
  ...Object.entries({ from, to, acceptedUntil }).flatMap(([name, day]) =>
    day === undefined || isCalendarDate(day) ? [] : [`/issued/${name}: ${day} is no day of the calendar`],
  ),
  ...(isBackwards(from, to) || isBackwards(from, acceptedUntil) || isBackwards(to, acceptedUntil)
    ? ["/issued: its days are not in order"]
    : []),
];

type Place = NonNullable<ModelField["place"]>;

/** Shares that were written in decimals add up to a little more than 1. */
const roundingMax = 1e-9;

const isBeyond = ([x, y, width, height]: Place): boolean => Math.max(x + width, y + height) > 1 + roundingMax;

const beyond = "its place reaches beyond the side: x + width and y + height are at most 1";

const askField = (field: ModelField, i: number): readonly string[] => {
  const { name, labels, neighbours, format, shape, place } = field;
  const isNumber = isNumberName(format);
  const complaints = [
    [!isNumber && !isPlainFormat(format), `has the unknown format ${format}; there are ${formats}`],
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
    [place !== undefined && isBeyond(place), beyond],
  ] as const;
  return complaints.flatMap(([holds, what]) => (holds ? [`/fields/${i} (${name}): ${what}`] : []));
};

const fieldShape = Compile(documentModelSchema.properties.fields.items);
const listShape = Compile(Type.Object({ fields: Type.Array(Type.Unknown()) }));

/** One by one, so that a fault in the shape of one hides no fault of another. */
const askFields = (value: unknown): readonly string[] =>
  listShape.Check(value)
    ? value.fields.flatMap((field, i) => (fieldShape.Check(field) ? askField(field, i) : []))
    : [];

const askSides: Ask<"fields" | "sides"> = ({ fields, sides }) =>
  fields.flatMap(({ name, side }, i) =>
    side === "back" && sides.back === "none"
      ? [`/fields/${i} (${name}): stands on a back that the document has not`]
      : [],
  );

/** Two fields under one label would take the same value, but for those that say which line of it is theirs. */
const askLabels: Ask<"fields"> = ({ fields }) =>
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

const askBarcodes: Ask<"barcodes"> = ({ barcodes }) =>
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

const askChecks: Ask<"checks" | "fields" | "mrz" | "barcodes"> = (model) =>
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

const askSignature: Ask<"signature" | "sides"> = ({ signature, sides }) => {
  if (signature === undefined) {
    return [];
  }
  const { side, place, labels } = signature;
  return [
    ...(side === "back" && sides.back === "none"
      ? ["/signature: stands on a back that the document has not"]
      : []),
    ...(place === undefined && labels.length === 0 ? ["/signature: has neither place nor label"] : []),
    ...(place !== undefined && isBeyond(place) ? [`/signature: ${beyond}`] : []),
  ];
};

const askIdentify: Ask<"identify" | "mrz" | "barcodes"> = ({ identify, mrz, barcodes }) => {
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

const askPersonNumber: Ask<"personNumber" | "fields" | "mrz"> = ({ personNumber, fields, mrz }) =>
  personNumber === undefined ||
  fields.some(({ name }) => name === personNumber) ||
  mrz?.number === personNumber
    ? []
    : [`/personNumber: no field is called ${personNumber}`];

const rules = [
  ruleOn(["id", "country"], askId),
  ruleOn(["issued"], askIssued),
  askFields,
  ruleOn(["fields", "sides"], askSides),
  ruleOn(["fields"], askLabels),
  ruleOn(["barcodes"], askBarcodes),
  ruleOn(["checks", "fields", "mrz", "barcodes"], askChecks),
  ruleOn(["identify", "mrz", "barcodes"], askIdentify),
  ruleOn(["personNumber", "fields", "mrz"], askPersonNumber),
  ruleOn(["signature", "sides"], askSignature),
];

/** What is wrong with a model beyond its shape; of a value that has not the shape, what its sound parts tell. */
export const findRuleProblems = (value: unknown): readonly string[] => rules.flatMap((ask) => ask(value));

const named = ruleOn(["id"], ({ id }) => [id]);

/** The id of a model; undefined where it has none, or one of another shape. */
export const idOf = (value: unknown): string | undefined => named(value)[0];

/** The name that the file of a model must have. */
export const fileNameOf = (id: string): string => `${id.toLowerCase()}.yaml`;
