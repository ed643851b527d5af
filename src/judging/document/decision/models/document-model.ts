import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { shapeFaults } from "#contract/shape-fault";
import { fieldNames } from "../../values/field-name.ts";
import { provenance } from "../../values/provenance.ts";

const text = (description: string) => Type.String({ minLength: 1, maxLength: 120, description });
const day = (description: string) =>
  Type.String({ pattern: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$", description });
const share = Type.Number({ minimum: 0, maximum: 1 });
const length = Type.Number({ exclusiveMinimum: 0, maximum: 1 });
const place = (description: string) => Type.Tuple([share, share, length, length], { description });
const list = <Item extends ReturnType<typeof text>>(item: Item, maxItems: number) =>
  Type.Array(item, { minItems: 1, maxItems });

const closed = { additionalProperties: false } as const;

const issued = Type.Object(
  {
    from: Type.Optional(day("First day on which this generation was issued.")),
    to: Type.Optional(day("Last day on which it was issued.")),
    acceptedUntil: Type.Optional(
      day("Last day on which any of these cards is valid, whatever date is printed."),
    ),
    ...provenance,
  },
  { ...closed, description: "When this generation was issued. Absent bounds are unknown." },
);

const sides = Type.Object(
  {
    front: Type.Literal("required"),
    back: Type.Enum(["required", "none"], { description: "A booklet's data page has no back." }),
    ...provenance,
  },
  closed,
);

const colour = Type.Object(
  {
    is: Type.Enum(["colour", "pale", "monochrome"], { description: "How much colour the genuine card has." }),
    ...provenance,
  },
  closed,
);

const validity = Type.Object(
  {
    years: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 80 }), {
        minItems: 1,
        maxItems: 6,
        description:
          "Years from issue to expiry that occur: a longer time is evidence against the card, a shorter one is not. Absent: unknown.",
      }),
    ),
    noExpiry: Type.Boolean({ description: "Some of these cards have no expiry: its absence is no fault." }),
    ...provenance,
  },
  closed,
);

const dates = Type.Object(
  {
    monthFirst: Type.Optional(
      Type.Boolean({ description: "Numeric dates begin with the month: 12/31/1990." }),
    ),
    shortYears: Type.Optional(Type.Boolean({ description: "Years may have two digits: 31 DEC 90." })),
    ...provenance,
  },
  {
    ...closed,
    description: "How printed dates deviate from the default: the day first, and years of four digits.",
  },
);

const chip = Type.Object(
  {
    interface: Type.Enum(["none", "contact", "contactless", "both"], {
      description: "How the chip is reached.",
    }),
    key: Type.Optional(Type.Enum(["mrz", "can"], { description: "What opens it." })),
    ...provenance,
  },
  closed,
);

const optionalParser = (which: string) =>
  Type.Enum(["empty", "number", "runDv", "restOfNumber", "unknown"], {
    description: `Content of the ${which} optional data. empty: nothing. number: the holder's number. runDv: Chile's RUN. restOfNumber: the characters of the number beyond its nine places.`,
  });

const mrz = Type.Object(
  {
    side: Type.Enum(["front", "back", "either"], { description: "Its side." }),
    format: Type.Enum(["TD1", "TD2", "TD3"], { description: "ICAO Doc 9303-5, -6, -4." }),
    codes: Type.Array(Type.String({ pattern: "^[A-Z][A-Z0-9<]?$" }), {
      minItems: 1,
      maxItems: 8,
      description: "Document codes without their filler; a single letter matches every second letter.",
    }),
    number: Type.Enum(["documentNumber", "serialNumber", "search"], {
      description:
        "Meaning of its document number. search: the layout is unknown; a number that equals the printed one counts, else it is the card's own.",
    }),
    optional1: optionalParser("first"),
    optional2: optionalParser("second"),
    digits: Type.Enum(["reliable", "unreliable"], {
      description: "Whether wrong check digits are evidence against the card. Right ones always count.",
    }),
    ...provenance,
  },
  closed,
);

const barcode = Type.Object(
  {
    side: Type.Enum(["front", "back", "either"], { description: "Its side." }),
    symbology: Type.Enum(["PDF417", "QRCode", "Code39", "DataMatrix", "Code128"], {
      description: "The kind of barcode.",
    }),
    layout: Type.Optional(text("Parser of its content, by name.")),
    trust: Type.Enum(["text", "binary", "fingerprint", "url", "opaque"], {
      description: "Its content. Only text, binary and url are parsed, and no address is ever called.",
    }),
    ...provenance,
  },
  closed,
);

const neighbours = Type.Object(
  {
    after: list(text("Words above the value."), 6),
    before: list(text("Words below the value."), 6),
    row: Type.Integer({ minimum: 0, maximum: 5, description: "Which line between them, from 0." }),
  },
  { ...closed, description: "Finds a value without a label by the words above and below it." },
);

