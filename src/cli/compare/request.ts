import { suggestion } from "../command.ts";
import { isObject, parseJson } from "./json.ts";

/** Fields of a request's body, or a part of them. */
export type Fields = Readonly<Record<string, unknown>>;

/** A recorded request. Its texts may name values of earlier answers: `{{scan}}`. */
export type RecordedRequest = {
  /** Line of the file, or number of the entry of a HAR file, from 1. */
  readonly line: number;
  /** The operator's word for it, shown in the report. */
  readonly name?: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of the body for one service alone, such as a token that only this service can open. */
  readonly theirs?: Fields;
  readonly ours?: Fields;
  /** Names for values of this answer: name to the path of its field. */
  readonly capture: Readonly<Record<string, string>>;
  /** Repeat until each field has one of its values: path of the field to values. */
  readonly until: Readonly<Record<string, readonly unknown[]>>;
};

/** A request that cannot be sent. The message holds the line and never a value of the body. */
export class RequestFault extends Error {
  override readonly name = "RequestFault";
}

const fields = ["name", "method", "path", "body", "headers", "theirs", "ours", "capture", "until"] as const;
const methods = ["GET", "POST", "DELETE"] as const;
const headerNames = ["app-name", "family"];

/** Names of captured values, as `{{name}}` uses them. */
export const captureName = /^[A-Za-z]\w{0,39}$/;

/** Reads one line of a file of requests. Throws RequestFault. */
export const readRequestLine = (text: string, line: number): RecordedRequest => {
  const refuse = (why: string): never => {
    throw new RequestFault(`Line ${line} ${why}`);
  };
  const stated = parseJson(text);
  if (!isObject(stated))
    return refuse('is no JSON object such as {"method": "POST", "path": "/…", "body": {…}}.');
  const unknown = Object.keys(stated).find((name) => !fields.some((known) => known === name));
  if (unknown !== undefined) {
    return refuse(
      `has the unknown field ${JSON.stringify(unknown.slice(0, 40))}.${suggestion(unknown, fields)} Known: ${fields.join(", ")}`,
    );
  }
  const { name, path, body, headers = {}, theirs, ours, capture = {}, until = {} } = stated;
  const method = methods.find((known) => known === (stated["method"] ?? "POST"));
  if (method === undefined) return refuse(`has a method other than ${methods.join(", ")}.`);
  if (typeof path !== "string" || !/^\/[\x21-\x7e]*$/.test(path)) {
    return refuse("has no path that begins with / and holds printable ASCII characters.");
  }
  if (name !== undefined && (typeof name !== "string" || !/^[^\p{C}]{1,60}$/u.test(name))) {
    return refuse("has a name that is no text of 1 to 60 printable characters.");
  }
  if (method === "GET" && body !== undefined) return refuse("is a GET with a body. Leave the body out.");
  return {
    line,
    method,
    path,
    ...(name !== undefined && { name }),
    ...(body !== undefined && { body }),
    ...ofOneService({ theirs, ours }, body, refuse),
    headers: readHeaders(headers, refuse),
    capture: readCapture(capture, refuse),
    until: readUntil(until, refuse),
  };
};

type Refuse = (why: string) => never;

const ofOneService = ({ theirs, ours }: Fields, body: unknown, refuse: Refuse) => {
  for (const part of [theirs, ours]) {
    if (part !== undefined && !(isObject(part) && isObject(body))) {
      refuse("has theirs or ours that is no object of fields, or no body to put them into.");
    }
  }
  return { ...(isObject(theirs) && { theirs }), ...(isObject(ours) && { ours }) };
};

const isHeader = (name: string, text: unknown): text is string =>
  headerNames.includes(name) && typeof text === "string" && /^[\x20-\x7e]{1,200}$/.test(text);

const readHeaders = (value: unknown, refuse: Refuse): Readonly<Record<string, string>> => {
  if (!isObject(value)) return refuse("has headers that are no object.");
  const entries = Object.entries(value).map(([name, text]) =>
    isHeader(name, text)
      ? ([name, text] as const)
      : refuse(`has a header other than ${headerNames.join(" and ")}. Keys come from options.`),
  );
  return Object.fromEntries(entries);
};

const readCapture = (value: unknown, refuse: Refuse): Readonly<Record<string, string>> => {
  if (!isObject(value)) return refuse('has a capture that is no object such as {"scan": "scanReference"}.');
  const entries = Object.entries(value).map(([name, place]) =>
    captureName.test(name) && typeof place === "string" && place !== ""
      ? ([name, place] as const)
      : refuse('captures under a name that is no word, or no field such as "scanReference".'),
  );
  return Object.fromEntries(entries);
};

const isList = (values: unknown): values is readonly unknown[] => Array.isArray(values) && values.length > 0;

const readUntil = (value: unknown, refuse: Refuse): Readonly<Record<string, readonly unknown[]>> => {
  if (!isObject(value))
    return refuse('has an until that is no object such as {"status": ["DONE", "FAILED"]}.');
  const entries = Object.entries(value).map(([place, values]) =>
    isList(values) ? ([place, values] as const) : refuse("has an until whose field has no list of values."),
  );
  return Object.fromEntries(entries);
};
