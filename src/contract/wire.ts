import { type TSchemaOptions, Type } from "typebox";
import type { Base64Parts, Base64Text } from "./base64.ts";
import { exampleFile, exampleImage, exampleToken } from "./example.ts";
import { validationCode } from "./validation-code.ts";

/**
 * The kind of personal data in a field. The marks appear in the generated specification as `x-personal`, for
 * readers; no code acts on them.
 */
type PersonalKind = "face" | "document" | "identity" | "template" | "token" | "contact" | "signature";

const personal = (kind: PersonalKind) => ({ "x-personal": kind });

/** Schema of a text of at least one character without personal data. */
export const text = (description: string, options: TSchemaOptions = {}) =>
  Type.String({ description, minLength: 1, ...options });

/** Schema of a text with personal data. */
export const personalText = (kind: PersonalKind, description: string, options: TSchemaOptions = {}) =>
  Type.String({ description, ...personal(kind), ...options });

const exampleOfKind = (kind: PersonalKind): string =>
  kind === "template"
    ? exampleToken("template")
    : kind === "token"
      ? exampleToken("best-image")
      : exampleImage;

/**
 * Schema of a Base64 field. It sets no length or alphabet on purpose: a pattern over an image costs more than
 * decoding it, so `decodeBase64` checks both while it decodes. A long value arrives decoded (EncodedBytes).
 */
export const base64 = (kind: PersonalKind, description: string, options: TSchemaOptions = {}) =>
  Type.Unsafe<Base64Text>(
    Type.String({
      description,
      contentEncoding: "base64",
      examples: [exampleOfKind(kind)],
      ...personal(kind),
      ...options,
    }),
  );

/**
 * Schema of a file in Base64, such as a PDF. It has a bound of its own (`x-file`), other than images and
 * tokens.
 */
export const file = (kind: PersonalKind, description: string) =>
  base64(kind, description, { examples: [exampleFile], "x-file": true });

/** Schema of a file in an answer: as a text, or in parts that are written one after the other. */
export const writtenFile = (description: string) =>
  Type.Unsafe<string | Base64Parts>(
    Type.String({
      description,
      contentEncoding: "base64",
      examples: [exampleFile],
      ...personal("document"),
    }),
  );

/**
 * Bytes of a tracking token that a body leaves space for: readings and times of one capture, no image. A
 * longer token is accepted as long as the whole body is within its limit.
 */
const trackingBytes = 65_536;

/**
 * Schema of a tracking token: any text, since SDKs differ. It holds no image: `x-bytes` counts instead of the
 * limit of tokens. A long one arrives as EncodedBytes. `bytes`: what a body leaves space for.
 */
export const trackingToken = (description: string, bytes = trackingBytes) =>
  Type.Unsafe<Base64Text>(
    personalText("token", description, { examples: [exampleToken("tracking")], "x-bytes": bytes }),
  );

/**
 * Bytes that a body leaves for the id of an operation. A longer id is accepted as a longer tracking token is.
 */
const operationIdBytes = 1024;

/** Schema of an operation's id: any text. A long one arrives as EncodedBytes. */
export const operationIdText = (description: string) =>
  Type.Unsafe<Base64Text>(
    Type.String({
      description,
      "x-bytes": operationIdBytes,
      examples: ["0f8fad5b-d9cb-469f-a165-70867728950e"],
    }),
  );

/** The names of a table of numbers, for a schema that answers names. */
export const namesOf = <Name extends string>(table: Readonly<Record<Name, number>>): Name[] =>
  Object.keys(table).filter((name): name is Name => name in table);

/** Schema of a text with a fixed list of values. */
export const choice = <const Values extends string[]>(
  values: readonly [...Values],
  description: string,
  options: TSchemaOptions = {},
) => Type.Enum<Values>(values, { type: "string", description, examples: [values[0]], ...options });

/**
 * Schema of a number with a fixed list of values, whose names enter the description; `example` is one of
 * them.
 */
export const numberOf = <const Values extends number>(
  table: Readonly<Record<string, Values>>,
  description: string,
  example: NoInfer<Values>,
  options: TSchemaOptions = {},
) => {
  const values = Object.values(table);
  const names = Object.entries(table).map(([name, value]) => `${value} ${name}`);
  return Type.Enum<Values[]>(values, {
    type: "integer",
    description: `${description}: ${names.join(", ")}.`,
    examples: [example],
    ...options,
  });
};

/** Schema of a text or null. Without an example of its own it shows null. */
export const nullableText = (
  kind: PersonalKind | undefined,
  description: string,
  example: string | null = null,
  options: TSchemaOptions = {},
) =>
  Type.Union([Type.String(), Type.Null()], {
    description,
    ...(kind && personal(kind)),
    examples: [example],
    ...options,
  });

/** Schema of a country code: alpha-3, upper case. The route's own rule checks that the code exists. */
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
      trackingToken(
        "Token of the capture SDK with the tokenized tracking of this operation, platform included. Any text is accepted, also " +
          "of another SDK: it never stops a judgement. Alone it names an operation of its own; once that has ended, the call is answered and is no step of it. The operation keeps its first 64 KiB, sealed, and finishTracking finds " +
          "its operation by it.",
      ),
    ),
    operationId: Type.Optional(
      operationIdText(
        "Operation identifier made by the capture SDK: any text. A long one is kept as its hash.",
      ),
    ),
  },
  {
    "x-name": "Tracking",
    description:
      "Joins this call to the operation of the capture SDK: its first call opens the operation. The call is then a step of it, " +
      "with its events and images. Without `operationId` the operation is the one of this `extraData`. An operation that has " +
      "ended takes no further call that names it by `operationId` (409); a call that names it by `extraData` alone is answered, and " +
      "is no step of it.",
  },
);

/** Schema of a UTC time, `YYYY-MM-DDThh:mm:ss.SSSZ`. */
export const time = (description: string, options: TSchemaOptions = {}) =>
  Type.String({ description, format: "date-time", examples: ["2026-11-21T09:30:00.000Z"], ...options });

/** Schema of the time of an answer. */
export const responseTime = time("UTC time of the response.", { "x-name": "ResponseTime" });

/**
 * Schema of a similarity; 0 where no comparison was possible. The interface calls it a float, which clients
 * read into a type without null.
 */
export const similarity = Type.Number({
  "x-name": "Similarity",
  minimum: 0,
  maximum: 1,
  description:
    "Similarity of the two faces; 1.0 is 100 %. 0 where no comparison was possible: then the result number states the reason, " +
    "and fmrAtScore is null.",
  examples: [0.99214232],
});

/** Schema of the false match rate at a score; null where no comparison was possible. */
export const fmrAtScore = Type.Union([Type.Number({ minimum: 1e-6, maximum: 1 }), Type.Null()], {
  "x-name": "FalseMatchRate",
  description:
    "Additional field. False match rate (FMR) at this score, in the demographic group with the highest FMR; " +
    "0.000001 means at most. Null when no comparison was possible.",
  examples: [0.000001],
});