const field = Type.Object(
  {
    name: Type.Enum([...fieldNames], { description: "The field." }),
    side: Type.Enum(["front", "back"], { description: "Its side." }),
    labels: Type.Array(text("A spelling of the printed label."), { maxItems: 16 }),
    neighbours: Type.Optional(neighbours),
    format: text("name, text, date, sex, nationality, code, or a national number by name."),
    shape: Type.Optional(
      Type.String({
        maxLength: 80,
        description: "For a code: the regular expression that it matches, without blanks and hyphens.",
      }),
    ),
    lines: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 4, description: "Lines it may take. Absent: one." }),
    ),
    row: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3,
        description: "Which line of a shared label's value, from 0. Absent: 0.",
      }),
    ),
    words: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 4,
        description: "Usual number of words: where the next row's value is in the same line, it is the rest.",
      }),
    ),
    printed: Type.Enum(["always", "sometimes"], {
      description: "Whether every card of the generation has it.",
    }),
    place: Type.Optional(
      place(
        "Shares x, y, width, height of the side, within 0 and 1. Breaks ties. Without a label, a code or the sex as one letter is taken only there.",
      ),
    ),
    ...provenance,
  },
  closed,
);

const check = Type.Object(
  {
    rule: Type.Enum(["same", "contains", "yearWithin"], {
      description:
        "same: all values are equal. contains: the first contains the digits of the second. yearWithin: the first contains the year of the second.",
    }),
    of: Type.Array(Type.String({ pattern: "^(front|back|mrz|barcode)\\.[a-zA-Z]+$" }), {
      minItems: 2,
      maxItems: 6,
      description: "Values by source and field.",
    }),
    strength: Type.Enum(["exact", "fuzzy", "warning"], {
      description:
        "exact: a difference is a sign of fraud. fuzzy: it goes to review. warning: it is only noted.",
    }),
    ...provenance,
  },
  closed,
);

const identify = Type.Object(
  {
    words: Type.Array(list(text("A spelling."), 6), {
      maxItems: 8,
      description:
        "Printed headings; each entry is one heading in its spellings. The first names the country.",
    }),
    wordsMin: Type.Integer({
      minimum: 1,
      maximum: 8,
      description: "How many of them identify it without an MRZ or a barcode.",
    }),
    shapes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            of: Type.Enum(["mrz.documentNumber", "barcode.documentNumber"], {
              description: "The value that is compared.",
            }),
            pattern: Type.String({
              maxLength: 80,
              description: "Regular expression of this generation's values.",
            }),
            ...provenance,
          },
          closed,
        ),
        { maxItems: 4 },
      ),
    ),
  },
  { ...closed, description: "How it is distinguished from other documents." },
);

/** A kind of document in one generation, as data. Published as api/document-model.schema.json. */
export const documentModelSchema = Type.Object(
  {
    id: Type.String({
      pattern: "^[A-Z]{3,5}-[A-Z0-9]{2,8}(-[A-Z0-9]{1,8})?$",
      description: "Country, type, generation.",
    }),
    title: text("Its name in the issuing country."),
    country: Type.String({
      pattern: "^([A-Z]{3}|\\*)$",
      description:
        "Issuer, alpha-3. *: every country; such a model is used for reading, but never returned as DOC_MODEL.",
    }),
    type: Type.Enum(["PASSPORT", "ID_CARD", "RESIDENCE_PERMIT", "DRIVING_LICENSE"], {
      description: "The document type.",
    }),
    size: Type.Enum(["ID-1", "ID-2", "ID-3"], { description: "ISO/IEC 7810." }),
    issued: Type.Optional(issued),
    sides,
    colour: Type.Optional(colour),
    validity: Type.Optional(validity),
    chip: Type.Optional(chip),
    dates: Type.Optional(dates),
    mrz: Type.Optional(mrz),
    barcodes: Type.Array(barcode, { maxItems: 6 }),
    fields: Type.Array(field, { maxItems: 40 }),
    personNumber: Type.Optional(
      Type.Enum(["documentNumber", "personalNumber"], {
        description: "The number that is the holder's own for life.",
      }),
    ),
    signature: Type.Optional(
      Type.Object(
        {
          side: Type.Enum(["front", "back"], { description: "Its side." }),
          place: Type.Optional(
            place(
              "Shares x, y, width, height of the side, within 0 and 1. Without its label it counts only where it is confirmed.",
            ),
          ),
          labels: Type.Array(text("A spelling of its label."), { maxItems: 8 }),
          ...provenance,
        },
        closed,
      ),
    ),
    checks: Type.Array(check, { maxItems: 24 }),
    identify,
  },
  { $id: "urn:idem:document-model:1", title: "Model of a document", ...closed },
);

export type DocumentModel = Static<typeof documentModelSchema>;
export type ModelField = DocumentModel["fields"][number];
export type ModelCheck = DocumentModel["checks"][number];

const shape = makeCheck(documentModelSchema);

export const isDocumentModel = (value: unknown): value is DocumentModel => shape.Check(value);

/** Problems of a value against the shape of a model: each with its place. */
export const findShapeProblems = (value: unknown): readonly string[] =>
  shapeFaults(shape.Errors(value)).slice(0, 20);
