import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { shapeFaults } from "#contract/shape-fault";
import { fieldNames } from "../field-name.ts";
import { sure } from "./sureness.ts";

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
    acceptedUntil: Type.Optional(day("Last day on which any of it is valid, whatever is printed.")),
    ...sure,
  },
  { ...closed, description: "When this generation was issued. Absent bounds are not known." },
);

const sides = Type.Object(
  {
    front: Type.Literal("required"),
    back: Type.Enum(["required", "none"], { description: "A booklet's data page has no back." }),
    ...sure,
  },
  closed,
);

const colour = Type.Object(
  {
    is: Type.Enum(["colour", "pale", "monochrome"], { description: "How much colour the genuine card has." }),
    ...sure,
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
          "Years from issue to expiry that occur: a longer time speaks against the card, a shorter one does not. Absent: not known.",
      }),
    ),
    noExpiry: Type.Boolean({ description: "Some of these cards have no expiry: its absence is no fault." }),
    ...sure,
  },
  closed,
);

const dates = Type.Object(
  {
    monthFirst: Type.Optional(Type.Boolean({ description: "Figures begin with the month: 12/31/1990." })),
    shortYears: Type.Optional(Type.Boolean({ description: "Years may have two figures: 31 DEC 90." })),
    ...sure,
  },
  {
    ...closed,
    description: "How printed dates deviate from the usual: the day first, and years of four figures.",
  },
);

const chip = Type.Object(
  {
    interface: Type.Enum(["none", "contact", "contactless", "both"], {
      description: "How the chip is reached.",
    }),
    key: Type.Optional(Type.Enum(["mrz", "can"], { description: "What opens it." })),
    ...sure,
  },
  closed,
);

const optionalParser = (which: string) =>
  Type.Enum(["empty", "number", "runDv", "restOfNumber", "unknown"], {
    description: `What the ${which} optional data hold. empty: nothing. number: the holder's number. runDv: Chile's RUN. restOfNumber: what its nine places leave of the number.`,
  });

const mrz = Type.Object(
  {
    side: Type.Enum(["front", "back", "either"], { description: "Where it stands." }),
    format: Type.Enum(["TD1", "TD2", "TD3"], { description: "ICAO Doc 9303-5, -6, -4." }),
    codes: Type.Array(Type.String({ pattern: "^[A-Z][A-Z0-9<]?$" }), {
      minItems: 1,
      maxItems: 8,
      description: "Document codes without their filler; one letter stands for every second one.",
    }),
    number: Type.Enum(["documentNumber", "serialNumber", "search"], {
      description:
        "What its document number is here. search: the layout is not established; what equals the printed number counts, else it is the card's own.",
    }),
    optional1: optionalParser("first"),
    optional2: optionalParser("second"),
    digits: Type.Enum(["reliable", "unreliable"], {
      description: "Whether wrong check digits speak of the card.",
    }),
    ...sure,
  },
  closed,
);

const barcode = Type.Object(
  {
    side: Type.Enum(["front", "back", "either"], { description: "Where it stands." }),
    symbology: Type.Enum(["PDF417", "QRCode", "Code39", "DataMatrix", "Code128"], {
      description: "The symbol.",
    }),
    layout: Type.Optional(text("Parser of its content, by name.")),
    trust: Type.Enum(["text", "binary", "fingerprint", "url", "opaque"], {
      description: "What it holds. Only text, binary and url are parsed, and no address is ever called.",
    }),
    ...sure,
  },
  closed,
);

const neighbours = Type.Object(
  {
    after: list(text("Words that stand above."), 6),
    before: list(text("Words that stand below."), 6),
    row: Type.Integer({ minimum: 0, maximum: 5, description: "Which line between them, from 0." }),
  },
  { ...closed, description: "Finds a value that has no label by what stands above and below it." },
);

const field = Type.Object(
  {
    name: Type.Enum([...fieldNames], { description: "What it is." }),
    side: Type.Enum(["front", "back"], { description: "Where it stands." }),
    labels: Type.Array(text("A spelling of the printed label."), { maxItems: 16 }),
    neighbours: Type.Optional(neighbours),
    format: text("name, text, date, sex, nationality, code, or a national number by name."),
    shape: Type.Optional(
      Type.String({
        maxLength: 80,
        description: "Of a code: the regular expression it fits, bare of blanks and hyphens.",
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
        description:
          "Words that it usually has: where the next row's value stands in its line, the rest is that.",
      }),
    ),
    printed: Type.Enum(["always", "sometimes"], {
      description: "Whether every card of the generation has it.",
    }),
    place: Type.Optional(
      place(
        "Shares x, y, width, height of the side, within 0 and 1. Breaks ties; without a label a code, or the sex as one letter, is taken there alone.",
      ),
    ),
    ...sure,
  },
  closed,
);

const check = Type.Object(
  {
    rule: Type.Enum(["same", "contains", "yearWithin"], {
      description:
        "same: all say one thing. contains: the digits of the second stand in the first. yearWithin: the year of the second stands in the first.",
    }),
    of: Type.Array(Type.String({ pattern: "^(front|back|mrz|barcode)\\.[a-zA-Z]+$" }), {
      minItems: 2,
      maxItems: 6,
      description: "Values by source and field.",
    }),
    strength: Type.Enum(["exact", "fuzzy", "warning"], {
      description: "exact: a difference is a signal of its own. fuzzy: a person looks. warning: noted alone.",
    }),
    ...sure,
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
      description: "How many of them tell it without a zone or a barcode.",
    }),
    shapes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            of: Type.Enum(["mrz.documentNumber", "barcode.documentNumber"], {
              description: "The value that is looked at.",
            }),
            pattern: Type.String({
              maxLength: 80,
              description: "Regular expression of this generation's values.",
            }),
            ...sure,
          },
          closed,
        ),
        { maxItems: 4 },
      ),
    ),
  },
  { ...closed, description: "How it is told from others." },
);

/** A kind of document in one generation, as data. Published as api/document-model.schema.json. */
export const documentModelSchema = Type.Object(
  {
    id: Type.String({
      pattern: "^[A-Z]{3,5}-[A-Z0-9]{2,8}(-[A-Z0-9]{1,8})?$",
      description: "Country, kind, generation.",
    }),
    title: text("What it is called where it is issued."),
    country: Type.String({
      pattern: "^([A-Z]{3}|\\*)$",
      description:
        "Issuer, alpha-3. *: every country; such a model reads, but is never answered as DOC_MODEL.",
    }),
    type: Type.Enum(["PASSPORT", "ID_CARD", "RESIDENCE_PERMIT", "DRIVING_LICENSE"], {
      description: "The kind.",
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
        description: "Which of its numbers is the holder's own, for life.",
      }),
    ),
    signature: Type.Optional(
      Type.Object(
        {
          side: Type.Enum(["front", "back"], { description: "Where it stands." }),
          place: Type.Optional(
            place(
              "Shares x, y, width, height of the side, within 0 and 1; without its label only where it is sure.",
            ),
          ),
          labels: Type.Array(text("A spelling of its label."), { maxItems: 8 }),
          ...sure,
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

const shape = Compile(documentModelSchema);

export const isDocumentModel = (value: unknown): value is DocumentModel => shape.Check(value);

/** What keeps a value from having a model's shape: each problem with its place. */
export const findShapeProblems = (value: unknown): readonly string[] =>
  shapeFaults(shape.Errors(value)).slice(0, 20);
