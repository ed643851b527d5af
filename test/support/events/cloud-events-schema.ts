import { Type } from "typebox";

const nullableText = (options: object = {}) =>
  Type.Union([Type.String({ minLength: 1, ...options }), Type.Null()]);

/** Types of the type system that JSON gives extension attributes: text, boolean, integer of 32 bits. */
const extension = Type.Union([
  Type.String(),
  Type.Boolean(),
  Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
  Type.Null(),
]);

const base64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";

/**
 * The rules of CloudEvents 1.0 for an event in JSON: its JSON schema, rule by rule, and those of its text for
 * names of attributes, extensions and the two members for data.
 */
export const cloudEventsSchema = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    source: Type.String({ minLength: 1, format: "uri-reference" }),
    specversion: Type.Literal("1.0"),
    type: Type.String({ minLength: 1 }),
    datacontenttype: Type.Optional(nullableText()),
    dataschema: Type.Optional(nullableText({ format: "uri" })),
    subject: Type.Optional(nullableText()),
    time: Type.Optional(nullableText({ format: "date-time" })),
    data: Type.Optional(Type.Unknown()),
    data_base64: Type.Optional(Type.Union([Type.String({ pattern: base64 }), Type.Null()])),
  },
  {
    propertyNames: { pattern: "^([a-z0-9]+|data_base64)$" },
    additionalProperties: extension,
    not: { required: ["data", "data_base64"] },
  },
);
