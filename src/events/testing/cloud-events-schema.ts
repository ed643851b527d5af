import { Type } from "typebox";

const nullableText = (options: object = {}) =>
  Type.Union([Type.String({ minLength: 1, ...options }), Type.Null()]);

/**
 * The JSON schema of CloudEvents 1.0 (cloudevents.json of the specification), rule by rule, and its rule for names of
 * attributes: lower-case letters and digits.
 */
export const cloudEventsSchema = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    source: Type.String({ minLength: 1, format: "uri-reference" }),
    specversion: Type.String({ minLength: 1 }),
    type: Type.String({ minLength: 1 }),
    datacontenttype: Type.Optional(nullableText()),
    dataschema: Type.Optional(nullableText({ format: "uri" })),
    subject: Type.Optional(nullableText()),
    time: Type.Optional(nullableText({ format: "date-time" })),
    data: Type.Optional(Type.Unknown()),
    data_base64: Type.Optional(Type.Union([Type.String({ contentEncoding: "base64" }), Type.Null()])),
  },
  { propertyNames: { pattern: "^([a-z0-9]+|data_base64)$" } },
);
