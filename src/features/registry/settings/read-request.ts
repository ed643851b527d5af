import { reservedHeaders } from "./read-auth.ts";
import { checked, escaped, type Reading } from "./reading.ts";
import type { RequestRules, Template } from "./settings.ts";
import { shapes } from "./settings-schema.ts";
import { findUnknownName, namesIn } from "./template.ts";

type RawRequest = {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly isIdempotent?: boolean;
};

/** The request of a gateway; undefined with problems. */
export const readRequest = (reading: Reading, place: string, raw: RawRequest): RequestRules | undefined => {
  const before = reading.problems.length;
  const { method, url, headers = {}, body, isIdempotent = method === "GET" } = raw;
  judgeRequestUrl(reading, `${place}/url`, url);
  for (const [name, value] of Object.entries(headers)) judgeHeader(reading, `${place}/headers`, name, value);
  if (body !== undefined && method === "GET") {
    reading.problems.push(`${place}/body: GET has no body: use the query of the URL, or POST`);
  }
  const template = body === undefined ? undefined : readTemplate(reading, `${place}/body`, body);
  if (reading.problems.length > before) return undefined;
  return { method, url, headers, isIdempotent, ...(template !== undefined && { body: template }) };
};

/** Variables may be only in the path and the query, so that no value can choose the server. */
const judgeRequestUrl = (reading: Reading, place: string, url: string): void => {
  const refuse = (fault: string): void => void reading.problems.push(`${place}: ${fault}`);
  const unknown = findUnknownName(url);
  if (unknown !== undefined) return refuse(`there is no variable {${unknown}}`);
  const origin = /^https?:\/\/[^/?#]*/.exec(url)?.[0] ?? "";
  if (origin.includes("{")) return refuse("a variable stands in the path or the query, never in the host");
  if (namesIn(url).includes("bestImage")) return refuse("an image is sent in the body, never in a URL");
  const [path = ""] = url.split(/[?#]/, 1);
  const missing = namesIn(path).find((name) => name !== "documentNumber");
  if (missing !== undefined)
    return refuse(`{${missing}} can be without a value: it may stand in the query alone`);
  const fault = reading.judgeUrl(url.replaceAll(/\{[A-Za-z]+\}/g, "x"));
  return fault === undefined ? undefined : refuse(fault);
};

const judgeHeader = (reading: Reading, place: string, name: string, value: string): void => {
  const at = `${place}/${escaped(name)}`;
  if (!shapes.headerName.Check(name)) reading.problems.push(`${at}: is no name of a header`);
  else if (name.toLowerCase() === "authorization") {
    reading.problems.push(`${at}: credentials stand in auth, in a file of their own`);
  } else if (reservedHeaders.includes(name.toLowerCase())) {
    reading.problems.push(`${at}: is a header of HTTP itself`);
  } else if (namesIn(value).length > 0) {
    reading.problems.push(`${at}: a header has no variables: use the query or the body`);
  }
};

/** The deepest body, and the most values in it: far more than any registry asks for. */
const depthMax = 10;
const valuesMax = 200;

const readTemplate = (reading: Reading, place: string, value: unknown): Template | undefined => {
  let values = 0;
  const refuse = (at: string, fault: string): undefined => {
    reading.problems.push(`${at}: ${fault}`);
    return undefined;
  };
  const read = (one: unknown, at: string, depth: number): Template | undefined => {
    if (depth > depthMax || ++values > valuesMax)
      return refuse(at, "the body is too deep or has too many values");
    if (one === null || typeof one === "boolean" || typeof one === "number") return one;
    if (typeof one === "string") {
      const unknown = findUnknownName(one);
      return unknown === undefined ? one : refuse(at, `there is no variable {${unknown}}`);
    }
    if (Array.isArray(one)) {
      const items: readonly unknown[] = one;
      return items.flatMap((item, index) => {
        const found = read(item, `${at}/${index}`, depth + 1);
        return found === undefined ? [] : [found];
      });
    }
    const members = checked(reading, shapes.countries, at, one);
    return Object.fromEntries(
      Object.entries(members ?? {}).flatMap(([name, member]) => {
        const found = read(member, `${at}/${escaped(name)}`, depth + 1);
        return found === undefined ? [] : [[name, found] as const];
      }),
    );
  };
  return read(value, place, 0);
};
