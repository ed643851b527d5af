import { type TSchemaOptions, Type } from "typebox";
import { examplePicture, exampleToken } from "./example.ts";
import { validationCode } from "./validation-code.ts";

/**
 * What a field tells of a person. The marks stand in the generated specification as `x-personal`, for whoever reads
 * it; no code acts on them.
 */
type PersonalKind = "face" | "document" | "identity" | "template" | "token" | "contact" | "signature";

const personal = (kind: PersonalKind) => ({ "x-personal": kind });

/** Schema of a text of at least one character that holds nothing of a person. */
export const text = (description: string, options: TSchemaOptions = {}) =>
  Type.String({ description, minLength: 1, ...options });

/** Schema of a text that tells something of a person. */
export const personalText = (kind: PersonalKind, description: string, options: TSchemaOptions = {}) =>
  Type.String({ description, ...personal(kind), ...options });

const exampleOfKind = (kind: PersonalKind): string =>
  kind === "template"
    ? exampleToken("template")
    : kind === "token"
      ? exampleToken("best-image")
      : examplePicture;

/**
 * Schema of a Base64 field. It says nothing of length or alphabet on purpose: a pattern over a picture costs
 * more than decoding it, so `decodeBase64` checks both while it decodes.
 */
export const base64 = (kind: PersonalKind, description: string, options: TSchemaOptions = {}) =>
  Type.String({
    description,
    contentEncoding: "base64",
    examples: [exampleOfKind(kind)],
    ...personal(kind),
    ...options,
  });

/** Schema of a text with a fixed list of values. */
export const choice = <const Values extends string[]>(
  values: readonly [...Values],
  description: string,
  options: TSchemaOptions = {},
) => Type.Enum<Values>(values, { type: "string", description, examples: [values[0]], ...options });

/** Schema of a number with a fixed list of values, whose names go into the description; `example` is one of them. */
export const numberOf = <const Values extends number>(
  table: Readonly<Record<string, Values>>,
  description: string,
  example: NoInfer<Values>,
) => {
  const values = Object.values(table);
  const names = Object.entries(table).map(([name, value]) => `${value} ${name}`);
  return Type.Enum<Values[]>(values, {
    type: "integer",
    description: `${description}: ${names.join(", ")}.`,
    examples: [example],
  });
};

/** Schema of a text or null; without an example of its own it shows null. */
export const nullableText = (
  kind: PersonalKind | undefined,
  description: string,
  example: string | null = null,
) =>
  Type.Union([Type.String(), Type.Null()], {
    description,
    ...(kind && personal(kind)),
    examples: [example],
  });

/** Schema of a country code: alpha-3, upper case. Whether the code exists is the route's own rule. */
export const country = (description: string, options: TSchemaOptions = {}) =>
  Type.String({
    description,
    pattern: "^[A-Z]{3}$",
    examples: ["CHL"],
    "x-code": validationCode.documentCountryUnsupported.code,
    "x-shape": "an ISO 3166-1 alpha-3 code in upper case",
    ...options,
  });

/** Schema of the optional tracking object. */
export const tracking = Type.Object(
  {
    extraData: Type.Optional(
      base64(
        "token",
        "Token of the capture SDK with the tokenized tracking of this operation, platform included. This release " +
          "checks that it is Base64 and keeps nothing of it.",
        { examples: [exampleToken("tracking")] },
      ),
    ),
    operationId: Type.Optional(
      text("Operation identifier made by the capture SDK.", {
        maxLength: 128,
        examples: ["0f8fad5b-d9cb-469f-a165-70867728950e"],
      }),
    ),
  },
  {
    description:
      "Joins this call to the operation that the capture SDK opened. This release accepts and checks it, and keeps " +
      "nothing of it.",
  },
);

/** Schema of a UTC time, `YYYY-MM-DDThh:mm:ss.SSSZ`. */
export const time = (description: string) =>
  Type.String({ description, format: "date-time", examples: ["2026-11-21T09:30:00.000Z"] });

/** Schema of a similarity; null where nothing could be compared. */
export const similarity = Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
  description: "Similarity of the two faces; 1.0 is 100 %. Null when nothing could be compared.",
  examples: [0.99214232],
});

/** Schema of the error that a score stands for; null where nothing could be compared. */
export const fmrAtScore = Type.Union([Type.Number({ minimum: 1e-6, maximum: 1 }), Type.Null()], {
  description:
    "Additional field. Share of strangers who would reach this score, in the group of people that the recognisers tell " +
    "apart worst; 0.000001 means at most. Null when nothing could be compared.",
  examples: [0.000001],
});
