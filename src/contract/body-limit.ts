import type { Route } from "./endpoint.ts";

/** What the largest body of a route holds. */
export type BodyNeed = {
  /** Images, tokens and templates: fields in Base64 that the deployment's limit bounds. */
  readonly encodedFields: number;
  /** Files in Base64, such as a PDF, which a limit of their own bounds. */
  readonly files: number;
  /** Bytes of everything else; Infinity where the schema states no bound. */
  readonly otherBytes: number;
};

type Keywords = { readonly [keyword: string]: unknown };

const isObject = (value: unknown): value is Keywords =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** For white space, unknown fields and the braces. */
const spareBytes = 8192;

/** Longest JSON form of a number that clients write. */
const numberBytes = 32;

/** Bytes of a character: the escape `\uXXXX`. No character takes more in UTF-8. */
const characterBytes = 6;

/** Longest `data:` prefix, and the quotes. */
const prefixBytes = 130;

/**
 * Base64 takes four bytes for three (RFC 4648, 4). An eighth more, three bytes for two in all, holds line
 * breaks (two escapes for 76 characters, RFC 2045, 6.8), or `\/` and `\u002b` in place of `/` and `+`.
 */
const encodedBytes = (bytes: number): number => Math.ceil((bytes * 3) / 2) + prefixBytes;

const nothing: BodyNeed = { encodedFields: 0, files: 0, otherBytes: 0 };

const bytesOf = (otherBytes: number): BodyNeed => ({ encodedFields: 0, files: 0, otherBytes });

const plus = (one: BodyNeed, other: BodyNeed): BodyNeed => ({
  encodedFields: one.encodedFields + other.encodedFields,
  files: one.files + other.files,
  otherBytes: one.otherBytes + other.otherBytes,
});

const largest = (needs: readonly BodyNeed[]): BodyNeed => ({
  encodedFields: Math.max(0, ...needs.map(({ encodedFields }) => encodedFields)),
  files: Math.max(0, ...needs.map(({ files }) => files)),
  otherBytes: Math.max(0, ...needs.map(({ otherBytes }) => otherBytes)),
});

/** The length in a pattern such as `^[A-Z]{3}$`; any other pattern bounds nothing. */
const lengthInPattern = (pattern: unknown): number =>
  Number(/^\^\[[^\]]+\]\{(\d+)\}\$$/.exec(String(pattern))?.[1] ?? Number.POSITIVE_INFINITY);

const needOfText = ({ contentEncoding, maxLength, pattern, ...others }: Keywords): BodyNeed => {
  const { "x-bytes": bytes, "x-file": isFile } = others;
  if (typeof bytes === "number") return bytesOf(encodedBytes(bytes));
  if (isFile === true) return { encodedFields: 0, files: 1, otherBytes: 2 };
  if (contentEncoding === "base64") return { encodedFields: 1, files: 0, otherBytes: 2 };
  const characters = typeof maxLength === "number" ? maxLength : lengthInPattern(pattern);
  return bytesOf(characters * characterBytes + 2);
};

const needOfList = ({ items, maxItems }: Keywords): BodyNeed => {
  const count = typeof maxItems === "number" ? maxItems : Number.POSITIVE_INFINITY;
  const item = needOf(items);
  return {
    encodedFields: item.encodedFields === 0 ? 0 : item.encodedFields * count,
    files: item.files === 0 ? 0 : item.files * count,
    otherBytes: (item.otherBytes + 1) * count + 2,
  };
};

const needOf = (schema: unknown): BodyNeed => {
  if (!isObject(schema)) return bytesOf(Number.POSITIVE_INFINITY);
  const { enum: values, anyOf, properties, type } = schema;
  if (Array.isArray(values)) return largest(values.map((value) => bytesOf(JSON.stringify(value).length)));
  if (Array.isArray(anyOf)) return largest(anyOf.map(needOf));
  if (isObject(properties)) {
    return Object.entries(properties)
      .map(([name, property]) => plus(bytesOf(name.length + 4), needOf(property)))
      .reduce(plus, nothing);
  }
  if (type === "string") return needOfText(schema);
  if (type === "array") return needOfList(schema);
  const isScalar = type === "integer" || type === "number" || type === "boolean" || type === "null";
  return bytesOf(isScalar ? numberBytes : Number.POSITIVE_INFINITY);
};

/**
 * What the largest body of a route can hold, from the bounds of its schema: `maxLength` of texts, `maxItems`
 * of lists, `x-bytes` of tracking tokens.
 */
export const bodyNeedOf = ({ request }: Pick<Route, "request">): BodyNeed =>
  plus(needOf(request), bytesOf(spareBytes));

/**
 * Most bytes of a body of this route, where an image or token has at most `fieldBytesMax` bytes before
 * Base64, and a file `fileBytesMax`. Infinity if the schema states no bound for one of its parts.
 */
export const bodyBytesOf = (
  route: Pick<Route, "request">,
  fieldBytesMax: number,
  fileBytesMax: number,
): number => {
  const { encodedFields, files, otherBytes } = bodyNeedOf(route);
  return encodedFields * encodedBytes(fieldBytesMax) + fileBodyBytes(files, fileBytesMax) + otherBytes;
};

/** Bytes of so many files of the largest size in a body; 0 without one. */
const fileBodyBytes = (files: number, fileBytesMax: number): number =>
  files === 0 ? 0 : files * encodedBytes(fileBytesMax);

/** Whether a route takes a file: the limit of files bounds its body, not that of all other routes. */
export const takesFile = (route: Pick<Route, "request">): boolean => bodyNeedOf(route).files > 0;

/** The limit in words, for the specification. The size of images is a setting of the deployment. */
export const describeBodyNeed = (route: Pick<Route, "request">): string => {
  const { encodedFields, files, otherBytes } = bodyNeedOf(route);
  const others = `${Math.ceil(otherBytes / 1000)} kB`;
  const images = encodedFields === 1 ? "one image or token" : `${encodedFields} images or tokens`;
  if (files > 0) {
    const beside = encodedFields === 0 ? "" : `, ${images} of the largest size`;
    return `Largest body: one PDF of the deployment's largest size in Base64${beside}, and ${others} besides.`;
  }
  if (encodedFields === 0) return `Largest body: ${others}.`;
  return `Largest body: ${images} of the deployment's largest size in Base64, and ${others} besides.`;
};
