/** The kinds of breaking changes, each with its meaning for a caller of the former release. */
export const breakKinds = {
  "operation-removed": "The operation is gone.",
  "operation-renamed": "Generated clients call it by its former name.",
  "security-changed": "Another kind of key is needed.",
  "answer-removed": "The status of an answer is gone.",
  "code-moved": "A failure code has another status.",
  "header-removed": "An answer no longer states the header.",
  "media-type-removed": "The body has another media type.",
  "response-field-removed": "The field is gone, or has another name.",
  "response-field-optional": "The field may now be absent.",
  "response-type-changed": "The value may have a type that it never had.",
  "response-widened": "The value may be outside its former bounds.",
  "value-removed": "A listed value is gone.",
  "request-field-ignored": "The request's field is no longer read.",
  "request-field-required": "A call without this field is now refused.",
  "request-narrowed": "A value that was accepted is now refused.",
} as const;

export type BreakKind = keyof typeof breakKinds;

/** One breaking change. */
export type Break = {
  readonly kind: BreakKind;
  /** Method and path. */
  readonly operation: string;
  /** Place in the operation, such as `request userIds` or `200 verification.code`. */
  readonly place: string;
  /** The former and the new state, in words. */
  readonly change: string;
};

/** A break inside one schema; the operation is added by its caller. */
export type SchemaBreak = Omit<Break, "operation">;

/** A field of a field. */
export const joined = (place: string, name: string): string =>
  place === "" || place.endsWith(" ") ? `${place}${name}` : `${place}.${name}`;
