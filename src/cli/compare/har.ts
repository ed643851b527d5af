import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { isObject, parseJson } from "./json.ts";
import { type RecordedRequest, RequestFault } from "./request.ts";

/**
 * The part of the HTTP Archive format (HAR 1.2) that holds requests, and the answers that later requests
 * quote.
 */
const content = Type.Object({ text: Type.Optional(Type.String()), encoding: Type.Optional(Type.String()) });
const entry = Type.Object({
  request: Type.Object({
    method: Type.String(),
    url: Type.String(),
    postData: Type.Optional(Type.Object({ text: Type.Optional(Type.String()) })),
  }),
  response: Type.Optional(Type.Object({ content: Type.Optional(content) })),
});
const archive = makeCheck(Type.Object({ log: Type.Object({ entries: Type.Array(entry) }) }));
type Entry = Static<typeof entry>;

/** Fields of an answer whose value later requests quote. */
const quotedFields = [
  "scanReference",
  "serviceTransactionId",
  "transactionId",
  "registeredTemplateRaw",
  "token",
];

const byteOrderMark = /^\u{feff}/u;

/** A shorter value may be in a request by chance. */
const quotedMin = 16;

/** The status step of a document validation: its client asks until the scan is decided. */
const statusPath = /\/documentValidation\/(v2\/)?status$/;

/**
 * The calls of a HAR file whose addresses begin with `prefix`. Ids of recorded answers become captured names;
 * keys and other headers are not read. Throws RequestFault.
 */
export const readHar = (
  text: string,
  prefix: string,
): { readonly requests: readonly RecordedRequest[]; readonly leftOut: number } => {
  const har = parseJson(text.replace(byteOrderMark, ""));
  if (!archive.Check(har))
    throw new RequestFault("This is no HAR file: log.entries with requests is missing.");
  const { entries } = har.log;
  const quoted = new Map<string, string>();
  const requests = entries.flatMap((one, i) => {
    const found = requestOf(one, i + 1, prefix, quoted);
    return found === undefined ? [] : [found];
  });
  return { requests, leftOut: entries.length - requests.length };
};

const requestOf = (
  { request, response }: Entry,
  line: number,
  prefix: string,
  quoted: Map<string, string>,
): RecordedRequest | undefined => {
  const { method, url, postData } = request;
  const body = parseJson(postData?.text ?? "");
  const isCall = method === "GET" || ((method === "POST" || method === "DELETE") && isObject(body));
  if (!isCall || !url.startsWith(`${prefix}/`)) return undefined;
  const path = namingPath(url.slice(prefix.length), quoted);
  return {
    line,
    method,
    path,
    ...(method !== "GET" && { body: naming(body, quoted) }),
    headers: {},
    capture: capturesOf(response?.content, line, quoted),
    until: statusPath.test(path) ? { status: ["DONE", "FAILED"] } : {},
  };
};

/** A value with each quoted text replaced by its name. */
const naming = (value: unknown, quoted: ReadonlyMap<string, string>): unknown => {
  if (typeof value === "string") return quoted.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => naming(item, quoted));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, naming(part, quoted)]));
};

const namingPath = (path: string, quoted: ReadonlyMap<string, string>): string =>
  path
    .split(/([/?&=#])/)
    .map((part) => quoted.get(part) ?? part)
    .join("");

/** Remembers the ids of an answer as names, and returns these as captures of its request. */
const capturesOf = (
  answered: Static<typeof content> | undefined,
  line: number,
  quoted: Map<string, string>,
): Readonly<Record<string, string>> => {
  const { text = "", encoding } = answered ?? {};
  const body = parseJson(encoding === "base64" ? Buffer.from(text, "base64").toString() : text);
  const captures: Record<string, string> = {};
  for (const field of quotedFields) {
    const value = isObject(body) ? body[field] : undefined;
    if (typeof value !== "string" || value.length < quotedMin || quoted.has(value)) continue;
    const name = `entry${line}${field}`;
    captures[name] = field;
    quoted.set(value, `{{${name}}}`);
  }
  return captures;
};
